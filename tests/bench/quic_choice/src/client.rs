//! The client is quinn whatever the server, so that acks and windows are the same for all.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use quinn::crypto::rustls::QuicClientConfig;
use tokio::sync::mpsc::UnboundedSender;

use crate::path::now_ns;
use crate::server::{Identity, Request, ALPN, BIG_WINDOW, DATAGRAM_BYTES};

/// Body bytes of one stream that reached the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    pub stream: usize,
    pub at_ns: u64,
    pub bytes: u64,
}

pub async fn connect(to: SocketAddr, identity: &Identity) -> Result<quinn::Connection> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(identity.cert.der().clone())?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![ALPN.to_vec()];
    let mut config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
    let mut transport = quinn::TransportConfig::default();
    transport
        .initial_mtu(DATAGRAM_BYTES)
        .mtu_discovery_config(None)
        .receive_window(BIG_WINDOW.into())
        .stream_receive_window(BIG_WINDOW.into());
    config.transport_config(Arc::new(transport));
    let endpoint = quinn::Endpoint::client("127.0.0.1:0".parse()?)?;
    let connecting = endpoint.connect_with(config, to, "localhost")?;
    connecting.await.context("handshake")
}

/// Sends one request; every read is told to `arrivals` under the number `stream`.
pub async fn fetch(
    connection: quinn::Connection,
    stream: usize,
    request: Request,
    arrivals: UnboundedSender<Arrival>,
) -> Result<()> {
    let (mut send, mut recv) = connection.open_bi().await?;
    send.write_all(&request.encode()).await?;
    send.finish()?;
    let mut got = 0;
    while let Some(chunk) = recv.read_chunk(usize::MAX, true).await? {
        let bytes = chunk.bytes.len() as u64;
        got += bytes;
        let _ = arrivals.send(Arrival {
            stream,
            at_ns: now_ns(),
            bytes,
        });
    }
    anyhow::ensure!(got == request.bytes, "got {got} of {} bytes", request.bytes);
    Ok(())
}
