//! Both arms answer alike.

use std::sync::Arc;

use bytes::Bytes;
use eyelevel_testbed::replay::Kind;

use crate::client::{Answer, Client};
use crate::site::{BIG_BYTES, Site, pattern};

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
    let quic = ask_all("QUIC").await;
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
