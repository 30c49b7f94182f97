//! Clients of both transports behind one face.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::{Buf, Bytes};
use eyelevel_testbed::serve::binding::{Binding, Both, Opener};
use http::{HeaderMap, Request};
use rustls::DigitallySignedStruct;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// Bytes of one response that the client lets the server send ahead of being read.
pub const STREAM_WINDOW_BYTES: u32 = 256 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 8 * 1024 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

pub enum Client {
    H2 { requests: h2::client::SendRequest<Bytes>, chain: Chain },
    H3 { requests: h3::client::SendRequest<Opener, Bytes>, chain: Chain, _endpoint: noq::Endpoint },
}

/// A response whose body is still to be read.
pub enum Body {
    H2(h2::RecvStream),
    H3(Box<h3::client::RequestStream<Both, Bytes>>),
}

impl Client {
    /// Connects by the transport of the named stack.
    pub async fn connect(stack: &str, at: SocketAddr) -> Self {
        Self::connect_with(stack, at, STREAM_WINDOW_BYTES).await
    }

    /// The same with another window for each response.
    pub async fn connect_with(stack: &str, at: SocketAddr, window_bytes: u32) -> Self {
        if stack.starts_with("QUIC") { Self::quic(at, window_bytes).await } else { Self::tcp(at, window_bytes).await }
    }

    async fn tcp(at: SocketAddr, window_bytes: u32) -> Self {
        let (tls, chain) = tls(b"h2");
        Self::tcp_with(Arc::new(tls), chain, at, window_bytes).await
    }

    /// Sessions are resumed among those who share `tls`.
    pub async fn tcp_with(tls: Arc<rustls::ClientConfig>, chain: Chain, at: SocketAddr, window_bytes: u32) -> Self {
        let stream = TcpStream::connect(at).await.expect("a listening server");
        // As browsers do; with the kernel's default the request waits for the acknowledgement of what came before it.
        stream.set_nodelay(true).expect("an open connection");
        let name = ServerName::try_from("a.test").expect("a name");
        let stream = TlsConnector::from(tls).connect(name, stream).await.expect("a handshake");
        let (requests, connection) = h2::client::Builder::new()
            .initial_window_size(window_bytes)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .handshake(stream)
            .await
            .expect("HTTP/2");
        tokio::spawn(connection);
        Self::H2 { requests, chain }
    }

    async fn quic(at: SocketAddr, window_bytes: u32) -> Self {
        let (tls, chain) = tls(b"h3");
        let endpoint = noq::Endpoint::client("0.0.0.0:0".parse().expect("an address")).expect("a port");
        let config = Self::quic_config(tls, window_bytes);
        let quic = endpoint.connect_with(config, at, "a.test").expect("a name").await.expect("a handshake");
        Self::over(quic, chain, endpoint).await
    }

    pub fn quic_config(tls: rustls::ClientConfig, window_bytes: u32) -> noq::ClientConfig {
        let tls = noq::crypto::rustls::QuicClientConfig::try_from(tls).expect("TLS 1.3");
        let mut config = noq::ClientConfig::new(Arc::new(tls));
        let mut transport = noq::TransportConfig::default();
        transport.stream_receive_window(window_bytes.into()).receive_window(CONNECTION_WINDOW_BYTES.into());
        config.transport_config(Arc::new(transport));
        config
    }

    /// HTTP/3 over a connection.
    pub async fn over(quic: noq::Connection, chain: Chain, endpoint: noq::Endpoint) -> Self {
        let (mut connection, requests) = h3::client::new(Binding::from(quic)).await.expect("HTTP/3");
        tokio::spawn(async move { std::future::poll_fn(|cx| connection.poll_close(cx)).await });
        Self::H3 { requests, chain, _endpoint: endpoint }
    }

    /// The certificates that the server showed.
    pub fn chain(&self) -> Vec<CertificateDer<'static>> {
        let (Self::H2 { chain, .. } | Self::H3 { chain, .. }) = self;
        chain.0.lock().expect("no panic").clone()
    }

    /// Sends a request and waits for the header of its response.
    pub async fn begin(&self, method: &str, path: &str, upload: Bytes) -> (u16, HeaderMap, Body) {
        self.begin_with("u=2, i", method, path, upload).await
    }

    /// The same with another priority.
    pub async fn begin_with(&self, priority: &str, method: &str, path: &str, upload: Bytes) -> (u16, HeaderMap, Body) {
        let request = Request::builder()
            .method(method)
            .uri(format!("https://a.test{path}"))
            .header("priority", priority)
            .body(())
            .expect("a request");
        let (head, body) = match self {
            Self::H2 { requests, .. } => {
                let mut requests = requests.clone().ready().await.expect("an open connection");
                let (response, mut send) = requests.send_request(request, upload.is_empty()).expect("a stream");
                if !upload.is_empty() {
                    send.send_data(upload, true).expect("an open stream");
                }
                let (head, body) = response.await.expect("a response").into_parts();
                (head, Body::H2(body))
            }
            Self::H3 { requests, .. } => {
                let mut stream = requests.clone().send_request(request).await.expect("a stream");
                if !upload.is_empty() {
                    stream.send_data(upload).await.expect("an open stream");
                }
                stream.finish().await.expect("an open stream");
                let (head, ()) = stream.recv_response().await.expect("a response").into_parts();
                (head, Body::H3(Box::new(stream)))
            }
        };
        (head.status.as_u16(), head.headers, body)
    }

    pub async fn fetch(&self, method: &str, path: &str) -> Answer {
        let (status, headers, mut body) = self.begin(method, path, Bytes::new()).await;
        let mut whole = Vec::new();
        while let Some(data) = body.next().await {
            whole.extend_from_slice(&data);
        }
        Answer { status, headers, body: whole.into() }
    }
}

impl Body {
    /// What came next; `None` at its end.
    pub async fn next(&mut self) -> Option<Bytes> {
        match self {
            Self::H2(body) => {
                let data = body.data().await?.expect("a whole body");
                body.flow_control().release_capacity(data.len()).expect("an open stream");
                Some(data)
            }
            Self::H3(stream) => {
                let mut data = stream.recv_data().await.expect("a whole body")?;
                Some(data.copy_to_bytes(data.remaining()))
            }
        }
    }
}

/// A TCP and TLS connection on which nothing has been said.
pub async fn raw_tcp(at: SocketAddr) -> tokio_rustls::client::TlsStream<TcpStream> {
    raw_tcp_with(b"h2", at).await
}

/// The same for another protocol.
pub async fn raw_tcp_with(alpn: &[u8], at: SocketAddr) -> tokio_rustls::client::TlsStream<TcpStream> {
    let (tls, _) = tls(alpn);
    let stream = TcpStream::connect(at).await.expect("a listening server");
    let name = ServerName::try_from("a.test").expect("a name");
    TlsConnector::from(Arc::new(tls)).connect(name, stream).await.expect("a handshake")
}

/// The same over QUIC; it ends with its endpoint.
pub async fn raw_quic(at: SocketAddr) -> (noq::Connection, noq::Endpoint) {
    let (tls, _) = tls(b"h3");
    let tls = noq::crypto::rustls::QuicClientConfig::try_from(tls).expect("TLS 1.3");
    let endpoint = noq::Endpoint::client("0.0.0.0:0".parse().expect("an address")).expect("a port");
    let config = noq::ClientConfig::new(Arc::new(tls));
    (endpoint.connect_with(config, at, "a.test").expect("a name").await.expect("a handshake"), endpoint)
}

/// Takes any certificate and remembers it; what browsers check is tested beside the certificates.
#[derive(Debug, Default, Clone)]
pub struct Chain(Arc<Mutex<Vec<CertificateDer<'static>>>>);

pub fn tls(alpn: &[u8]) -> (rustls::ClientConfig, Chain) {
    let chain = Chain::default();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(chain.clone()))
        .with_no_client_auth();
    config.alpn_protocols = vec![alpn.to_vec()];
    (config, chain)
}

impl ServerCertVerifier for Chain {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let shown = std::iter::once(leaf).chain(intermediates).map(|certificate| certificate.clone().into_owned());
        *self.0.lock().expect("no panic") = shown.collect();
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _leaf: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        unreachable!("TLS 1.3 only")
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = rustls::crypto::ring::default_provider().signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, leaf, signature, &algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        rustls::crypto::ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
