//! What the emulated link does to packets, measured from inside with probes that need no server: a closed port answers, too.

mod run_support;

use std::io::{ErrorKind, Write};
use std::net::{TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use eyelevel_testbed::emulate::loss::Draws;
use eyelevel_testbed::networks;
use run_support::{ADDRESS, Finished, Plan, can_make_namespaces};

/// The tests run this very binary as the command, with a probe to do.
const PROBE: &str = "EYELEVEL_TEST_PROBE";
const CLOSED_PORT: u16 = 9;

fn run(stack: &str, network: &str, seed: u64, probe: &str) -> Finished {
    let this = std::env::current_exe().unwrap();
    let setting = format!("{PROBE}={probe}");
    let command = ["env", &setting, this.to_str().unwrap(), "--exact", "probe", "--nocapture"];
    let run = Plan::new(stack, network, seed, &command).finish();
    assert_eq!(run.status.code(), Some(0), "{}{}", run.stdout, run.stderr);
    run
}

/// Not a test of its own: what `run` above does inside.
#[test]
fn probe() {
    let Ok(probe) = std::env::var(PROBE) else { return };
    match probe.as_str() {
        "round trips" => round_trips(),
        "burst" => datagrams(100, 1472, Duration::ZERO),
        "trickle" => datagrams(400, 20, Duration::from_millis(2)),
        "upload" => upload(),
        other => panic!("no probe {other}"),
    }
}

/// A refused connection takes one round trip of small packets.
fn round_trips() {
    for _ in 0..10 {
        let start = Instant::now();
        let refused = TcpStream::connect((ADDRESS, CLOSED_PORT)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        println!("ms {}", start.elapsed().as_secs_f64() * 1e3);
    }
}

fn datagrams(count: usize, bytes: usize, pause: Duration) {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    for _ in 0..count {
        // Unconnected, so the answers of the closed port do not turn into errors here.
        assert_eq!(socket.send_to(&vec![0; bytes], (ADDRESS, CLOSED_PORT)).unwrap(), bytes);
        std::thread::sleep(pause);
    }
    std::thread::sleep(Duration::from_millis(1500));
}

/// More than a first flight in one write, which offloads would put on the link as one packet.
fn upload() {
    let mut server = TcpStream::connect((ADDRESS, 443)).unwrap();
    let _ = server.write_all(&[0; 200_000]);
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn a_round_trip_takes_what_the_network_says() {
    if !can_make_namespaces() {
        return;
    }
    for name in ["DSL", "LTE", "MSS"] {
        // A packet that was lost and sent again would stand for more than the round trip.
        let run = run("QUIC", name, seed_without_loss(name, 10), "round trips");
        let mut times: Vec<f64> =
            run.stdout.lines().filter_map(|line| line.strip_prefix("ms ")?.parse().ok()).collect();
        times.sort_by(f64::total_cmp);
        assert_eq!(times.len(), 10, "{}", run.stdout);
        let nominal = networks::find(name).unwrap().rtt_ms;
        // Nobody is early; 3 ms are for a busy machine, on which the probe itself may have to wait.
        assert!((nominal..nominal + 3.0).contains(&times[0]), "{name}: {times:?}");
    }
}

fn seed_without_loss(network: &str, packets: usize) -> u64 {
    let loss = networks::find(network).unwrap().loss_per_direction();
    let lossless = |seed: &u64| {
        ["up", "down"].iter().all(|direction| {
            let mut draws = Draws::new(*seed, direction, loss);
            !(0..packets).any(|_| draws.lost())
        })
    };
    (1..).find(lossless).unwrap()
}

#[test]
fn a_burst_leaves_what_the_queue_holds() {
    if !can_make_namespaces() {
        return;
    }
    let run = run("QUIC", "DA2GC", seed_without_loss("DA2GC", 100), "burst");
    let up = &run.report.unwrap()["link"]["up"];
    assert_eq!(up["packets"], 100);
    // 11700 bytes are seven packets of 1500, besides the one on the wire; another leaves each 26 ms that the burst takes.
    let forwarded = up["forwarded_packets"].as_u64().unwrap();
    assert!((8..=12).contains(&forwarded), "{up}");
    assert_eq!(up["drops_queue"].as_u64().unwrap() + forwarded, 100, "{up}");
    assert_eq!(up["forwarded_bytes"].as_u64().unwrap(), forwarded * 1500);
}

#[test]
fn exactly_as_many_packets_are_lost_as_the_seed_says() {
    if !can_make_namespaces() {
        return;
    }
    for seed in [1, 2] {
        let run = run("QUIC", "MSS", seed, "trickle");
        let mut draws = Draws::new(seed, "up", networks::find("MSS").unwrap().loss_per_direction());
        let expected = (0..400).filter(|_| draws.lost()).count();
        let link = &run.report.unwrap()["link"];
        assert_eq!(link["up"]["packets"], 400);
        assert_eq!(link["up"]["drops_loss"], expected, "{link}");
    }
}

#[test]
fn no_packet_on_the_link_is_larger_than_the_mtu() {
    if !can_make_namespaces() {
        return;
    }
    let run = run("TCP+", "DSL", 1, "upload");
    let up = &run.report.unwrap()["link"]["up"];
    // A first flight of ten packets at least.
    assert!(up["bytes"].as_u64().unwrap() > 10_000, "{up}");
    assert_eq!(up["oversized"], 0);
    assert_eq!(up["drops_emulation"], 0);
}
