//! TLS, alike for both transports but for the name of the protocol above it.

use std::sync::Arc;

use rustls::server::NoServerSessionStorage;

use crate::certs::Identity;

/// TLS 1.3 only, no early data. No session tickets either: every run has a fresh browser, and without tickets a second connection
/// of the same run costs the same certificates and round trips in both arms, and no ticket takes room in the first flight.
///
/// # Errors
/// Where the identity is not one of a server.
pub fn config(identity: Identity, alpn: &[u8]) -> Result<rustls::ServerConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)?;
    config.alpn_protocols = vec![alpn.to_vec()];
    config.send_tls13_tickets = 0;
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.max_early_data_size = 0;
    Ok(config)
}
