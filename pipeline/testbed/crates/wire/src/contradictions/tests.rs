//! Values at the bounds. That real faults are found out is tested in `tests/it/wire.rs`.

use super::super::flight::FirstFlight;
use super::super::flows::Traffic;
use super::super::packet::tests::{CLIENT, SERVER};
use super::*;
use eyelevel_definitions::stacks;

const RTT_MS: f64 = 100.0;
const CONNECTION: Connection = Connection {
    address: String::new(),
    peer: None,
    alpn: None,
    tls: None,
    resumed: None,
    hello_retried: None,
    at_open: None,
    at_close: None,
    requests: 0,
    alt_svc_answers: None,
};

/// With a first flight of full packets.
fn flow(transport: &'static str, round_trips: u32, packets: u64, spread_ms: f64) -> Flow {
    let full_bytes = if transport == "tcp" { TCP_PAYLOAD_BYTES } else { UDP_PAYLOAD_BYTES };
    let traffic = Traffic { data_packets: 5, ..Traffic::default() };
    Flow {
        client: CLIENT,
        server: SERVER,
        transport,
        begun_ms: 0.0,
        handshake_round_trips: Some(round_trips),
        handshake_packets: 3,
        first_flight: Some(FirstFlight { packets, bytes: packets * full_bytes, spread_ms, burst_packets: 1 }),
        early_data_packets: 0,
        syn_data_bytes: None,
        resumed: None,
        down: traffic.clone(),
        up: traffic,
    }
}

fn sentences_of(stack: &str, flows: &[Flow], server: Option<&ServerPart>, untouched: &Kernel) -> Vec<String> {
    let evidence = Evidence { flows, server, untouched, rtt_ms: Some(RTT_MS) };
    contradictions(stacks::find(stack).expect("a known stack"), &evidence)
}

fn sentences(stack: &str, flow: Flow) -> Vec<String> {
    sentences_of(stack, &[flow], None, &Kernel::default())
}

fn server_sentences(stack: &str, connection: Connection, kernel: Kernel, untouched: &Kernel) -> Vec<String> {
    sentences_of(stack, &[], Some(&ServerPart { connections: vec![connection], kernel }), untouched)
}

#[test]
fn what_a_definition_says_is_not_contradicted() {
    assert_eq!(sentences("TCP+", flow("tcp", 2, 32, 40.0)), [""; 0]);
    assert_eq!(sentences("QUIC", flow("quic", 1, 32, 40.0)), [""; 0]);
    assert_eq!(sentences("TCP", flow("tcp", 2, 10, 0.1)), [""; 0]);
}

#[test]
fn unknown_contradicts_nothing() {
    let unknown = Flow { handshake_round_trips: None, first_flight: None, ..flow("tcp", 0, 0, 0.0) };
    assert_eq!(sentences("TCP+", unknown), [""; 0]);
    let connection = Connection { at_open: Some(InForce::default()), ..CONNECTION };
    assert_eq!(server_sentences("TCP+", connection, Kernel::default(), &Kernel::default()), [""; 0]);
    let evidence =
        Evidence { flows: &[flow("tcp", 2, 90, 0.0)], server: None, untouched: &Kernel::default(), rtt_ms: None };
    assert_eq!(contradictions(stacks::find("TCP+").expect("known"), &evidence), [""; 0]);
}

#[test]
fn a_small_or_slow_flight_is_none_that_contradicts() {
    assert_eq!(sentences("TCP+", flow("tcp", 2, 1, 0.0)), [""; 0]);
    assert_eq!(sentences("TCP+", flow("tcp", 2, JUDGED_PACKETS - 1, 0.1)), [""; 0]);
    assert_eq!(sentences("TCP+", flow("tcp", 2, 12, 99.0)), [""; 0]);
    // Small packets of small responses fill neither a window nor the time.
    let small = FirstFlight { packets: 60, bytes: 60 * 300, spread_ms: 1.0, burst_packets: 60 };
    assert_eq!(sentences("QUIC", Flow { first_flight: Some(small), ..flow("quic", 1, 0, 0.0) }), [""; 0]);
    // The handshake's packets may have grown the window.
    assert_eq!(sentences("TCP+", flow("tcp", 2, 37, 40.0)), [""; 0]);
}

#[test]
fn a_flight_beyond_the_window_or_within_a_moment_contradicts() {
    let larger = "stack TCP+ starts with a window of 32 packets, but the first flight to 10.0.0.1:5000 has 55024 bytes, above 53576";
    assert_eq!(sentences("TCP+", flow("tcp", 2, 38, 40.0)), [larger]);
    let burst = "stack QUIC is paced, but 29440 bytes of the first flight to 10.0.0.1:5000 left within 4.9 ms, which takes at least 5.0 ms";
    assert_eq!(sentences("QUIC", flow("quic", 1, JUDGED_PACKETS, 4.9)), [burst]);
}

#[test]
fn another_number_of_round_trips_contradicts() {
    let more = "stack QUIC takes 1 round trip(s) before the request, but the connection from 10.0.0.1:5000 took 2";
    assert_eq!(sentences("QUIC", flow("quic", 2, 1, 0.0)), [more]);
    let fewer = "stack TCP takes 2 round trip(s) before the request, but the connection from 10.0.0.1:5000 took 1";
    assert_eq!(sentences("TCP", flow("tcp", 1, 1, 0.0)), [fewer]);
}

#[test]
fn a_server_that_asks_for_another_hello_contradicts() {
    let connection = Connection { peer: Some("10.0.0.1:5000".to_owned()), hello_retried: Some(true), ..CONNECTION };
    let sentence = "stack QUIC takes the first ClientHello, but the server asked 10.0.0.1:5000 for another";
    assert_eq!(server_sentences("QUIC", connection, Kernel::default(), &Kernel::default()), [sentence]);
}

#[test]
fn quic_that_is_to_be_discovered_has_to_be_told_of() {
    let answered = |alt_svc_answers| Connection {
        peer: Some("10.0.0.1:5000".to_owned()),
        alpn: Some("h2".to_owned()),
        requests: 3,
        alt_svc_answers: Some(alt_svc_answers),
        ..CONNECTION
    };
    let sentences = |answers| server_sentences("QUIC+ALTSVC", answered(answers), Kernel::default(), &Kernel::default());
    let sentence = "stack QUIC+ALTSVC announces QUIC over TCP, but none of the 3 answer(s) to 10.0.0.1:5000 did";
    assert_eq!(sentences(0), [sentence]);
    assert_eq!(sentences(3), [""; 0]);
}

#[test]
fn each_side_of_a_stack_is_judged_by_its_own_settings() {
    let stack = "QUIC+ALTSVC-STOCK";
    assert_eq!(sentences(stack, flow("tcp", 2, 10, 0.1)), [""; 0]);
    assert_eq!(sentences(stack, flow("quic", 1, 32, 40.0)), [""; 0]);
    // Of 10 packets, 3 of the handshake and 2 odd ones.
    let larger = "stack QUIC+ALTSVC-STOCK starts with a window of 10 packets, but the first flight to 10.0.0.1:5000 has 23168 bytes, above 21720";
    assert_eq!(sentences(stack, flow("tcp", 2, 16, 40.0)), [larger]);
    let opened = |alpn: Option<&str>, packets| {
        let in_force = InForce { initial_window_packets: Some(packets), ..InForce::default() };
        let connection = Connection {
            peer: Some("10.0.0.1:5000".to_owned()),
            alpn: alpn.map(str::to_owned),
            at_open: Some(in_force),
            ..CONNECTION
        };
        server_sentences(stack, connection, Kernel::default(), &Kernel::default())
    };
    assert_eq!((opened(Some("h2"), 10), opened(Some("h3"), 32)), (vec![], vec![]));
    let sentence = |wanted, seen| {
        format!(
            "stack QUIC+ALTSVC-STOCK has the initial window {wanted}, but the connection to 10.0.0.1:5000 had {seen}"
        )
    };
    assert_eq!(opened(Some("h2"), 32), [sentence(10, 32)]);
    assert_eq!(opened(Some("h3"), 10), [sentence(32, 10)]);
    // Dropped before its handshake was over: by TCP.
    assert_eq!(opened(None, 10), [""; 0]);
    assert_eq!(opened(None, 32), [sentence(10, 32)]);
}

#[test]
fn a_resumed_session_contradicts_a_stack_without_tickets_alone() {
    let flow = || Flow { resumed: Some(true), ..flow("tcp", 2, 10, 30.0) };
    let sentence = "stack TCP+ resumes no session, but the connection from 10.0.0.1:5000 was resumed";
    assert_eq!(sentences("TCP+", flow()), [sentence]);
    assert_eq!(sentences("TCP+TICKETS", flow()), [""; 0]);
    let connection = || Connection { peer: Some("10.0.0.1:5000".to_owned()), resumed: Some(true), ..CONNECTION };
    let by_server = |stack| server_sentences(stack, connection(), Kernel::default(), &Kernel::default());
    assert_eq!(by_server("QUIC"), ["stack QUIC resumes no session, but the server resumed one for 10.0.0.1:5000"]);
    assert_eq!(by_server("QUIC+TICKETS"), [""; 0]);
    // Data before the handshake is over is another matter.
    let early = Flow { early_data_packets: 2, ..flow() };
    let sentence = "stack TCP+TICKETS sends no early data, but 2 packets from 10.0.0.1:5000 held some";
    assert_eq!(sentences("TCP+TICKETS", early), [sentence]);
}

#[test]
fn fast_open_contradicts() {
    let opened = Flow { syn_data_bytes: Some(9), ..flow("tcp", 2, 1, 0.0) };
    let sentence = "stack TCP opens without TCP Fast Open, but the SYN from 10.0.0.1:5000 held 9 bytes";
    assert_eq!(sentences("TCP", opened), [sentence]);
}

#[test]
fn another_transport_contradicts_as_soon_as_it_carries_data() {
    let sentence = "stack QUIC is carried by quic, but 10 packets with data went over tcp, first between 10.0.0.1:5000 and 192.0.2.80:443";
    assert_eq!(sentences("QUIC", flow("tcp", 2, 10, 0.0)), [sentence]);
    let empty = Traffic::default();
    let refused = Flow { down: empty.clone(), up: empty, ..flow("tcp", 2, 10, 0.0) };
    assert_eq!(sentences("QUIC", refused), [""; 0]);
    assert_eq!(sentences("TCP", flow("udp", 2, 10, 0.0)), [""; 0]);
}

#[test]
fn stock_buffers_are_those_that_nobody_has_touched() {
    let stock = |largest| Kernel { tcp_wmem_bytes: Some([4096, 16_384, largest]), ..Kernel::default() };
    assert_eq!(server_sentences("TCP", CONNECTION, stock(4_194_304), &stock(4_194_304)), [""; 0]);
    let sentence = "stack TCP has tcp_wmem 4096 16384 4194304, but the servers' kernel has 4096 16384 9";
    assert_eq!(server_sentences("TCP", CONNECTION, stock(9), &stock(4_194_304)), [sentence]);
}

#[test]
fn a_socket_that_is_paced_though_its_stack_is_not_contradicts() {
    let in_force = InForce { pacing: Some(true), ..InForce::default() };
    let connection = Connection { peer: Some("10.0.0.1:5000".to_owned()), at_open: Some(in_force), ..CONNECTION };
    let sentence = "stack TCP is not paced, but the connection to 10.0.0.1:5000 was";
    assert_eq!(server_sentences("TCP", connection, Kernel::default(), &Kernel::default()), [sentence]);
}
