use super::super::simulation::{DSL, LTE, Link, PACKET_BYTES, Simulation};
use super::*;

const SETUP: Setup =
    Setup { packet_bytes: PACKET_BYTES, initial_window_packets: 32, connections: 1, paced: true, seed: 0 };

const fn s(s: u64) -> Duration {
    Duration::from_secs(s)
}

/// A sender without a link: told what to believe.
struct Sender {
    start: Instant,
    now: Instant,
    cubic: Cubic,
}

impl Sender {
    fn new(setup: Setup) -> Self {
        let start = Instant::now();
        Self { start, now: start, cubic: Cubic::new(start, setup) }
    }

    /// Fills the window, and has packets acknowledged one round trip later.
    fn round(&mut self, packets: u64, rtt: Duration) {
        let bytes = u64::from(PACKET_BYTES);
        let sent = self.now;
        self.cubic.sent(sent, 0, bytes, self.cubic.window_bytes());
        self.now += rtt;
        self.cubic.acknowledged(&Acknowledgement {
            now: self.now,
            bytes: packets * bytes,
            newest: (sent, 0),
            smoothed_rtt: rtt,
            in_flight_bytes: self.cubic.window_bytes(),
            starved: false,
        });
    }

    /// Gives a packet up by a timer.
    fn lose(&mut self, sent: Instant, persistent: bool) {
        self.now += Duration::from_millis(1);
        self.cubic.lost(&Loss {
            now: self.now,
            bytes: u64::from(PACKET_BYTES),
            newest_sent: sent,
            in_flight_bytes: self.cubic.window_bytes(),
            persistent,
        });
    }
}

#[test]
fn slow_start_grows_by_what_is_acknowledged() {
    let mut sender = Sender::new(SETUP);
    sender.round(32, Duration::from_millis(20));
    assert!((sender.cubic.window - 64.0).abs() < 1e-9, "{}", sender.cubic.window);
}

#[test]
fn a_window_that_the_application_does_not_fill_does_not_grow() {
    let mut sender = Sender::new(SETUP);
    sender.round(32, Duration::from_millis(20));
    let bytes = u64::from(PACKET_BYTES);
    for _ in 0..2 {
        let sent = sender.now;
        sender.now += Duration::from_millis(20);
        sender.cubic.sent(sent, 0, bytes, 4 * bytes);
        sender.cubic.acknowledged(&Acknowledgement {
            now: sender.now,
            bytes: 4 * bytes,
            newest: (sent, 0),
            smoothed_rtt: Duration::from_millis(20),
            in_flight_bytes: 0,
            starved: true,
        });
    }
    // The first of the two still closed a round in which the window had been full.
    assert!(sender.cubic.window <= 68.0, "{}", sender.cubic.window);
}

#[test]
fn a_loss_leaves_seven_tenths_and_the_same_round_counts_once() {
    let mut sender = Sender::new(SETUP);
    sender.round(68, Duration::from_millis(20));
    let sent = sender.now;
    sender.lose(sent, false);
    sender.lose(sent, false);
    sender.now += Duration::from_millis(20);
    // Sent after the loss, so it ends the recovery.
    sender.round(0, Duration::from_millis(20));
    assert!((sender.cubic.window - 100.0 * BETA).abs() < 1e-6, "{}", sender.cubic.window);
}

#[test]
fn afterwards_it_follows_the_cubic_function() {
    let mut sender = Sender::new(SETUP);
    sender.round(68, Duration::from_millis(20));
    sender.lose(sender.now, false);
    // RFC 9438, section 4.2, for a window of 100 packets: K = cbrt(100 (1 - 0.7) / 0.4) = 4.22 s.
    let rtt = Duration::from_millis(200);
    let mut at = Vec::new();
    while sender.now < sender.start + s(12) {
        sender.round(sender.cubic.window as u64, rtt);
        at.push((sender.now - sender.start, sender.cubic.window));
    }
    let window_at = |seconds: f64| at.iter().find(|(time, _)| time.as_secs_f64() >= seconds).expect("reached").1;
    let expected = |seconds: f64| 100.0 + 0.4 * (seconds - 4.22_f64).powi(3);
    for seconds in [1.0, 2.0, 4.2, 6.0, 8.0] {
        let (window, expected) = (window_at(seconds + 0.2), expected(seconds));
        assert!((window / expected - 1.0).abs() < 0.05, "after {seconds} s: {window}, not {expected}");
    }
}

/// Rounds of 10 ms after a loss at 40 packets: the cubic function comes to 40 again after three seconds, Reno long before.
fn grown_by(connections: u32, rounds: u32) -> (f64, f64) {
    let mut sender = Sender::new(Setup { initial_window_packets: 40, connections, ..SETUP });
    sender.lose(sender.now, false);
    sender.now += Duration::from_millis(1);
    sender.round(0, Duration::from_millis(10));
    let after = sender.cubic.window;
    for _ in 0..rounds {
        sender.round(sender.cubic.window as u64, Duration::from_millis(10));
    }
    (after, sender.cubic.window - after)
}

/// RFC 9438, section 4.3: 3 (1 - 0.7) / (1 + 0.7) packets a round.
#[test]
fn where_reno_is_faster_it_grows_as_reno() {
    let (after, grown) = grown_by(1, 40);
    assert!((after / 28.0 - 1.0).abs() < 0.05, "{after}");
    assert!((grown / (40.0 * 0.9 / 1.7) - 1.0).abs() < 0.05, "{grown}");
}

/// As in Chromium: (2 - 1 + 0.7) / 2 of the window are left, and 3 * 2^2 (1 - 0.85) / (1 + 0.85) packets a round are added.
#[test]
fn for_two_connections_it_keeps_more_and_grows_faster() {
    let (after, grown) = grown_by(2, 40);
    assert!((after / 34.0 - 1.0).abs() < 0.01, "{after}");
    assert!((grown / (40.0 * 1.8 / 1.85) - 1.0).abs() < 0.05, "{grown}");
}

#[test]
fn a_second_loss_below_the_last_makes_room_for_others() {
    let mut sender = Sender::new(SETUP);
    sender.round(68, Duration::from_millis(20));
    sender.lose(sender.now, false);
    sender.now += Duration::from_millis(1);
    sender.round(1, Duration::from_millis(20));
    sender.lose(sender.now, false);
    let most = sender.cubic.last_most.expect("lost something");
    assert!((most - 70.0 * (1.0 + BETA) / 2.0).abs() < 1.0, "{most}");
}

#[test]
fn persistent_congestion_starts_again_from_two_packets() {
    let mut sender = Sender::new(SETUP);
    sender.round(68, Duration::from_millis(20));
    sender.lose(sender.now, true);
    assert_eq!(sender.cubic.window_bytes(), 2 * u64::from(PACKET_BYTES));
    assert!(sender.cubic.in_slow_start());
}

#[test]
fn a_loss_that_was_none_is_taken_back() {
    let mut sender = Sender::new(SETUP);
    sender.round(68, Duration::from_millis(20));
    sender.lose(sender.now, false);
    sender.cubic.undo();
    assert!((sender.cubic.window - 100.0).abs() < 1e-9, "{}", sender.cubic.window);
    assert_eq!(sender.cubic.threshold, None);
}

#[test]
fn slow_start_ends_by_delay_before_a_deep_queue_overflows() {
    let deep = Link { queue_packets: 300, ..LTE };
    let mut simulation = Simulation::<Cubic>::new(deep, SETUP);
    assert!(simulation.run_until(s(3), |now| now.threshold_packets().is_some()));
    let window = simulation.window_packets();
    // The pipe holds 65 packets, and the queue 300 more.
    assert!((65.0..300.0).contains(&window), "{window}");
    simulation.run(s(1));
    assert_eq!(simulation.dropped, 0);
}

#[test]
fn the_link_is_used_up_without_losses() {
    for (link, name) in [(DSL, "DSL"), (LTE, "LTE")] {
        let mut simulation = Simulation::<Cubic>::new(link, SETUP);
        simulation.run(s(10));
        let used = simulation.delivered as f64 * f64::from(PACKET_BYTES) / (10.0 * link.bytes_per_s);
        assert!((0.95..=1.0).contains(&used), "{name}: {used}");
    }
}

/// RFC 9438, section 5.1: on a short path it is as Reno, whose window is sqrt(1.5 / p) in the mean.
#[test]
fn with_losses_on_a_short_path_the_window_is_that_of_reno() {
    let lossy = Link { lost_one_in: 500, ..DSL };
    let mut simulation = Simulation::<Cubic>::new(lossy, SETUP);
    simulation.run(s(2));
    let before = simulation.delivered;
    simulation.run(s(20));
    let mean = (simulation.delivered - before) as f64 / 20.0 * lossy.rtt.as_secs_f64();
    let reno = (1.5_f64 * 500.0).sqrt();
    assert!((mean / reno - 1.0).abs() < 0.15, "{mean}, and not {reno}");
}
