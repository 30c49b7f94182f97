//! The first flight of a response on the wire, both arms by the same code: a command behind a long, wide link asks for a page and has
//! the kernel time every packet that comes.

use std::io::IoSliceMut;
use std::os::fd::AsRawFd;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::client::Client;
use crate::support::{ADDRESS, TESTBED, lower_quartile, recording_of, turn_with_namespaces};
use nix::sys::socket::{
    AddressFamily, ControlMessageOwned, MsgFlags, SockFlag, SockProtocol, SockType, recvmsg, setsockopt, socket,
    sockopt,
};
use nix::sys::time::{TimeSpec, TimeVal};

const STACK: &str = "EYELEVEL_TEST_FIRST_FLIGHT";
const RTT_MS: f64 = 100.0;
/// Several first flights.
const PAGE_BYTES: usize = 400_000;
/// No acknowledgement or control frame is as large, and no packet of a response as small.
const LEAST_PACKET_BYTES: usize = 200;

#[derive(Debug, Clone, Copy)]
struct Flight {
    packets: usize,
    /// From the first packet to the last.
    spread_ms: f64,
    /// Most packets within a millisecond.
    burst: usize,
}

/// All that came before the first acknowledgement could have mattered; times in ms, ascending.
fn first_flight(arrivals: &[f64]) -> Flight {
    let first = *arrivals.first().expect("a response");
    let flight: Vec<f64> = arrivals.iter().copied().take_while(|at| at - first < 0.95 * RTT_MS).collect();
    let within_a_ms = |at: &f64| flight.iter().filter(|other| (*at..*at + 1.0).contains(*other)).count();
    Flight {
        packets: flight.len(),
        spread_ms: flight[flight.len() - 1] - first,
        burst: flight.iter().map(within_a_ms).max().expect("a first one"),
    }
}

/// The first flights of so many runs, by their spread.
fn measure(stack: &str, runs: u32) -> Vec<Flight> {
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("long.json");
    let definition = serde_json::json!({
        "name": "long", "up_mbps": 1000.0, "down_mbps": 1000.0, "rtt_ms": RTT_MS, "loss": 0.0, "queue_ms": 100.0
    });
    std::fs::write(&network, definition.to_string()).unwrap();
    let recording = recording_of(&folder, "a.test", &"A page. ".repeat(PAGE_BYTES / 8));
    let of_run = |seed: u32| {
        let output = Command::new(TESTBED)
            .args(["run", "--stack", stack, "--seed", &seed.to_string(), "--network-file"])
            .arg(&network)
            .arg("--recording")
            .arg(&recording)
            .args(["--", "env", &format!("{STACK}={stack}")])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "first_flight::probe", "--nocapture"])
            .output()
            .unwrap();
        let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{said}{errors}");
        let arrivals: Vec<f64> =
            said.lines().filter_map(|line| line.strip_prefix("ms ")).map(|at| at.parse().unwrap()).collect();
        first_flight(&arrivals)
    };
    let mut flights: Vec<Flight> = (1..=runs).map(of_run).collect();
    flights.sort_by(|a, b| a.spread_ms.total_cmp(&b.spread_ms));
    println!("{stack}: {flights:?}");
    flights
}

/// Not a test of its own: what `measure` runs inside.
#[test]
fn probe() {
    let Ok(stack) = std::env::var(STACK) else { return };
    let done = Arc::new(AtomicBool::new(false));
    let watching = watch(&done);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let asked = runtime.block_on(async {
        let server = format!("{ADDRESS}:443").parse().unwrap();
        let client = Client::connect_with(&stack, server, 4 << 20).await;
        // What belongs to the handshake is over by then.
        tokio::time::sleep(Duration::from_millis(400)).await;
        let asked = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        assert_eq!(client.fetch("GET", "/").await.body.len(), PAGE_BYTES);
        asked
    });
    done.store(true, Ordering::Relaxed);
    for at in watching.join().unwrap() {
        if let Some(after) = at.checked_sub(asked) {
            println!("ms {}", after.as_secs_f64() * 1e3);
        }
    }
}

/// Times of arrival, by the kernel's clock, of the server's packets that carry something.
fn watch(done: &Arc<AtomicBool>) -> std::thread::JoinHandle<Vec<Duration>> {
    let packets =
        socket(AddressFamily::Packet, SockType::Datagram, SockFlag::SOCK_CLOEXEC, SockProtocol::EthAll).unwrap();
    setsockopt(&packets, sockopt::ReceiveTimestampns, &true).unwrap();
    setsockopt(&packets, sockopt::ReceiveTimeout, &TimeVal::new(0, 50_000)).unwrap();
    let server = ADDRESS.parse::<std::net::Ipv4Addr>().unwrap().octets();
    let done = Arc::clone(done);
    std::thread::spawn(move || {
        let mut arrivals = Vec::new();
        let (mut header, mut control) = ([0; 20], nix::cmsg_space!(TimeSpec));
        while !done.load(Ordering::Relaxed) {
            let mut parts = [IoSliceMut::new(&mut header)];
            let Ok(message) = recvmsg::<()>(packets.as_raw_fd(), &mut parts, Some(&mut control), MsgFlags::empty())
            else {
                continue;
            };
            let time = message.cmsgs().unwrap().find_map(|part| match part {
                ControlMessageOwned::ScmTimestampns(at) => Some(Duration::from(at)),
                _ => None,
            });
            let packet_bytes = usize::from(u16::from_be_bytes([header[2], header[3]]));
            if header[12..16] == server && packet_bytes >= LEAST_PACKET_BYTES {
                arrivals.push(time.expect("the kernel's time"));
            }
        }
        arrivals
    })
}

/// The window bounds what leaves first, however busy the machine is; it can only be less, and later.
#[test]
fn no_stack_sends_more_than_its_window_first_and_a_larger_window_is_used() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let [stock, tuned, quic] = ["TCP", "TCP+", "QUIC"].map(|stack| measure(stack, 1)[0].packets);
    assert!(stock <= 10, "TCP: {stock}");
    assert!((stock + 1..=33).contains(&tuned), "TCP+: {tuned}");
    assert!((stock + 1..=33).contains(&quic), "QUIC: {quic}");
}

const SOAK_RUNS: u32 = 15;

fn median(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values[values.len() / 2]
}

fn packets(flights: &[Flight]) -> usize {
    median(flights.iter().map(|flight| flight.packets).collect())
}

/// Of a flight that is paced: a busy machine bunches packets.
fn burst(flights: &[Flight]) -> usize {
    lower_quartile(flights.iter().map(|flight| flight.burst).collect())
}

#[test]
#[ignore = "soak: medians of 15 runs for each stack"]
fn paced_stacks_send_32_packets_first_and_spread_them_over_the_round_trip() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for stack in ["TCP+", "QUIC"] {
        // At twice the window a round trip it takes half of one, less what may go at once: for Linux the first ten packets of a
        // connection, two of them in the handshake; for QUIC 10 ms at that rate, six packets.
        let flights = measure(stack, SOAK_RUNS);
        let spread_ms = flights[flights.len() / 2].spread_ms;
        assert!((31..=33).contains(&packets(&flights)), "{stack}: {flights:?}");
        assert!((25.0..=60.0).contains(&spread_ms), "{stack}: {flights:?}");
        assert!(burst(&flights) <= 8, "{stack}: {flights:?}");
    }
}

/// The stack that is not paced shows that the test above would see it.
#[test]
#[ignore = "soak: medians of 15 runs"]
fn stock_tcp_sends_its_ten_packets_at_once() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let flights = measure("TCP", SOAK_RUNS);
    assert_eq!(packets(&flights), 10, "{flights:?}");
    assert!(flights[flights.len() / 4].spread_ms < 10.0, "{flights:?}");
}
