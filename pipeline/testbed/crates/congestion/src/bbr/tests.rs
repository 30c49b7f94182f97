use super::super::simulation::{DSL, Link, PACKET_BYTES, Simulation};
use super::*;

const SETUP: Setup =
    Setup { packet_bytes: PACKET_BYTES, initial_window_packets: 32, connections: 1, paced: true, seed: 1 };
/// 1.89 Mbit/s of which 3 % are lost, as behind a satellite.
const MSS: Link = Link { bytes_per_s: 231_800.0, rtt: Duration::from_millis(760), queue_packets: 31, lost_one_in: 33 };

const fn s(s: u64) -> Duration {
    Duration::from_secs(s)
}

fn after(link: Link, time: Duration) -> Simulation<Bbr> {
    let mut simulation = Simulation::new(link, SETUP);
    simulation.run(time);
    simulation
}

#[test]
fn the_first_flight_is_paced_at_the_high_gain() {
    let mut simulation = Simulation::<Bbr>::new(DSL, SETUP);
    simulation.run(Duration::from_millis(26));
    let rate = simulation.control.pacing_rate_bytes_per_s().expect("a round trip is known") as f64;
    // The first round trip holds two packets' time on the link, for so many are acknowledged together.
    let expected = HIGH_GAIN * 32.0 * f64::from(PACKET_BYTES) / 0.025;
    assert!((rate / expected - 1.0).abs() < 0.03, "{rate}, not {expected}");
}

#[test]
fn it_finds_the_rate_and_the_round_trip_of_a_link() {
    let simulation = after(DSL, s(3));
    assert!(matches!(simulation.control.mode, Mode::ProbeBandwidth { .. }), "{:?}", simulation.control.mode);
    let share = simulation.control.rate() / DSL.bytes_per_s;
    assert!((0.97..1.03).contains(&share), "{share}");
    let rtt = simulation.control.min_rtt.expect("known");
    assert!(rtt < Duration::from_millis(26), "{rtt:?}");
}

#[test]
fn it_keeps_two_pipes_in_flight_at_most() {
    let simulation = after(DSL, s(3));
    // 50 packets in the pipe; three batches of two and what is acknowledged at once come on top.
    assert!((100.0..116.0).contains(&simulation.window_packets()), "{}", simulation.window_packets());
}

#[test]
fn the_cycle_takes_all_phases_and_probes_once() {
    let mut simulation = after(DSL, s(2));
    let mut gains = Vec::new();
    for _ in 0..1000 {
        simulation.run(Duration::from_millis(1));
        let gain = simulation.control.gains().0;
        if gains.last() != Some(&gain) {
            gains.push(gain);
        }
    }
    // A second has about five cycles of eight round trips.
    let probes = gains.iter().filter(|gain| **gain > 1.0).count();
    assert!((3..=6).contains(&probes), "{gains:?}");
    for pair in gains.windows(2).filter(|pair| pair[0] > 1.0) {
        assert!(pair[1] < 1.0, "what a probe queues is drained: {gains:?}");
    }
}

#[test]
fn after_ten_seconds_it_looks_at_the_round_trip_with_four_packets() {
    let mut simulation = after(DSL, s(3));
    let probing = |now: &Simulation<Bbr>| matches!(now.control.mode, Mode::ProbeRtt { .. });
    assert!(simulation.run_until(s(12), probing));
    assert_eq!(simulation.control.window_bytes(), 4 * u64::from(PACKET_BYTES));
    simulation.run(Duration::from_millis(190));
    assert!(probing(&simulation));
    assert!(simulation.run_until(Duration::from_millis(200), |now| !probing(now)));
    assert!(simulation.window_packets() > 90.0, "restored: {}", simulation.window_packets());
}

#[test]
fn losses_by_chance_do_not_slow_it_down() {
    let mut simulation = after(MSS, s(10));
    let before = simulation.delivered;
    simulation.run(s(30));
    let used = (simulation.delivered - before) as f64 * f64::from(PACKET_BYTES) / (30.0 * MSS.bytes_per_s);
    assert!((0.75..=0.975).contains(&used), "{used}");
}

#[test]
fn a_sender_with_little_to_say_keeps_its_estimate() {
    let mut simulation = after(DSL, s(3));
    let before = simulation.control.rate();
    simulation.silent = true;
    simulation.run(s(1));
    simulation.silent = false;
    simulation.run(Duration::from_millis(10));
    assert!((simulation.control.rate() / before - 1.0).abs() < 0.05, "{} after {before}", simulation.control.rate());
}

#[test]
fn the_seed_decides_the_phase_a_cycle_begins_with_and_never_drains_first() {
    let phases: std::collections::BTreeSet<usize> = (0..100)
        .map(|seed| {
            let now = Instant::now();
            let mut bbr = Bbr::new(now, Setup { seed, ..SETUP });
            bbr.probe_bandwidth(now);
            let Mode::ProbeBandwidth { phase, .. } = bbr.mode else { unreachable!("just set") };
            phase
        })
        .collect();
    assert_eq!(phases.into_iter().collect::<Vec<_>>(), [0, 2, 3, 4, 5, 6, 7]);
}
