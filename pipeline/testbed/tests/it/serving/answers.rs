//! Both arms answer alike.

use std::sync::Arc;

use bytes::Bytes;
use eyelevel_replay::matching::Kind;
use sha2::{Digest, Sha256};

use super::site::{BIG_BYTES, Site, pattern};
use crate::client::{Answer, Client};

const ASKED: [(&str, &str); 7] = [
    ("GET", "/"),
    ("GET", "/old"),
    ("GET", "/list?page=2"),
    ("GET", "/nowhere"),
    ("HEAD", "/"),
    ("GET", "/empty"),
    ("GET", "/big1"),
];

async fn ask_all(stack: &str) -> (Vec<Answer>, Vec<rustls::pki_types::CertificateDer<'static>>) {
    let site = Site::start(stack);
    let client = Client::connect(stack, site.at).await;
    let mut answers = Vec::new();
    for (method, path) in ASKED {
        answers.push(client.fetch(method, path).await);
    }
    let chain = client.chain();
    let served = site.stop().await;
    let kinds: Vec<_> = served.requests.iter().map(|request| request.kind).collect();
    use Kind::{Exact, Inexact, Miss};
    assert_eq!(kinds, [Exact, Exact, Inexact, Miss, Exact, Exact, Exact], "{stack}");
    (answers, chain)
}

#[tokio::test]
async fn both_arms_send_the_same_status_header_body_and_certificates() {
    let tcp = ask_all("TCP+").await;
    let mut quic = ask_all("QUIC").await;
    // Chromium holds requests back where it does not know that a server obeys priorities; over TCP, ALPN tells it.
    for answer in &mut quic.0 {
        assert!(answer.headers.remove("alt-svc").is_some());
    }
    assert_eq!(tcp, quic);
    let (answers, chain) = tcp;
    let seen: Vec<_> = answers.iter().map(|answer| (answer.status, answer.body.len())).collect();
    assert_eq!(seen, [(200, 20_000), (301, 0), (200, 10), (404, 13), (200, 0), (204, 0), (200, BIG_BYTES)]);
    assert_eq!(answers[0].body, pattern(1, 20_000));
    assert_eq!(answers[6].body, pattern(1, BIG_BYTES));
    assert_eq!(answers[0].headers["content-security-policy"], "upgrade-insecure-requests");
    assert_eq!(answers[1].headers["location"], "https://a.test/");
    assert!(!answers[0].headers.contains_key("strict-transport-security"));
    assert_eq!(chain.len(), 2);
}

#[tokio::test]
async fn what_a_client_uploads_is_taken_in() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        // More than the server lets a client send ahead.
        let (status, _, mut body) = client.begin("POST", "/list?page=1", pattern(9, 3_000_000)).await;
        assert_eq!(status, 200, "{stack}");
        assert_eq!(body.next().await, Some(pattern(2, 10)));
        assert_eq!(body.next().await, None);
        // The connection goes on.
        assert_eq!(client.fetch("GET", "/big2").await.body, pattern(2, BIG_BYTES), "{stack}");
        drop(client);
        assert_eq!(site.stop().await.requests.len(), 2);
    }
}

#[tokio::test]
async fn every_recorded_port_is_listened_on() {
    for stack in ["TCP+", "QUIC"] {
        // Free a moment ago; nobody else takes it while the tests take turns.
        let other = std::net::UdpSocket::bind("127.77.1.1:0").expect("a port").local_addr().expect("an address");
        let site = Site::start_at(stack, other.port());
        for at in [site.at, other] {
            let client = Client::connect(stack, at).await;
            assert_eq!(client.fetch("GET", "/small3").await.body, pattern(3, 500), "{stack} at {at}");
        }
        let addresses: Vec<_> = site.stop().await.connections.iter().map(|connection| connection.address).collect();
        assert_eq!(addresses[1], other, "{stack}");
    }
}

#[tokio::test]
async fn a_request_waits_for_its_body_which_decides_its_answer() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        for (asked, answered) in [(&b"a=2"[..], pattern(2, 32)), (b"a=1", pattern(1, 31)), (b"a=3", pattern(1, 31))] {
            let (status, _, mut body) = client.begin("POST", "/api", Bytes::from_static(asked)).await;
            assert_eq!((status, body.next().await), (200, Some(answered)), "{stack}");
        }
        drop(client);
        let kinds: Vec<_> = site.stop().await.requests.iter().map(|request| request.kind).collect();
        assert_eq!(kinds, [Kind::Exact, Kind::Exact, Kind::Inexact], "{stack}");
    }
}

#[tokio::test]
async fn more_requests_than_streams_at_once_are_all_answered() {
    for stack in ["TCP+", "QUIC"] {
        let site = Site::start(stack);
        let client = Client::connect(stack, site.at).await;
        // After this the client knows the server's limit.
        client.fetch("GET", "/").await;
        let mut fetches = tokio::task::JoinSet::new();
        let client = Arc::new(client);
        for n in 0..150_u8 {
            let client = Arc::clone(&client);
            fetches.spawn(async move { (n, client.fetch("GET", &format!("/small{n}")).await.body) });
        }
        let mut bodies = 0;
        while let Some(fetched) = fetches.join_next().await {
            let (n, body): (u8, Bytes) = fetched.expect("no panic");
            assert_eq!(body, pattern(n, 500), "{stack}");
            bodies += 1;
        }
        assert_eq!(bodies, 150);
        assert_eq!(site.stop().await.counts[&Kind::Exact], 151, "{stack}");
    }
}

#[tokio::test]
async fn the_announcement_leads_a_browser_to_the_servers_and_their_key() {
    let site = Site::start("TCP+");
    let chain = Client::connect("TCP+", site.at).await.chain();
    let announced = serde_json::to_value(&site.announcement).expect("plain values");
    assert_eq!(announced["hosts"], serde_json::json!({"a.test": "127.77.1.1"}));
    assert_eq!(announced["addresses"], serde_json::json!(["127.77.1.1"]));
    assert_eq!(announced["port"], site.at.port());
    assert_eq!(announced["start_url"], "https://a.test/");
    // RFC 5480: the SubjectPublicKeyInfo of an uncompressed P-256 key is this and 65 bytes.
    const PREFIX: [u8; 26] =
        *b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00";
    let leaf: &[u8] = &chain[0];
    let start = leaf.windows(PREFIX.len()).position(|window| window == PREFIX).expect("a P-256 key");
    let digest: [u8; 32] = Sha256::digest(&leaf[start..start + PREFIX.len() + 65]).into();
    assert_eq!(decoded(&site.announcement.spki)[..32], digest);
    site.stop().await;
}

/// Base64 undone; padding becomes zeros.
fn decoded(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits: Vec<usize> = text.chars().map(|digit| ALPHABET.find(digit).unwrap_or(0)).collect();
    let words = digits.chunks(4).map(|group| group.iter().fold(0_usize, |word, digit| word << 6 | digit));
    words.flat_map(|word| [(word >> 16) as u8, (word >> 8) as u8, word as u8]).collect()
}
