//! What all servers of the wire test have in common.
//!
//! The protocol is bare streams, not HTTP/3, so that only the transport differs: the client opens
//! a stream and sends a size and an urgency; the server answers with that many bytes.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use crate::path::now_ns;

pub const ALPN: &[u8] = b"quic-choice";
pub const INITIAL_WINDOW_DATAGRAMS: u64 = 32;
/// The same for every library, without path MTU discovery, so that datagrams compare.
pub const DATAGRAM_BYTES: u16 = 1200;
pub const INITIAL_WINDOW_BYTES: u64 = INITIAL_WINDOW_DATAGRAMS * DATAGRAM_BYTES as u64;
pub const BIG_WINDOW: u32 = 64 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Library {
    Quinn,
    /// quinn whose socket spaces datagrams at the controller's own rate.
    QuinnPaced,
    /// The same with a BBR v1 of our own.
    QuinnOwn,
    Noq,
    /// noq whose BBR begins at a rate of its window over its round trip.
    NoqCapped,
    /// noq with a BBR v1 of our own, and with Cubic paced as Linux does.
    NoqOwn,
    /// noq with its pacing defeated: shows that the test sees it.
    NoqUnpaced,
    Tquic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Congestion {
    Cubic,
    /// BBR v1 in quinn and tquic, BBR v3 in noq.
    Bbr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Nobody decides: the library's own round robin.
    RoundRobin,
    /// The library decides by the priorities that it was told.
    Library,
    /// The application writes one stream at a time and keeps little unsent data in the library.
    Application,
}

#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub library: Library,
    pub congestion: Congestion,
    pub order: Order,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    pub bytes: u64,
    /// As in RFC 9218: 0 is the most urgent.
    pub urgency: u8,
}

impl Request {
    pub const ENCODED_BYTES: usize = 9;

    pub fn encode(self) -> [u8; Self::ENCODED_BYTES] {
        let mut out = [self.urgency; Self::ENCODED_BYTES];
        out[..8].copy_from_slice(&self.bytes.to_be_bytes());
        out
    }

    pub fn decode(raw: [u8; Self::ENCODED_BYTES]) -> Self {
        let (size, urgency) = raw.split_at(8);
        Self {
            bytes: u64::from_be_bytes(size.try_into().expect("eight bytes")),
            urgency: urgency[0],
        }
    }
}

/// Self-signed certificate for `localhost`, made for one process.
pub struct Identity {
    pub cert: rcgen::Certificate,
    pub key: rcgen::KeyPair,
}

impl Identity {
    pub fn new() -> Result<Self> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
        Ok(Self {
            cert: made.cert,
            key: made.signing_key,
        })
    }

    pub fn rustls(&self) -> Result<rustls::ServerConfig> {
        let key = rustls::pki_types::PrivateKeyDer::try_from(self.key.serialize_der())
            .map_err(anyhow::Error::msg)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_no_client_auth()
            .with_single_cert(vec![self.cert.der().clone()], key)?;
        config.alpn_protocols = vec![ALPN.to_vec()];
        Ok(config)
    }
}

/// When the first response was handed to the library (0: not yet).
#[derive(Debug, Clone, Default)]
pub struct ResponseStart(Arc<AtomicU64>);

impl ResponseStart {
    pub fn mark(&self) {
        let _ = self
            .0
            .compare_exchange(0, now_ns(), Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn get_ns(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A running server; dropping it ends it.
pub struct Server {
    pub addr: SocketAddr,
    pub response_start: ResponseStart,
    /// Held only to end the server when dropped.
    pub _guard: Box<dyn std::any::Any + Send>,
}

/// Starts the library under test on an ephemeral loopback port.
pub fn start(setup: Setup, identity: &Identity) -> Result<Server> {
    match setup.library {
        Library::Quinn | Library::QuinnPaced | Library::QuinnOwn => {
            crate::on_quinn::start(setup, identity)
        }
        Library::Noq | Library::NoqCapped | Library::NoqOwn | Library::NoqUnpaced => {
            crate::on_noq::start(setup, identity)
        }
        #[cfg(feature = "tquic")]
        Library::Tquic => crate::on_tquic::start(setup, identity),
        #[cfg(not(feature = "tquic"))]
        Library::Tquic => anyhow::bail!(
            "tquic is not built in: run with `--features tquic` (builds BoringSSL, needs cmake)"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_survives_the_wire() {
        let request = Request {
            bytes: 0x0102_0304_0506_0708,
            urgency: 5,
        };
        assert_eq!(request.encode(), [1, 2, 3, 4, 5, 6, 7, 8, 5]);
        assert_eq!(Request::decode(request.encode()), request);
    }
}
