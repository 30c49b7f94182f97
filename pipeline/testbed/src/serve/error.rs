//! Errors of the servers.

use std::io;
use std::net::SocketAddr;

use crate::certs::CertificateError;

/// Errors with which the servers could not start, or ended early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "cannot listen on {address} ({reason}); is the address on an interface of this namespace, and the port free?"
    )]
    Bind { address: SocketAddr, reason: io::Error },
    #[error("cannot set {option} on the server's socket: {reason}")]
    Option { option: &'static str, reason: io::Error },
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
    #[error("cannot set up QUIC: {0}")]
    Quic(String),
    #[error("cannot start the server's event loop: {0}")]
    EventLoop(io::Error),
    #[error("cannot announce that the servers listen: {0}")]
    Announcement(io::Error),
}
