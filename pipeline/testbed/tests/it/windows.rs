//! The windows of both Cubics under random loss: ours over QUIC, and the kernel's over TCP, as TCP_INFO tells it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::client::Client;
use crate::support::{ADDRESS, TESTBED, recording_of, turn_with_namespaces};

const STACK: &str = "EYELEVEL_TEST_WINDOWS";
const SECONDS: u64 = 60;
const SEEDS: u32 = 20;
/// More than any of them fetches in that time.
const BODY_BYTES: usize = 40_000_000;

/// Not a test of its own: what `mean_window` runs inside.
#[test]
fn probe() {
    let Ok(stack) = std::env::var(STACK) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = format!("{ADDRESS}:443").parse().unwrap();
        let client = Client::connect_with(&stack, server, 8 << 20).await;
        let all = tokio::time::timeout(Duration::from_secs(SECONDS), client.fetch("GET", "/")).await;
        assert!(all.is_err(), "the body ended");
    });
}

/// Over the first minute of a download, in packets.
fn mean_window(stack: &str, network: &Path, recording: &Path, seed: u32) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("wire.json");
    let output = Command::new(TESTBED)
        .args(["run", "--series", "--stack", stack, "--seed", &seed.to_string(), "--network-file"])
        .arg(network)
        .arg("--recording")
        .arg(recording)
        .arg("--report")
        .arg(&report)
        .args(["--", "env", &format!("{STACK}={stack}")])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "windows::probe", "--nocapture"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&report).unwrap()).unwrap();
    let series = &report["server"]["connections"][0]["series"];
    let windows: Vec<f64> = serde_json::from_value(series["window_packets"].clone()).unwrap();
    assert_eq!(series["interval_ms"], 100);
    // Those of the first and the last round trip are missing over QUIC.
    assert!(windows.len() as u64 >= 10 * (SECONDS - 2), "{} samples", windows.len());
    // The kernel counts whole packets, and no more can be in flight.
    windows.iter().map(|packets| packets.floor()).sum::<f64>() / windows.len() as f64
}

/// The mean over all seeds, of which so many run at once that they wait for losses and not for processors.
fn mean(stack: &str, network: &Path, recording: &Path, at_once: usize) -> f64 {
    let seeds: Vec<u32> = (1..=SEEDS).collect();
    let of_some = |seeds: &[u32]| -> Vec<f64> {
        std::thread::scope(|scope| {
            let of_seed = |seed: &u32| {
                let seed = *seed;
                scope.spawn(move || mean_window(stack, network, recording, seed))
            };
            let runs: Vec<_> = seeds.iter().map(of_seed).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        })
    };
    let means: Vec<f64> = seeds.chunks(at_once).flat_map(of_some).collect();
    println!("{stack}: {means:.1?}");
    means.iter().sum::<f64>() / f64::from(SEEDS)
}

fn assert_cubics_have_the_same_window(rtt_ms: f64, loss: f64, at_once: usize) {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("lossy.json");
    let definition = serde_json::json!({
        "name": "lossy", "up_mbps": 10.0, "down_mbps": 10.0, "rtt_ms": rtt_ms, "loss_up": 0.0, "loss_down": loss,
        "queue_ms": 200.0
    });
    std::fs::write(&network, definition.to_string()).unwrap();
    let recording = recording_of(&folder, "a.test", &"A page. ".repeat(BODY_BYTES / 8));
    let [tcp, quic] = ["TCP+", "QUIC"].map(|stack| mean(stack, &network, &recording, at_once));
    println!("{rtt_ms} ms, {loss}: TCP+ {tcp:.2} packets, QUIC {quic:.2}, {:.3}", quic / tcp);
    assert!((0.9..=1.1).contains(&(quic / tcp)), "TCP+ {tcp} packets, QUIC {quic}");
}

/// Reno is faster than the cubic function there.
#[test]
#[ignore = "soak: a minute for each of 20 seeds and two stacks"]
fn both_cubics_have_the_same_window_where_reno_is_faster() {
    assert_cubics_have_the_same_window(24.0, 0.01, 4);
}

/// The cubic function decides there.
#[test]
#[ignore = "soak: a minute for each of 20 seeds and two stacks"]
fn both_cubics_have_the_same_window_over_a_satellite() {
    assert_cubics_have_the_same_window(760.0, 0.03, 20);
}
