//! One connection over a pipe that takes few bytes at a time, as a kernel with little unsent data does.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

use super::super::log::Log;
use super::super::shared::Shared;
use super::{connection, http1};
use eyelevel_replay::matching::Replay;
use eyelevel_replay::recording::{Recording, Response};
use eyelevel_replay::request_body::BodyDigest;
use eyelevel_replay::volatile::Volatile;
use eyelevel_scheduling::{CHUNK_BYTES, SchedulerKind, Scheduling};

const PIPE_BYTES: usize = 4096;
const BIG_BYTES: usize = 400_000;

fn response(path: &str, bytes: usize) -> Response {
    Response {
        url: format!("https://a.test{path}").parse().expect("a URL"),
        method: "GET".to_owned(),
        status: 200,
        headers: HeaderMap::new(),
        body: vec![7; bytes].into(),
        address: None,
        asked_body: Some(BodyDigest::empty()),
        asked_range: None,
    }
}

/// The client's end of a connection to a server of one big and one small response.
fn serve() -> (DuplexStream, Arc<Shared>) {
    let post = |bytes: usize, asked: &[u8]| Response {
        method: "POST".to_owned(),
        asked_body: Some(BodyDigest::of(asked)),
        ..response("/api", bytes)
    };
    let responses = vec![response("/big", BIG_BYTES), response("/small", 10), post(1, b"a=1"), post(2, b"a=2")];
    let recording = Recording { responses, ..Recording::default() };
    let shared = Arc::new(Shared {
        replay: Replay::sent_at(&recording, Volatile::default(), std::time::SystemTime::now()),
        turns: Mutex::default(),
        scheduling: Scheduling { kind: SchedulerKind::RoundRobin, ..Scheduling::default() },
        log: Log::new(Instant::now()),
        alt_svc: false,
        series: false,
    });
    let (client, server, number) = pipe(&shared);
    tokio::spawn({
        let shared = Arc::clone(&shared);
        async move { connection::run(server, number, &shared).await }
    });
    (client, shared)
}

fn pipe(shared: &Shared) -> (DuplexStream, DuplexStream, usize) {
    let (client, server) = tokio::io::duplex(PIPE_BYTES);
    let number = shared.log.opened(([127, 0, 0, 1], 443).into(), ([127, 0, 0, 1], 5000).into());
    (client, server, number)
}

#[tokio::test]
async fn over_http_1_a_request_is_answered_by_the_body_that_follows_its_head() {
    let (_, shared) = serve();
    let (mut client, server, number) = pipe(&shared);
    let serving = tokio::spawn({
        let shared = Arc::clone(&shared);
        async move { http1::run(server, number, &shared).await }
    });
    let head = "POST /api HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n";
    // The body of the first comes apart from its head; that of the second ends the connection's requests.
    client.write_all(format!("{head}\r\na=").as_bytes()).await.expect("a pipe");
    tokio::task::yield_now().await;
    client.write_all(format!("2{head}Connection: close\r\n\r\na=1").as_bytes()).await.expect("a pipe");
    let mut answers = String::new();
    client.read_to_string(&mut answers).await.expect("two answers");
    serving.await.expect("no panic").expect("an orderly end");
    let sizes: Vec<_> = answers.split("content-length: ").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(sizes, ["2", "1"], "{answers}");
}

/// A client whose flow control never holds the server back.
async fn connect(pipe: DuplexStream) -> (h2::client::SendRequest<Bytes>, h2::client::Connection<DuplexStream, Bytes>) {
    let windows = 1 << 20;
    h2::client::Builder::new()
        .initial_window_size(windows)
        .initial_connection_window_size(windows)
        .handshake(pipe)
        .await
        .expect("HTTP/2")
}

fn get(path: &str) -> Request<()> {
    Request::get(format!("https://a.test{path}")).body(()).expect("a request")
}

/// Bytes of a body, taken in as they come, until `enough`.
async fn take(body: &mut h2::RecvStream, enough: usize) -> usize {
    let mut taken = 0;
    while taken < enough {
        let Some(data) = body.data().await else { break };
        let data: Bytes = data.expect("a whole body");
        body.flow_control().release_capacity(data.len()).expect("an open stream");
        taken += data.len();
    }
    taken
}

#[tokio::test]
async fn what_the_pipe_has_not_taken_is_still_undecided() {
    let (pipe, shared) = serve();
    let (requests, connection) = connect(pipe).await;
    tokio::spawn(connection);
    let mut requests = requests.ready().await.expect("an open connection");
    let (big, _) = requests.send_request(get("/big"), true).expect("a stream");
    let mut big = big.await.expect("a response").into_body();
    let before = take(&mut big, 50_000).await;
    let (small, _) = requests.send_request(get("/small"), true).expect("a stream");
    let mut small = small.await.expect("a response").into_body();
    assert_eq!(take(&mut small, 10).await, 10);
    // The client reads on while the request travels, so the log tells: what had been handed over when it came, and after it.
    let served = shared.log.served(Vec::new());
    let handed_over = usize::try_from(served.connections[0].body_bytes_sent).expect("small");
    assert!(handed_over < BIG_BYTES, "all {handed_over} bytes were decided before the small response");
    assert!(served.requests[1].handed_over_ms.is_some());
    assert!(served.requests[0].handed_over_ms.is_none());
    assert_eq!(before + take(&mut big, BIG_BYTES).await, BIG_BYTES);
}

#[tokio::test]
async fn a_client_that_does_not_read_leaves_all_but_one_chunk_undecided() {
    let (pipe, shared) = serve();
    let (requests, mut connection) = connect(pipe).await;
    let mut requests = requests.ready().await.expect("an open connection");
    let (big, _) = requests.send_request(get("/big"), true).expect("a stream");
    // Until the head is there; then the client's side of the pipe stands still.
    let mut big = Box::pin(big);
    tokio::select! {
        _ = &mut connection => panic!("the connection ended"),
        response = &mut big => drop(response.expect("a response")),
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let first = shared.log.served(Vec::new()).connections[0].body_bytes_sent;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(shared.log.served(Vec::new()).connections[0].body_bytes_sent, first);
    // One chunk waits in the pipe, one above it; the client has taken in a few besides.
    assert!(first <= 6 * CHUNK_BYTES as u64, "{first} bytes decided ahead");
}
