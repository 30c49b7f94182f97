//! Calibration finds the networks right, and everything that is wrong with one, measured over the emulation of runs.

mod run_support;

use eyelevel_testbed::calibrate::bench::observe;
use eyelevel_testbed::calibrate::report::{Measured, judge};
use eyelevel_testbed::networks::{self, Network, Rate};
use run_support::can_make_namespaces;

/// What is emulated differs from what is claimed.
fn calibrate(claimed: &Network, emulated: &Network) -> Measured {
    judge(claimed, &observe(emulated, 1, &|_| {}).unwrap(), 1)
}

/// A busy machine may put one figure out of bounds once; a link that is wrong stays so.
fn is_found_right(network: &Network) -> Measured {
    let measured = calibrate(network, network);
    if measured.ok { measured } else { calibrate(network, network) }
}

fn names(measured: &Measured, word: &str) -> bool {
    measured.problems.iter().any(|problem| problem.contains(word))
}

#[test]
fn each_planted_fault_is_found_and_named() {
    if !can_make_namespaces() {
        return;
    }
    let dsl = networks::find("DSL").unwrap();
    let right = is_found_right(&dsl);
    assert!(right.ok, "{:?}", right.problems);
    // Several at a time, of which none hides another, for the time it takes.
    let faults = [
        (
            Network { down_mbps: Some(Rate::Mbps(24.0)), rtt_ms: 27.0, ..dsl.clone() },
            vec!["downlink: rate", "uplink: minimum round trip", "downlink: minimum round trip"],
        ),
        (
            Network { up_mbps: Some(Rate::Mbps(5.1)), queue_ms: Some(18.0), loss: Some(0.002), ..dsl.clone() },
            vec!["uplink: rate", "uplink: queue", "downlink: queue", "downlink: loss", "uplink: loss"],
        ),
    ];
    for (emulated, problems) in faults {
        let measured = calibrate(&dsl, &emulated);
        assert!(problems.iter().all(|problem| names(&measured, problem)), "{problems:?}: {:?}", measured.problems);
    }
}

#[test]
fn another_loss_than_claimed_is_found_and_what_is_delivered_stays_below_the_link_less_its_loss() {
    if !can_make_namespaces() {
        return;
    }
    let mss = networks::find("MSS").unwrap();
    let right = is_found_right(&mss);
    assert!(right.ok, "{:?}", right.problems);
    let delivered = right.down.delivered_mbps.unwrap();
    assert!(delivered.low.unwrap() <= 1.89 * (1.0 - 0.0305), "{delivered:?}");
    // What is lost on the way down has used the link, what is lost on the way up has not.
    let busy = [right.down, right.up].map(|way| way.delivered_mbps.unwrap().measured.unwrap());
    assert!(busy[0] < 1.86 && busy[1] > 1.87, "{busy:?}");
    // 4 % in each direction instead of 3.05 %.
    let measured = calibrate(&mss, &Network { loss: Some(1.0 - 0.96 * 0.96), ..mss.clone() });
    assert!(names(&measured, "downlink: loss") && names(&measured, "uplink: loss"), "{:?}", measured.problems);
}

#[test]
fn networks_of_ones_own_are_what_they_say_they_are() {
    if !can_make_namespaces() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // 6 Mbit/s in bursts: two chances a millisecond, then three milliseconds without any.
    let chances: String = (0..250).map(|n| format!("{0}\n{0}\n", 4 * n + 4)).collect();
    std::fs::write(folder.path().join("bursts.trace"), chances).unwrap();
    let definition = r#"{"name": "own", "up_mbps": "unlimited", "down_trace": "bursts.trace", "rtt_ms": 30, "loss_up": 0.02,
                         "loss_down": 0, "queue_packets": 100, "jitter_ms": 4}"#;
    let file = folder.path().join("own.json");
    std::fs::write(&file, definition).unwrap();
    let own = networks::read(&file).unwrap();
    let right = is_found_right(&own);
    assert!(right.ok, "{:?}", right.problems);
    assert_eq!(right.up.rate_mbps, None);
    let rate = right.down.rate_mbps.unwrap();
    assert!((5.94..=6.06).contains(&rate.measured.unwrap()), "{rate:?}");
    let measured = calibrate(&own, &Network { jitter_ms: Some(8.0), ..own.clone() });
    assert!(names(&measured, "uplink: jitter"), "{:?}", measured.problems);
}
