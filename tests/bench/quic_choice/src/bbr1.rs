//! BBR version 1, as small as a proof allows: can a controller of our own be paced by a library?
//!
//! After Cardwell et al., "BBR: Congestion-Based Congestion Control" (2016) and
//! draft-cardwell-iccrg-bbr-congestion-control-00. Left out: packet conservation in the first
//! round after a loss, ack aggregation, policers. No clock and no I/O; times come in.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// 2 / ln 2: the smallest gain that doubles the rate each round.
const HIGH_GAIN: f64 = 2.885;
const CYCLE: [f64; 8] = [1.25, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
const BANDWIDTH_ROUNDS: u64 = 10;
const MIN_RTT_EXPIRY: Duration = Duration::from_secs(10);
const PROBE_RTT_TIME: Duration = Duration::from_millis(200);
/// Below the estimate, so that no queue is built by rounding.
const MARGIN: f64 = 0.99;

#[derive(Debug, Clone, Copy)]
struct Snapshot {
    delivered: u64,
    delivered_at: Instant,
    first_sent: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Startup,
    Drain,
    ProbeBandwidth { phase: usize, since: Instant },
    ProbeRtt { until: Option<Instant> },
}

#[derive(Debug, Clone)]
pub struct Bbr1 {
    state: State,
    mtu: u64,
    initial_window: u64,
    window: u64,
    window_before_probe_rtt: u64,
    delivered: u64,
    delivered_at: Instant,
    first_sent: Instant,
    in_flight: u64,
    acked_in_batch: u64,
    lost_in_phase: bool,
    sent: BTreeMap<Instant, Snapshot>,
    newest_acked: Option<(Instant, Snapshot)>,
    min_rtt: Option<Duration>,
    min_rtt_at: Instant,
    round: u64,
    round_ends_delivered: u64,
    bandwidths: VecDeque<(u64, f64)>,
    full_bandwidth: f64,
    rounds_without_growth: u8,
    pipe_is_full: bool,
    pacing_rate: f64,
}

impl Bbr1 {
    pub fn new(now: Instant, initial_window: u64, mtu: u16) -> Self {
        Self {
            state: State::Startup,
            mtu: mtu.into(),
            initial_window,
            window: initial_window,
            window_before_probe_rtt: initial_window,
            delivered: 0,
            delivered_at: now,
            first_sent: now,
            in_flight: 0,
            acked_in_batch: 0,
            lost_in_phase: false,
            sent: BTreeMap::new(),
            newest_acked: None,
            min_rtt: None,
            min_rtt_at: now,
            round: 0,
            round_ends_delivered: 0,
            bandwidths: VecDeque::new(),
            full_bandwidth: 0.0,
            rounds_without_growth: 0,
            pipe_is_full: false,
            pacing_rate: 0.0,
        }
    }

    pub fn initial_window(&self) -> u64 {
        self.initial_window
    }

    /// Bytes that may be in flight.
    pub fn window(&self) -> u64 {
        match self.state {
            State::ProbeRtt { .. } => self.min_window(),
            _ => self.window,
        }
    }

    /// Bytes a second; `None` before the first round trip is known.
    pub fn pacing_rate(&self) -> Option<u64> {
        (self.pacing_rate > 0.0).then_some(self.pacing_rate as u64)
    }

    /// Bytes a second: the most that was delivered over a recent round trip.
    pub fn bandwidth(&self) -> f64 {
        self.bandwidths
            .iter()
            .map(|&(_, rate)| rate)
            .fold(0.0, f64::max)
    }

    pub fn on_sent(&mut self, now: Instant, bytes: u64) {
        if self.in_flight == 0 {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        self.in_flight += bytes;
        let (delivered, delivered_at) = (self.delivered, self.delivered_at);
        let first_sent = self.first_sent;
        self.sent.insert(
            now,
            Snapshot {
                delivered,
                delivered_at,
                first_sent,
            },
        );
    }

    pub fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64) {
        self.delivered += bytes;
        self.delivered_at = now;
        self.acked_in_batch += bytes;
        let rtt = now - sent;
        let expired = now > self.min_rtt_at + MIN_RTT_EXPIRY;
        if self.min_rtt.is_none_or(|least| rtt <= least || expired) {
            if self.min_rtt.is_none() && !rtt.is_zero() {
                self.pacing_rate = HIGH_GAIN * self.initial_window as f64 / rtt.as_secs_f64();
            }
            (self.min_rtt, self.min_rtt_at) = (Some(rtt), now);
            if expired && !matches!(self.state, State::ProbeRtt { .. }) {
                self.window_before_probe_rtt = self.window;
                self.state = State::ProbeRtt { until: None };
            }
        }
        let newer = self.newest_acked.is_none_or(|(newest, _)| sent >= newest);
        if let Some(snapshot) = self.sent.get(&sent).copied().filter(|_| newer) {
            self.newest_acked = Some((sent, snapshot));
        }
    }

    pub fn on_lost(&mut self, persistent: bool) {
        self.lost_in_phase = true;
        if persistent {
            self.window = self.min_window();
        }
    }

    pub fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool) {
        self.in_flight = in_flight;
        let acked = std::mem::take(&mut self.acked_in_batch);
        let Some((sent, snapshot)) = self.newest_acked.take() else {
            return;
        };
        self.first_sent = sent;
        // Whatever was sent long before this is acked or lost.
        let horizon = sent - Duration::from_secs(10).min(sent - snapshot.first_sent);
        self.sent = self.sent.split_off(&horizon);
        let new_round = snapshot.delivered >= self.round_ends_delivered;
        if new_round {
            self.round += 1;
            self.round_ends_delivered = self.delivered;
        }
        self.take_sample(sent, snapshot, app_limited);
        if new_round && !app_limited {
            self.look_for_full_pipe();
        }
        self.advance(now);
        self.set_pacing_rate();
        self.set_window(acked);
    }

    fn take_sample(&mut self, sent: Instant, snapshot: Snapshot, app_limited: bool) {
        let interval = (sent - snapshot.first_sent).max(self.delivered_at - snapshot.delivered_at);
        // Shorter than any round trip: acks came compressed.
        if interval.is_zero() || self.min_rtt.is_some_and(|rtt| interval < rtt) {
            return;
        }
        let rate = (self.delivered - snapshot.delivered) as f64 / interval.as_secs_f64();
        let oldest = self.round.saturating_sub(BANDWIDTH_ROUNDS);
        self.bandwidths
            .retain(|&(round, r)| round >= oldest && r > rate);
        if !app_limited || self.bandwidths.is_empty() {
            self.bandwidths.push_back((self.round, rate));
        }
    }

    fn look_for_full_pipe(&mut self) {
        let bandwidth = self.bandwidth();
        if self.pipe_is_full {
        } else if bandwidth >= self.full_bandwidth * 1.25 {
            (self.full_bandwidth, self.rounds_without_growth) = (bandwidth, 0);
        } else {
            self.rounds_without_growth += 1;
            self.pipe_is_full = self.rounds_without_growth >= 3;
        }
    }

    fn advance(&mut self, now: Instant) {
        let rtt = self.min_rtt.unwrap_or_default();
        match self.state {
            State::Startup if self.pipe_is_full => self.state = State::Drain,
            State::Drain if self.in_flight <= self.bdp(1.0) => self.probe_bandwidth(now),
            State::ProbeBandwidth { phase, since } => {
                let elapsed = now - since > rtt;
                let next = match CYCLE[phase] {
                    gain if gain > 1.0 => {
                        elapsed && (self.lost_in_phase || self.in_flight >= self.bdp(gain))
                    }
                    gain if gain < 1.0 => elapsed || self.in_flight <= self.bdp(1.0),
                    _ => elapsed,
                };
                if next {
                    let phase = (phase + 1) % CYCLE.len();
                    self.lost_in_phase = false;
                    self.state = State::ProbeBandwidth { phase, since: now };
                }
            }
            State::ProbeRtt { until: None } if self.in_flight <= self.min_window() => {
                let until = now + PROBE_RTT_TIME.max(rtt);
                self.state = State::ProbeRtt { until: Some(until) };
            }
            State::ProbeRtt { until: Some(until) } if now >= until => {
                self.min_rtt_at = now;
                self.window = self.window.max(self.window_before_probe_rtt);
                if self.pipe_is_full {
                    self.probe_bandwidth(now);
                } else {
                    self.state = State::Startup;
                }
            }
            _ => {}
        }
    }

    /// Starts the cycle after its draining phase, so that no probe follows at once.
    fn probe_bandwidth(&mut self, now: Instant) {
        self.lost_in_phase = false;
        self.state = State::ProbeBandwidth {
            phase: 2,
            since: now,
        };
    }

    fn gains(&self) -> (f64, f64) {
        match self.state {
            State::Startup => (HIGH_GAIN, HIGH_GAIN),
            State::Drain => (1.0 / HIGH_GAIN, HIGH_GAIN),
            State::ProbeBandwidth { phase, .. } => (CYCLE[phase], 2.0),
            State::ProbeRtt { .. } => (1.0, 1.0),
        }
    }

    fn set_pacing_rate(&mut self) {
        let rate = self.gains().0 * self.bandwidth() * MARGIN;
        if rate > 0.0 && (self.pipe_is_full || rate > self.pacing_rate) {
            self.pacing_rate = rate;
        }
    }

    fn set_window(&mut self, acked: u64) {
        // Three batches in the making, as a sender in bursts needs to keep its rate.
        let batch = (self.pacing_rate / 1000.0).max(2.0 * self.mtu as f64) as u64;
        let target = self.bdp(self.gains().1) + 3 * batch;
        if self.pipe_is_full {
            self.window = (self.window + acked).min(target);
        } else if self.window < target || self.delivered < self.initial_window {
            self.window += acked;
        }
        self.window = self.window.max(self.min_window());
    }

    fn bdp(&self, gain: f64) -> u64 {
        match self.min_rtt {
            Some(rtt) if self.bandwidth() > 0.0 => {
                (gain * self.bandwidth() * rtt.as_secs_f64()) as u64
            }
            _ => self.initial_window,
        }
    }

    fn min_window(&self) -> u64 {
        4 * self.mtu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A link of `rate` bytes a second with `delay` round trip and no limit to its queue.
    fn run(rate: f64, delay: Duration, seconds: u64) -> Bbr1 {
        let start = Instant::now();
        let mut bbr = Bbr1::new(start, 38_400, 1200);
        let (mut now, mut next_send, mut link_free, mut in_flight) = (start, start, start, 0);
        let mut acks: VecDeque<(Instant, Instant)> = VecDeque::new();
        while now < start + Duration::from_secs(seconds) {
            if in_flight + 1200 <= bbr.window() && now >= next_send {
                bbr.on_sent(now, 1200);
                in_flight += 1200;
                link_free = link_free.max(now) + Duration::from_secs_f64(1200.0 / rate);
                acks.push_back((link_free + delay, now));
                let pace = bbr.pacing_rate().unwrap_or(1 << 30) as f64;
                next_send = now + Duration::from_secs_f64(1200.0 / pace);
            }
            while let Some(&(at, sent)) = acks.front().filter(|&&(at, _)| at <= now) {
                acks.pop_front();
                in_flight -= 1200;
                bbr.on_ack(at, sent, 1200);
                bbr.on_end_acks(at, in_flight, false);
            }
            now += Duration::from_micros(50);
        }
        bbr
    }

    #[test]
    fn finds_the_rate_of_a_link_and_paces_near_it() {
        let bbr = run(1_000_000.0, Duration::from_millis(40), 3);
        assert!(
            matches!(bbr.state, State::ProbeBandwidth { .. }),
            "{:?}",
            bbr.state
        );
        let found = bbr.bandwidth() / 1_000_000.0;
        assert!((0.95..1.05).contains(&found), "{found}");
        let pace = bbr.pacing_rate().expect("known") as f64 / 1_000_000.0;
        assert!((0.7..1.3).contains(&pace), "{pace}");
    }

    #[test]
    fn keeps_about_two_bandwidth_delay_products_in_flight() {
        let bbr = run(1_000_000.0, Duration::from_millis(40), 3);
        assert!(
            (75_000..100_000).contains(&bbr.window()),
            "{}",
            bbr.window()
        );
    }
}
