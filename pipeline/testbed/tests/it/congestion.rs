//! Congestion control on the wire: a large download by the kernel's control over TCP and by ours over QUIC, through the same links.
//! (The first flight of each is timed in `first_flight`.)

use std::process::Command;

use crate::client::Client;
use crate::support::{ADDRESS, TESTBED, recording_of, turn_with_namespaces};

const STACK: &str = "EYELEVEL_TEST_CONGESTION";

/// One download, as the link and the server saw it.
#[derive(Debug, Clone, Copy)]
struct Download {
    ms: f64,
    /// Packets of the server that the queue had no room for.
    drops: f64,
    /// All packets of the server, and those that it sent again.
    packets: f64,
    again: f64,
    /// Where slow start ended, in packets; `None` if it did not.
    threshold: Option<f64>,
}

fn small(stack: &str, network: &std::path::Path, seed: u32) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording_of(&folder, "a.test", &"A page. ".repeat(300));
    let output = Command::new(TESTBED)
        .args(["run", "--stack", stack, "--seed", &seed.to_string(), "--network-file"])
        .arg(network)
        .arg("--recording")
        .arg(&recording)
        .args(["--", "env", &format!("{STACK}={stack}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "congestion::probe", "--nocapture"])
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    said.lines().find_map(|line| line.strip_prefix("ms ")?.parse().ok()).expect("told")
}

fn download(stack: &str, network: &str, bytes: usize, seed: u32) -> Download {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording_of(&folder, "a.test", &"A page. ".repeat(bytes / 8));
    let report = folder.path().join("wire.json");
    let output = Command::new(TESTBED)
        .args(["run", "--stack", stack, "--network", network, "--seed", &seed.to_string(), "--recording"])
        .arg(&recording)
        .arg("--report")
        .arg(&report)
        .args(["--", "env", &format!("{STACK}={stack}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "congestion::probe", "--nocapture"])
        .output()
        .unwrap();
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).expect("told");
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
    let (down, end) = (&report["link"]["down"], &report["server"]["connections"][0]["at_close"]);
    let packet_bytes = end["mtu_bytes"].as_f64();
    let download = Download {
        ms: value("ms"),
        drops: down["drops_queue"].as_f64().unwrap(),
        packets: down["packets"].as_f64().unwrap(),
        again: end["retransmitted_packets"].as_f64().or_else(|| end["lost_packets"].as_f64()).unwrap(),
        threshold: end["slow_start_threshold_packets"]
            .as_f64()
            .or_else(|| Some(end["slow_start_threshold_bytes"].as_f64()? / packet_bytes?)),
    };
    println!("{network} {stack} {seed}: {download:?}");
    download
}

/// Not a test of its own: what `download` runs inside.
#[test]
fn probe() {
    let Ok(stack) = std::env::var(STACK) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = format!("{ADDRESS}:443").parse().unwrap();
        let begun = std::time::Instant::now();
        let client = Client::connect_with(&stack, server, 8 << 20).await;
        println!("connected {}", begun.elapsed().as_secs_f64() * 1e3);
        let began = std::time::Instant::now();
        client.fetch("GET", "/").await;
        println!("ms {}", began.elapsed().as_secs_f64() * 1e3);
    });
}

fn lossy(folder: &tempfile::TempDir) -> std::path::PathBuf {
    let network = folder.path().join("lossy.json");
    let lossy = r#"{"name": "lossy", "up_mbps": 5, "down_mbps": 25, "rtt_ms": 24, "loss_up": 0, "loss_down": 0.3, "queue_ms": 50}"#;
    std::fs::write(&network, lossy).unwrap();
    network
}

/// Nearly a third of the packets down are lost, those of handshakes too: they must be sent again before long.
fn assert_small_answers_come_through(seeds: std::ops::Range<u32>) {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let network = lossy(&folder);
    for stack in ["QUIC+BBR", "QUIC"] {
        for seed in seeds.clone() {
            let got = small(stack, &network, seed);
            println!("{stack} {seed}: {got:.0} ms");
            assert!(got < 10_000.0, "{stack}, seed {seed}: {got:.0} ms");
        }
    }
}

#[test]
fn a_small_answer_comes_through_whatever_is_lost_of_it() {
    assert_small_answers_come_through(0..1);
}

#[test]
#[ignore = "soak: 30 seeds of losses for each stack"]
fn small_answers_come_through_whatever_is_lost_of_them() {
    assert_small_answers_come_through(0..30);
}

/// One download of each stack over the real link. 25 Mbit/s of IP bytes carry 1 MB in 0.33 s at best; ten times that leaves room for
/// any machine, and a window that does not grow takes longer: 10 packets a round trip take 1.7 s, one packet 16 s. What the algorithms
/// do is tested in their simulation.
#[test]
fn every_control_fetches_a_large_page() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for stack in ["TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR"] {
        let got = download(stack, "DSL", 1_000_000, 1);
        assert!(got.ms < 3300.0, "{stack}: {got:?}");
        // BBR overshoots most, by a quarter of its packets while it starts.
        assert!(got.again < got.packets / 2.0, "{stack}: {got:?}");
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const SOAK_RUNS: u32 = 9;

/// LTE holds 65 packets in its pipe and 175 in its queue: only a look at the delay ends slow start before that overflows.
#[test]
#[ignore = "soak: medians of 9 downloads for each stack"]
fn both_cubics_leave_slow_start_by_delay_at_a_similar_window() {
    let Some(_turn) = turn_with_namespaces() else { return };
    // Ends after slow start and before any loss could have been noticed.
    let [tcp, quic] = ["TCP+", "QUIC"].map(|stack| {
        let threshold = |seed| download(stack, "LTE", 500_000, seed).threshold.expect("slow start ended");
        median((1..=SOAK_RUNS).map(threshold).collect())
    });
    assert!((0.75..=1.33).contains(&(quic / tcp)), "TCP+ left at {tcp} packets, QUIC at {quic}");
}

#[test]
#[ignore = "soak: medians of 9 downloads for each stack"]
fn both_cubics_lose_little_of_a_large_download_behind_a_deep_queue() {
    let Some(_turn) = turn_with_namespaces() else { return };
    // Without HyStart, QUIC lost 360 of 2,500 packets.
    for stack in ["TCP+", "QUIC"] {
        let drops = median((1..=SOAK_RUNS).map(|seed| download(stack, "LTE", 3_000_000, seed).drops).collect());
        assert!(drops < 100.0, "{stack}: {drops}");
    }
}

/// What a stack takes for a download, and the share of its packets that it sent again: medians.
fn cost(stack: &str, network: &str, bytes: usize, runs: u32) -> (f64, f64) {
    let downloads: Vec<_> = (1..=runs).map(|seed| download(stack, network, bytes, seed)).collect();
    let of = |value: fn(&Download) -> f64| median(downloads.iter().map(value).collect());
    (of(|download| download.ms), of(|download| download.again / download.packets))
}

#[test]
#[ignore = "soak: medians of 9 downloads for each stack"]
fn both_bbrs_fill_a_link_and_overshoot_alike() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let [tcp, quic] = ["TCP+BBR", "QUIC+BBR"].map(|stack| cost(stack, "DSL", 5_000_000, SOAK_RUNS));
    println!("in ms, and the share sent again: TCP+BBR {tcp:?}, QUIC+BBR {quic:?}");
    // 25 Mbit/s of IP bytes carry 5 MB in 1.67 s at best.
    assert!(tcp.0.max(quic.0) < 1.25 * 1670.0, "{tcp:?} {quic:?}");
    assert!((0.85..=1.18).contains(&(quic.0 / tcp.0)) && (quic.1 - tcp.1).abs() < 0.06, "{tcp:?} {quic:?}");
}

/// Cubic takes 30 s and more.
#[test]
#[ignore = "soak: medians of 3 downloads for each stack"]
fn both_bbrs_are_quick_where_packets_are_lost_by_chance() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for stack in ["TCP+BBR", "QUIC+BBR"] {
        let cost = cost(stack, "MSS", 500_000, 3);
        assert!(cost.0 < 15_000.0, "{stack}: {cost:?}");
    }
}
