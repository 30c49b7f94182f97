//! The other ways to the same answers: HTTP/1.1, and QUIC that is told of over TCP.

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::site::{Site, pattern};
use crate::client::Client;

#[tokio::test]
async fn http1_answers_one_request_after_the_other_on_one_connection() {
    let site = Site::start("TCP+H1");
    let mut stream = crate::client::raw_tcp_with(b"http/1.1", site.at).await;
    for request in [
        "GET /small7 HTTP/1.1\r\nhost: a.test\r\n\r\n",
        "HEAD / HTTP/1.1\r\nhost: a.test\r\n\r\n",
        "POST /nowhere HTTP/1.1\r\nhost: a.test\r\ncontent-length: 5\r\n\r\nhello",
        "GET /big1 HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n",
    ] {
        stream.write_all(request.as_bytes()).await.expect("an open connection");
    }
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.expect("an end in order");
    let mut rest = &all[..];
    for (status, has_body, body) in [
        ("HTTP/1.1 200 OK", true, pattern(7, 500)),
        ("HTTP/1.1 200 OK", false, pattern(1, 20_000)),
        ("HTTP/1.1 404 Not Found", true, bytes::Bytes::from_static(b"not recorded\n")),
        ("HTTP/1.1 200 OK", true, pattern(1, super::site::BIG_BYTES)),
    ] {
        let end = rest.windows(4).position(|window| window == b"\r\n\r\n").expect("a head") + 4;
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        assert!(head.starts_with(status), "{head}");
        assert!(head.contains(&format!("\r\ncontent-length: {}\r\n", body.len())), "{head}");
        rest = &rest[end..];
        if has_body {
            assert!(rest.starts_with(&body), "the body after {head}");
            rest = &rest[body.len()..];
        }
    }
    assert!(rest.is_empty(), "{} bytes more", rest.len());
    let served = site.stop().await;
    assert_eq!((served.connections.len(), served.protocols["http/1.1"]), (1, 4));
    assert!(served.requests.iter().all(|request| request.handed_over_ms.is_some()));
}

#[tokio::test]
async fn quic_that_is_to_be_discovered_is_told_of_over_tcp_and_answers_there() {
    let site = Site::start("QUIC+ALTSVC");
    let over_tcp = Client::connect("TCP+", site.at).await.fetch("GET", "/").await;
    assert_eq!(over_tcp.headers["alt-svc"], format!("h3=\":{}\"; ma=86400", site.at.port()));
    let over_quic = Client::connect("QUIC", site.at).await.fetch("GET", "/").await;
    assert_eq!(over_quic.headers["alt-svc"], over_tcp.headers["alt-svc"]);
    assert_eq!(over_tcp.body, over_quic.body);
    let served = site.stop().await;
    assert_eq!((served.protocols["h2"], served.protocols["h3"]), (1, 1));
}

#[tokio::test]
async fn no_other_stack_announces_quic_over_tcp() {
    let site = Site::start("TCP+");
    assert!(!Client::connect("TCP+", site.at).await.fetch("GET", "/").await.headers.contains_key("alt-svc"));
    site.stop().await;
}
