//! BBR version 1 as in Linux (Cardwell et al., "BBR: Congestion-Based Congestion Control", 2016;
//! draft-cardwell-iccrg-bbr-congestion-control-00), paced at its own rate, with packet conservation, allowance for aggregated
//! acknowledgements and policer detection.
//!
//! Windows are in packets, rates in bytes a second. Three things differ from Linux, for lack of the same knowledge:
//! when the last packet of a batch will leave is not known, so what is in flight is counted as it is; a recovery ends
//! with the first acknowledgement of something sent after the last loss of what was sent before it; and where Linux
//! draws the phase that a cycle begins with, `Setup::seed` decides.

mod aggregation;
mod filter;
mod policer;
mod window;

use std::time::{Duration, Instant};

use aggregation::Aggregation;
use filter::RecentMost;
use policer::{Policer, Seen};
use window::LEAST_WINDOW;

use super::delivery::{Delivery, Sample};
use crate::control::{Acknowledgement, Control, Loss, Setup};

/// 2 / ln 2: the smallest gain that doubles the rate each round.
const HIGH_GAIN: f64 = 2.885;
const WINDOW_GAIN: f64 = 2.0;
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
const BANDWIDTH_ROUNDS: u64 = 10;
const MIN_RTT_EXPIRY: Duration = Duration::from_secs(10);
const PROBE_RTT_TIME: Duration = Duration::from_millis(200);
/// The pipe is full when the rate grew by less than a quarter in three rounds.
const GROWTH: f64 = 1.25;
const ROUNDS_WITHOUT_GROWTH: u8 = 3;
/// Below the estimate, so that rounding builds no queue.
const MARGIN: f64 = 0.99;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Startup,
    Drain,
    ProbeBandwidth { phase: usize, since: Instant },
    ProbeRtt { until: Option<Instant>, round_done: bool },
}

#[derive(Debug, Clone)]
pub struct Bbr {
    setup: Setup,
    mode: Mode,
    delivery: Delivery,
    bandwidth: RecentMost,
    policer: Policer,
    aggregation: Aggregation,
    round: u64,
    round_ends_delivered: u64,
    new_round: bool,
    min_rtt: Option<Duration>,
    min_rtt_at: Instant,
    full_bandwidth: f64,
    rounds_without_growth: u8,
    pipe_is_full: bool,
    pacing_rate: Option<f64>,
    window: window::Window,
    in_flight: u64,
    in_flight_before: u64,
    lost: u64,
    newly_lost: bool,
    restarts: bool,
    cycles: u64,
}

impl Bbr {
    fn packet_bytes(&self) -> f64 {
        f64::from(self.setup.packet_bytes)
    }

    fn packets(&self, bytes: u64) -> f64 {
        bytes as f64 / self.packet_bytes()
    }

    /// Bytes a second: the most that arrived over a recent round trip, or what a policer lets through.
    pub fn rate(&self) -> f64 {
        self.policer.rate().unwrap_or_else(|| self.bandwidth.get())
    }

    fn gains(&self) -> (f64, f64) {
        match self.mode {
            Mode::Startup => (HIGH_GAIN, HIGH_GAIN),
            Mode::Drain => (1.0 / HIGH_GAIN, HIGH_GAIN),
            Mode::ProbeBandwidth { .. } if self.policer.rate().is_some() => (1.0, WINDOW_GAIN),
            Mode::ProbeBandwidth { phase, .. } => (CYCLE[phase], WINDOW_GAIN),
            Mode::ProbeRtt { .. } => (1.0, 1.0),
        }
    }

    /// Packets in the pipe at a rate, times a gain. Before a round trip is known: Linux's initial window.
    fn pipe(&self, rate: f64, gain: f64) -> f64 {
        let Some(rtt) = self.min_rtt else { return 10.0 };
        (gain * rate * rtt.as_secs_f64() / self.packet_bytes()).ceil()
    }

    /// The window that a sender in batches needs to keep a rate: three batches of a millisecond, even, and room to
    /// probe.
    fn with_batches(&self, packets: f64) -> f64 {
        let rate = self.pacing_rate.unwrap_or_default();
        let least = if rate < 150_000.0 { 1.0 } else { 2.0 };
        let batch = (rate / 1024.0 / self.packet_bytes()).floor().max(least);
        let even = 2.0 * ((packets + 3.0 * batch) / 2.0).ceil();
        if matches!(self.mode, Mode::ProbeBandwidth { phase: 0, .. }) { even + 2.0 } else { even }
    }

    fn in_pipe(&self, gain: f64) -> f64 {
        self.with_batches(self.pipe(self.bandwidth.get(), gain))
    }

    fn learn(&mut self, ack: &Acknowledgement, sample: &Sample) {
        self.new_round = false;
        let Some(rate) = sample.rate(self.min_rtt.unwrap_or_default()) else { return };
        if sample.delivered_before >= self.round_ends_delivered {
            self.round_ends_delivered = self.delivery.delivered();
            self.round += 1;
            self.new_round = true;
            self.window.round_ended();
        }
        let probe_again = self.policer.acknowledged(&Seen {
            now: ack.now,
            delivered: self.delivery.delivered(),
            lost: self.lost,
            newly_lost: self.newly_lost,
            starved: sample.starved,
            new_round: self.new_round,
            probing: matches!(self.mode, Mode::ProbeBandwidth { .. }),
        });
        if probe_again {
            self.probe_bandwidth(ack.now);
        }
        if !sample.starved || rate >= self.bandwidth.get() {
            self.bandwidth.push(self.round, rate, BANDWIDTH_ROUNDS);
        }
        let (packets, rate) = (self.packets(ack.bytes), self.rate() / self.packet_bytes());
        self.aggregation.acknowledged(ack.now, packets, rate, self.window.packets(), self.new_round);
    }

    fn look_for_full_pipe(&mut self, starved: bool) {
        if self.pipe_is_full || !self.new_round || starved {
            return;
        }
        if self.bandwidth.get() >= self.full_bandwidth * GROWTH {
            (self.full_bandwidth, self.rounds_without_growth) = (self.bandwidth.get(), 0);
        } else {
            self.rounds_without_growth += 1;
            self.pipe_is_full = self.rounds_without_growth >= ROUNDS_WITHOUT_GROWTH;
        }
    }

    fn advance(&mut self, now: Instant) {
        if let Mode::ProbeBandwidth { phase, since } = self.mode {
            let (gain, _) = self.gains();
            let whole = now - since > self.min_rtt.unwrap_or_default();
            let in_flight = self.packets(self.in_flight_before);
            let next = if gain > 1.0 {
                whole && (self.newly_lost || in_flight >= self.in_pipe(gain))
            } else if gain < 1.0 {
                whole || in_flight <= self.in_pipe(1.0)
            } else {
                whole
            };
            if next {
                self.mode = Mode::ProbeBandwidth { phase: (phase + 1) % CYCLE.len(), since: now };
            }
        }
    }

    fn drain(&mut self, now: Instant) {
        if self.mode == Mode::Startup && self.pipe_is_full {
            self.mode = Mode::Drain;
        }
        if self.mode == Mode::Drain && self.packets(self.in_flight) <= self.in_pipe(1.0) {
            self.probe_bandwidth(now);
        }
    }

    /// A cycle begins with any phase but that of draining, so that flows do not probe in step.
    fn probe_bandwidth(&mut self, now: Instant) {
        self.cycles += 1;
        let drawn = splitmix(self.setup.seed ^ (self.cycles << 32)) % 7;
        let phase = if drawn == 0 { 0 } else { drawn as usize + 1 };
        self.mode = Mode::ProbeBandwidth { phase, since: now };
    }

    fn look_at_rtt(&mut self, ack: &Acknowledgement) {
        let (now, rtt) = (ack.now, ack.rtt());
        let expired = now > self.min_rtt_at + MIN_RTT_EXPIRY;
        if expired || self.min_rtt.is_none_or(|least| rtt < least) {
            (self.min_rtt, self.min_rtt_at) = (Some(rtt), now);
        }
        if expired && !self.restarts && !matches!(self.mode, Mode::ProbeRtt { .. }) {
            self.window.save(false);
            self.mode = Mode::ProbeRtt { until: None, round_done: false };
        }
        if let Mode::ProbeRtt { until, round_done } = self.mode {
            // What is in flight is kept low on purpose.
            self.delivery.starve(self.in_flight);
            match until {
                None if self.packets(self.in_flight) <= LEAST_WINDOW => {
                    self.round_ends_delivered = self.delivery.delivered();
                    self.mode = Mode::ProbeRtt { until: Some(now + PROBE_RTT_TIME), round_done: false };
                }
                None => {}
                Some(_) => {
                    let round_done = round_done || self.new_round;
                    self.mode = Mode::ProbeRtt { until, round_done };
                    self.leave_probe_rtt(now);
                }
            }
        }
        self.restarts = false;
    }

    fn leave_probe_rtt(&mut self, now: Instant) {
        let Mode::ProbeRtt { until: Some(until), round_done: true } = self.mode else { return };
        if now <= until {
            return;
        }
        self.min_rtt_at = now;
        self.window.restore();
        if self.pipe_is_full {
            self.probe_bandwidth(now);
        } else {
            self.mode = Mode::Startup;
        }
    }

    fn set_pacing_rate(&mut self, gain: f64) {
        let rate = gain * self.rate() * MARGIN;
        if self.pacing_rate.is_none_or(|now| self.pipe_is_full || rate > now) && rate > 0.0 {
            self.pacing_rate = Some(rate);
        }
    }

    fn set_window(&mut self, acknowledged: f64) {
        let (_, gain) = self.gains();
        let rate = self.rate();
        let extra = if self.pipe_is_full { self.aggregation.extra(rate / self.packet_bytes()) } else { 0.0 };
        let target = self.with_batches(self.pipe(rate, gain) + extra);
        let young = self.delivery.delivered() < 10 * u64::from(self.setup.packet_bytes);
        self.window.acknowledged(acknowledged, self.packets(self.in_flight), target, self.pipe_is_full, young);
    }
}

impl Control for Bbr {
    fn new(now: Instant, setup: Setup) -> Self {
        Self {
            setup,
            mode: Mode::Startup,
            delivery: Delivery::new(now),
            bandwidth: RecentMost::default(),
            policer: Policer::default(),
            aggregation: Aggregation::new(now),
            round: 0,
            round_ends_delivered: 0,
            new_round: false,
            min_rtt: None,
            min_rtt_at: now,
            full_bandwidth: 0.0,
            rounds_without_growth: 0,
            pipe_is_full: false,
            pacing_rate: None,
            window: window::Window::new(f64::from(setup.initial_window_packets)),
            in_flight: 0,
            in_flight_before: 0,
            lost: 0,
            newly_lost: false,
            restarts: false,
            cycles: 0,
        }
    }

    fn sent(&mut self, now: Instant, number: u64, bytes: u64, in_flight_bytes: u64) {
        let before = in_flight_bytes - bytes;
        if before == 0 && self.delivery.is_starved() {
            self.restarts = true;
            self.aggregation.begin(now);
            match self.mode {
                Mode::ProbeBandwidth { .. } => self.set_pacing_rate(1.0),
                Mode::ProbeRtt { .. } => self.leave_probe_rtt(now),
                Mode::Startup | Mode::Drain => {}
            }
        }
        self.delivery.sent(now, number, before);
        self.in_flight = in_flight_bytes;
    }

    fn acknowledged(&mut self, ack: &Acknowledgement) {
        (self.in_flight_before, self.in_flight) = (self.in_flight, ack.in_flight_bytes);
        if self.pacing_rate.is_none() && !ack.smoothed_rtt.is_zero() {
            let window_bytes = self.window.packets() * self.packet_bytes();
            self.pacing_rate = Some(HIGH_GAIN * window_bytes / ack.smoothed_rtt.as_secs_f64());
        }
        let sample = self.delivery.acknowledged(ack.now, ack.newest, ack.bytes);
        if ack.starved {
            self.delivery.starve(ack.in_flight_bytes);
        }
        self.new_round = false;
        if let Some(sample) = sample {
            self.learn(ack, &sample);
            self.advance(ack.now);
            self.look_for_full_pipe(sample.starved);
        }
        self.drain(ack.now);
        self.look_at_rtt(ack);
        self.set_pacing_rate(self.gains().0);
        self.window.heard(ack.now, ack.newest.0, self.packets(ack.bytes));
        self.set_window(self.packets(ack.bytes));
        self.newly_lost = false;
    }

    fn lost(&mut self, loss: &Loss) {
        self.lost += loss.bytes;
        self.newly_lost = true;
        self.in_flight = loss.in_flight_bytes;
        let probing_rtt = matches!(self.mode, Mode::ProbeRtt { .. });
        let (lost, in_flight) = (self.packets(loss.bytes), self.packets(loss.in_flight_bytes));
        if self.window.lost(loss.now, loss.newest_sent, lost, in_flight, probing_rtt) {
            // Packet conservation holds for one whole round.
            self.round_ends_delivered = self.delivery.delivered();
        }
        if loss.persistent {
            self.full_bandwidth = 0.0;
            self.window.collapse(in_flight);
        }
    }

    fn undo(&mut self) {
        (self.full_bandwidth, self.rounds_without_growth) = (0.0, 0);
        self.policer = Policer::default();
        self.window.undo();
    }

    fn window_bytes(&self) -> u64 {
        let packets = match self.mode {
            Mode::ProbeRtt { .. } => self.window.packets().min(LEAST_WINDOW),
            _ => self.window.packets(),
        };
        (packets * self.packet_bytes()) as u64
    }

    fn pacing_rate_bytes_per_s(&self) -> Option<u64> {
        Some(self.pacing_rate? as u64)
    }

    fn slow_start_threshold_bytes(&self) -> Option<u64> {
        None
    }
}

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014), one step.
fn splitmix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests;
