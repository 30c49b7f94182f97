//! Cubic as in Linux (RFC 9438): with HyStart, fast convergence, the friendly region and proportional rate reduction.
//!
//! Sizes are in packets. Two things follow QUIC (RFC 9002) and not TCP: losses of one round are over with the first acknowledgement
//! of something sent after the first of them, and the least window is two packets.

use std::time::{Duration, Instant};

use super::hystart::{HyStart, Sample};
use super::reduction::Reduction;
use super::usage::Usage;
use crate::control::{Acknowledgement, Control, Loss, Setup};
use crate::pacing;

/// What is left of the window of one connection after a loss, and the C of the cubic function in packets a cubic second; both as
/// Linux rounds them.
const BETA: f64 = 717.0 / 1024.0;
const C: f64 = 410.0 / 1024.0;
const LEAST_WINDOW: f64 = 2.0;
/// Before the first loss the window grows by at least one packet for so many.
const FIRST_GROWTH: f64 = 20.0;
/// The window grows by at most one packet for so many.
const FASTEST_GROWTH: f64 = 2.0;
/// For so many windows' worth of packets Reno would grow by one, were it as patient as Cubic after a loss: (1 + beta) / 3 (1 - beta),
/// as Linux rounds it.
const RENO_WINDOWS: f64 = 15.0 / 8.0;
/// Round trips measured just after a loss tell of the queue before it.
const STALE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct Cubic {
    setup: Setup,
    shares: Shares,
    window: f64,
    /// `None` until slow start has ended once.
    threshold: Option<f64>,
    /// The window at which packets were lost last.
    last_most: Option<f64>,
    epoch: Option<Epoch>,
    hystart: HyStart,
    usage: Usage,
    recovery: Option<Recovery>,
    in_flight: f64,
    /// The latest acknowledgement: when, and of how much.
    newly_acknowledged: (Instant, f64),
    smoothed_rtt: Option<Duration>,
}

/// Growth since the last reduction.
#[derive(Debug, Clone)]
struct Epoch {
    began: Instant,
    /// When the function comes to `origin`, in seconds of the epoch.
    k_s: f64,
    origin: f64,
    reno: f64,
}

#[derive(Debug, Clone)]
struct Recovery {
    began: Instant,
    /// `None` once all that was sent before it is accounted for.
    reduction: Option<Reduction>,
    before: (f64, Option<f64>),
}

/// What a window does after a loss, for so many connections as it emulates: only one of them loses. For more than one, as in
/// Chromium (`net/third_party/quic/core/congestion_control/cubic_bytes.cc`, `Alpha` and `Beta`).
#[derive(Debug, Clone, Copy)]
struct Shares {
    /// What is left of the window.
    beta: f64,
    /// See [`RENO_WINDOWS`].
    reno_windows: f64,
}

impl Shares {
    fn of(connections: u32) -> Self {
        if connections == 1 {
            return Self { beta: BETA, reno_windows: RENO_WINDOWS };
        }
        let n = f64::from(connections);
        let beta = (n - 1.0 + 0.7) / n;
        Self { beta, reno_windows: (1.0 + beta) / (3.0 * n * n * (1.0 - beta)) }
    }
}

impl Cubic {
    /// For how many connections it counts.
    #[must_use]
    pub fn connections(&self) -> u32 {
        self.setup.connections
    }

    fn packets(&self, bytes: u64) -> f64 {
        bytes as f64 / f64::from(self.setup.packet_bytes)
    }

    fn in_slow_start(&self) -> bool {
        self.threshold.is_none_or(|threshold| self.window < threshold)
    }

    fn is_reducing(&self) -> bool {
        self.recovery.as_ref().is_some_and(|recovery| recovery.reduction.is_some())
    }

    /// Takes the round trip in, and ends slow start where the pipe is full.
    fn look_at_delay(&mut self, ack: &Acknowledgement) {
        if self.epoch.as_ref().is_some_and(|epoch| ack.now - epoch.began < STALE) {
            return;
        }
        self.hystart.observe(ack.rtt());
        let sample = Sample {
            now: ack.now,
            newest_sent: ack.newest.0,
            rtt: ack.rtt(),
            window_packets: self.window,
            pacing_rate_bytes_per_s: self.pacing_rate_bytes_per_s(),
        };
        if self.in_slow_start() && self.hystart.is_full(&sample) {
            self.threshold = Some(self.window);
        }
    }

    fn grow(&mut self, now: Instant, acknowledged: f64) {
        let mut left = acknowledged;
        if self.in_slow_start() {
            let room = self.threshold.map_or(f64::INFINITY, |threshold| threshold - self.window);
            let taken = left.min(room);
            self.window += taken;
            left -= taken;
        }
        if left > 0.0 {
            self.window += left / self.packets_for_one_more(now, left);
        }
    }

    /// In congestion avoidance: for how many acknowledged packets the window grows by one.
    fn packets_for_one_more(&mut self, now: Instant, acknowledged: f64) -> f64 {
        let (window, last_most) = (self.window, self.last_most);
        let epoch = self.epoch.get_or_insert_with(|| Epoch::new(now, window, last_most));
        let ahead = self.hystart.quickest().unwrap_or_default();
        let target = epoch.target(now + ahead);
        let mut count = if target > window { window / (target - window) } else { 100.0 * window };
        if last_most.is_none() {
            count = count.min(FIRST_GROWTH);
        }
        epoch.reno += acknowledged / (self.shares.reno_windows * window);
        if epoch.reno > window {
            count = count.min(window / (epoch.reno - window));
        }
        count.max(FASTEST_GROWTH)
    }

    /// The window from which less than the whole may be used while losses are repaired.
    fn follow_reduction(&mut self) {
        if let Some(reduction) = self.recovery.as_ref().and_then(|recovery| recovery.reduction.as_ref()) {
            self.window = reduction.window(self.in_flight);
        }
    }

    fn reduce(&mut self, now: Instant) {
        let before = (self.window, self.threshold);
        let converging = self.last_most.is_some_and(|most| self.window < most);
        self.last_most = Some(if converging { self.window * (1.0 + self.shares.beta) / 2.0 } else { self.window });
        let threshold = (self.window * self.shares.beta).max(LEAST_WINDOW);
        // A timer may have told of the loss, too, long after the latest acknowledgement.
        let (heard, packets) = self.newly_acknowledged;
        let newly_acknowledged = if heard == now { packets } else { 0.0 };
        let reduction = Reduction::new(threshold, self.window, newly_acknowledged);
        self.threshold = Some(threshold);
        self.epoch = None;
        self.recovery = Some(Recovery { began: now, reduction: Some(reduction), before });
    }

    fn start_again(&mut self, now: Instant) {
        self.window = LEAST_WINDOW;
        (self.last_most, self.epoch, self.recovery) = (None, None, None);
        self.hystart = HyStart::new(now, self.setup.paced);
    }
}

impl Epoch {
    fn new(now: Instant, window: f64, last_most: Option<f64>) -> Self {
        let (k_s, origin) = match last_most.filter(|most| *most > window) {
            Some(most) => (((most - window) / C).cbrt(), most),
            None => (0.0, window),
        };
        Self { began: now, k_s, origin, reno: window }
    }

    fn target(&self, at: Instant) -> f64 {
        self.origin + C * ((at - self.began).as_secs_f64() - self.k_s).powi(3)
    }
}

impl Control for Cubic {
    fn new(now: Instant, setup: Setup) -> Self {
        Self {
            setup,
            shares: Shares::of(setup.connections),
            window: f64::from(setup.initial_window_packets),
            threshold: None,
            last_most: None,
            epoch: None,
            hystart: HyStart::new(now, setup.paced),
            usage: Usage::new(now),
            recovery: None,
            in_flight: 0.0,
            newly_acknowledged: (now, 0.0),
            smoothed_rtt: None,
        }
    }

    fn sent(&mut self, now: Instant, _number: u64, bytes: u64, in_flight_bytes: u64) {
        let packets = self.packets(bytes);
        self.in_flight = self.packets(in_flight_bytes);
        self.usage.sent(now, self.in_flight, self.in_flight + 1.0 > self.window);
        if let Some(reduction) = self.recovery.as_mut().and_then(|recovery| recovery.reduction.as_mut()) {
            reduction.sent(packets);
        }
    }

    fn acknowledged(&mut self, ack: &Acknowledgement) {
        self.smoothed_rtt = Some(ack.smoothed_rtt);
        self.in_flight = self.packets(ack.in_flight_bytes);
        let acknowledged = self.packets(ack.bytes);
        self.newly_acknowledged = (ack.now, acknowledged);
        self.usage.acknowledged(ack.newest.0);
        self.look_at_delay(ack);
        if let Some(recovery) = &mut self.recovery
            && let Some(reduction) = &mut recovery.reduction
        {
            if ack.newest.0 <= recovery.began {
                reduction.delivered(acknowledged);
                return self.follow_reduction();
            }
            recovery.reduction = None;
            self.window = self.threshold.unwrap_or(self.window);
        }
        if self.usage.is_limited_by(self.window, self.in_slow_start()) {
            self.grow(ack.now, acknowledged);
        }
    }

    fn lost(&mut self, loss: &Loss) {
        self.in_flight = self.packets(loss.in_flight_bytes);
        let known = self.recovery.as_ref().is_some_and(|recovery| loss.newest_sent <= recovery.began);
        if known {
            if let Some(reduction) = self.recovery.as_mut().and_then(|recovery| recovery.reduction.as_mut()) {
                reduction.lost();
            }
        } else {
            self.reduce(loss.now);
        }
        self.follow_reduction();
        if loss.persistent {
            self.start_again(loss.now);
        }
    }

    fn undo(&mut self) {
        let Some(recovery) = self.recovery.take() else { return };
        let (window, threshold) = recovery.before;
        self.window = if recovery.reduction.is_some() { window } else { self.window.max(window) };
        self.threshold = threshold.and_then(|before| self.threshold.map(|now| now.max(before)));
    }

    fn window_bytes(&self) -> u64 {
        (self.window * f64::from(self.setup.packet_bytes)) as u64
    }

    fn pacing_rate_bytes_per_s(&self) -> Option<u64> {
        let packet_bytes = f64::from(self.setup.packet_bytes);
        let rtt = self.smoothed_rtt.filter(|rtt| !rtt.is_zero())?;
        // While losses are repaired more may be in flight than the window says.
        let window = if self.is_reducing() { self.window.max(self.in_flight) } else { self.window };
        Some(pacing::rate(window * packet_bytes, self.threshold.map(|threshold| threshold * packet_bytes), rtt))
    }

    fn slow_start_threshold_bytes(&self) -> Option<u64> {
        self.threshold.map(|threshold| (threshold * f64::from(self.setup.packet_bytes)) as u64)
    }
}

#[cfg(test)]
mod tests;
