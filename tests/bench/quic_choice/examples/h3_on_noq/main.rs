//! Serves a page with two large scripts over HTTP/3 on noq, so that a browser can be pointed at
//! it: prints the flags that Chromium needs. Ends after one connection or a minute.

mod h3_noq;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use base64::prelude::{Engine, BASE64_STANDARD};
use bytes::Bytes;
use noq::crypto::rustls::QuicServerConfig;
use rcgen::PublicKeyData;
use sha2::{Digest, Sha256};

const SCRIPT_BYTES: usize = 3_000_000;
const PAGE: &str = "<body><p id=out>page</p><script src=a.js></script><script src=b.js></script>";

#[tokio::main]
async fn main() -> Result<()> {
    let made = rcgen::generate_simple_self_signed(["noq.test".to_owned()])?;
    let spki = Sha256::digest(made.signing_key.subject_public_key_info());
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der())
        .map_err(anyhow::Error::msg)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)?;
    tls.alpn_protocols = vec![b"h3".to_vec()];
    let config = noq::ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls)?));
    let endpoint = noq::Endpoint::server(config, "127.0.0.1:0".parse()?)?;
    let port = endpoint.local_addr()?.port();
    let spki = BASE64_STANDARD.encode(spki);
    println!(
        "chromium --headless --no-sandbox --user-data-dir=\"$(mktemp -d)\" --enable-quic \
         --origin-to-force-quic-on=noq.test:{port} --host-resolver-rules='MAP noq.test 127.0.0.1' \
         --ignore-certificate-errors-spki-list={spki} --disable-field-trial-config \
         --dump-dom https://noq.test:{port}/"
    );
    let served = tokio::time::timeout(Duration::from_secs(60), serve_one(&endpoint));
    served
        .await
        .context("no browser came and went within a minute")?
}

async fn serve_one(endpoint: &noq::Endpoint) -> Result<()> {
    let incoming = endpoint.accept().await.context("endpoint closed")?;
    let connection = h3_noq::Connection::new(incoming.await?);
    let mut http = h3::server::Connection::new(connection).await?;
    // The browser's leaving is the end, however it puts it.
    while let Ok(Some(resolver)) = http.accept().await {
        tokio::spawn(async move {
            let (request, mut stream) = resolver.resolve_request().await?;
            let path = request.uri().path();
            eprintln!("{path} priority {:?}", request.headers().get("priority"));
            let (kind, body) = if path.ends_with(".js") {
                let filler = "x".repeat(SCRIPT_BYTES);
                let script = format!("out.textContent += ' {path}'; /*{filler}*/");
                ("text/javascript", Bytes::from(script))
            } else {
                ("text/html", Bytes::from_static(PAGE.as_bytes()))
            };
            let head = http::Response::builder()
                .header("content-type", kind)
                .body(())?;
            stream.send_response(head).await?;
            stream.send_data(body).await?;
            stream.finish().await?;
            anyhow::Ok(())
        });
    }
    Ok(())
}
