//! What the emulated link does to packets, measured from inside with probes that need no server: a closed port answers, too.

use std::io::{ErrorKind, Write};
use std::net::{TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use crate::support::{ADDRESS, Finished, Plan, shared_turn_with_namespaces, turn_with_namespaces};
use eyelevel_definitions::networks;
use eyelevel_testbed::emulate::loss::Draws;

/// The tests run this very binary as the command, with a probe to do.
const PROBE: &str = "EYELEVEL_TEST_PROBE";
const CLOSED_PORT: u16 = 9;
const NUMBERED: u32 = 400;

fn run(stack: &str, network: &str, seed: u64, probe: &str) -> Finished {
    let this = std::env::current_exe().unwrap();
    let setting = format!("{PROBE}={probe}");
    let command = ["env", &setting, this.to_str().unwrap(), "--exact", "link::probe", "--nocapture"];
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
        "burst" => burst(100),
        "numbers" => numbers(),
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

fn burst(count: usize) {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let start = Instant::now();
    for _ in 0..count {
        // Unconnected, so the answers of the closed port do not turn into errors here.
        assert_eq!(socket.send_to(&[0; 1472], (ADDRESS, CLOSED_PORT)).unwrap(), 1472);
    }
    println!("sent in {}", start.elapsed().as_secs_f64() * 1e3);
    std::thread::sleep(Duration::from_millis(1500));
}

/// Datagrams of a QUIC version that there is none of, each from a connection of its own whose name is its number: the server answers
/// each with a Version Negotiation packet to that name (RFC 8999, section 6). So every answer tells which one it is for.
fn numbers() {
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    socket.connect((ADDRESS, 443)).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
    let answers = socket.try_clone().unwrap();
    let reading = std::thread::spawn(move || {
        let (mut answer, mut numbers) = ([0; 1500], Vec::new());
        while let Ok(bytes) = answers.recv(&mut answer) {
            assert_eq!((&answer[1..5], answer[5]), (&[0; 4][..], 4), "{:?}", &answer[..bytes]);
            numbers.push(u32::from_be_bytes(answer[6..10].try_into().unwrap()));
        }
        numbers
    });
    for number in 0..NUMBERED {
        let mut datagram = vec![0xc0];
        datagram.extend(0x1a1a_1a1a_u32.to_be_bytes());
        datagram.extend([8, 1, 2, 3, 4, 5, 6, 7, 8, 4]);
        datagram.extend(number.to_be_bytes());
        datagram.resize(1200, 0);
        socket.send(&datagram).unwrap();
        // More than it is on the link, so that no queue drops any.
        std::thread::sleep(Duration::from_millis(7));
    }
    for number in reading.join().unwrap() {
        println!("answered {number}");
    }
}

/// More than a first flight in one write, which offloads would put on the link as one packet.
fn upload() {
    let mut server = TcpStream::connect((ADDRESS, 443)).unwrap();
    let _ = server.write_all(&[0; 200_000]);
    std::thread::sleep(Duration::from_millis(300));
}

#[test]
fn a_round_trip_takes_what_the_network_says() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for name in ["DSL", "LTE", "MSS"] {
        // A packet that was lost and sent again would stand for more than the round trip.
        let run = run("QUIC", name, seed_without_loss(name, 10), "round trips");
        let mut times: Vec<f64> =
            run.stdout.lines().filter_map(|line| line.strip_prefix("ms ")?.parse().ok()).collect();
        times.sort_by(f64::total_cmp);
        assert_eq!(times.len(), 10, "{}", run.stdout);
        let nominal = networks::find(name).unwrap().round_trip_ms();
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
    let Some(_turn) = turn_with_namespaces() else { return };
    let run = run("QUIC", "DA2GC", seed_without_loss("DA2GC", 100), "burst");
    let up = &run.report.unwrap()["link"]["up"];
    assert_eq!(up["packets"], 100);
    // 11700 bytes are seven packets of 1500, besides the one on the wire; another leaves each 25.6 ms that the sending takes.
    let sent_in_ms: f64 = run.stdout.lines().find_map(|line| line.strip_prefix("sent in ")?.parse().ok()).unwrap();
    let meanwhile = (sent_in_ms / 25.6) as u64;
    let forwarded = up["forwarded_packets"].as_u64().unwrap();
    assert!((8..=8 + meanwhile + 2).contains(&forwarded), "sent in {sent_in_ms} ms: {up}");
    assert_eq!(up["drops_queue"].as_u64().unwrap() + forwarded, 100, "{up}");
    assert_eq!(up["forwarded_bytes"].as_u64().unwrap(), forwarded * 1500);
}

#[test]
fn the_very_packets_are_lost_that_the_seed_says() {
    let Some(_turn) = shared_turn_with_namespaces() else { return };
    let loss = networks::find("MSS").unwrap().loss_per_direction();
    let lost = |seed, direction: &str, packets: u32| -> Vec<u32> {
        let mut draws = Draws::new(seed, direction, loss);
        (0..packets).filter(|_| draws.lost()).collect()
    };
    assert_ne!(lost(1, "up", NUMBERED), lost(2, "up", NUMBERED));
    for seed in [1, 2] {
        let run = run("QUIC", "MSS", seed, "numbers");
        let lost_up = lost(seed, "up", NUMBERED);
        let arrived: Vec<u32> = (0..NUMBERED).filter(|number| !lost_up.contains(number)).collect();
        // The answers are the only packets down, so the n-th of them is the n-th to draw.
        let lost_down = lost(seed, "down", arrived.len() as u32);
        let answered: Vec<u32> =
            (0..).zip(&arrived).filter(|(n, _)| !lost_down.contains(n)).map(|(_, at)| *at).collect();
        let link = &run.report.unwrap()["link"];
        assert_eq!(link["up"]["packets"], NUMBERED, "{link}");
        assert_eq!(link["up"]["drops_queue"], 0, "{link}");
        assert_eq!(link["up"]["drops_loss"], lost_up.len(), "{link}");
        assert_eq!(link["down"]["drops_loss"], lost_down.len(), "{link}");
        let came: Vec<u32> =
            run.stdout.lines().filter_map(|line| line.strip_prefix("answered ")?.parse().ok()).collect();
        assert_eq!(came, answered, "seed {seed}");
    }
}

#[test]
fn no_packet_on_the_link_is_larger_than_the_mtu() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let run = run("TCP+", "DSL", 1, "upload");
    let up = &run.report.unwrap()["link"]["up"];
    // A first flight of ten packets at least.
    assert!(up["bytes"].as_u64().unwrap() > 10_000, "{up}");
    assert_eq!(up["oversized"], 0);
    assert_eq!(up["drops_emulation"], 0);
}
