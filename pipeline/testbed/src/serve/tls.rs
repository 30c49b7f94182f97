//! TLS, equal for both transports except for the name of the protocol above it.

use std::sync::Arc;

use rustls::server::{NoServerSessionStorage, ServerSessionMemoryCache};

use crate::certs::Identity;
use eyelevel_definitions::stacks::Resumption;

/// As many as one run can have.
const SESSIONS: usize = 1024;

/// TLS 1.3 only. Most stacks send no session tickets: every run has a fresh browser, and without tickets a second connection of the
/// same run costs the same certificates and round trips in both transports, and no ticket takes room in the first flight.
///
/// # Errors
/// Where the identity is not one of a server.
pub fn config(identity: Identity, alpn: &[u8], resumption: Resumption) -> Result<rustls::ServerConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(identity.chain, identity.key)?;
    config.alpn_protocols = vec![alpn.to_vec()];
    if resumption == Resumption::Never {
        config.send_tls13_tickets = 0;
        config.session_storage = Arc::new(NoServerSessionStorage {});
    } else {
        config.send_tls13_tickets = 1;
        config.session_storage = ServerSessionMemoryCache::new(SESSIONS);
    }
    // The only two values that QUIC knows (RFC 9001, section 4.6.1).
    config.max_early_data_size = if resumption == Resumption::EarlyData { u32::MAX } else { 0 };
    Ok(config)
}
