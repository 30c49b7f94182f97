//! noq's pacer obeys the rate in a controller's metrics, so a wrapper can set it from outside.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

/// Start-up pacing gain of BBR v3, 4 ln 2; later states have smaller ones and are not touched.
const STARTUP_GAIN: f64 = 2.773;

/// Sets the rate that noq's pacer follows; window and loss response stay the inner controller's.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// noq's BBR v3 begins at one window a millisecond and keeps that until its start-up ends, so
    /// the first flight is one burst. Caps it at start-up gain times the bandwidth measured.
    CapStartup,
    /// As Linux paces TCP: twice the window a round trip in slow start, 1.2 times after it.
    LikeLinux,
    /// No pacing: the fault that a check of pacing has to find.
    Off,
}

pub struct Paced {
    pub inner: Arc<dyn ControllerFactory + Send + Sync>,
    pub rule: Rule,
}

impl ControllerFactory for Paced {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        let inner = self.inner.clone().build(now, mtu);
        Box::new(Pacing {
            inner,
            rule: self.rule,
            rtt: None,
        })
    }
}

#[derive(Debug)]
struct Pacing {
    inner: Box<dyn Controller>,
    rule: Rule,
    rtt: Option<Duration>,
}

/// More than any link here, and what `Rule::Off` names (10 GB/s).
const NO_LIMIT: u64 = 10_000_000_000;

/// Bytes a second that `rule` makes of what the inner controller tells.
fn rate(rule: Rule, inner: &ControllerMetrics, initial_window: u64, rtt: Duration) -> u64 {
    let window_rate = |window: u64| window as f64 / rtt.as_secs_f64();
    match rule {
        Rule::CapStartup => {
            let first = STARTUP_GAIN / 2.0 * window_rate(initial_window);
            let measured = STARTUP_GAIN * inner.bandwidth_estimate.unwrap_or(0) as f64 / 8.0;
            inner
                .pacing_rate
                .unwrap_or(NO_LIMIT)
                .min(first.max(measured) as u64)
        }
        Rule::LikeLinux => {
            let window = inner.congestion_window;
            let slow_start = inner.ssthresh.is_none_or(|threshold| window < threshold);
            let gain = if slow_start { 2.0 } else { 1.2 };
            (gain * window_rate(window)) as u64
        }
        Rule::Off => NO_LIMIT,
    }
}

impl Controller for Pacing {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.inner.on_sent(now, bytes, largest_pn);
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.inner.on_packet_sent(now, bytes, pn);
    }

    fn on_cwnd_limited(&mut self) {
        self.inner.on_cwnd_limited();
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        // The library's estimate takes this sample in only after the call.
        let rtt_now = if self.rtt.is_none() {
            now - sent
        } else {
            rtt.get()
        };
        self.rtt = Some(rtt_now).filter(|rtt| !rtt.is_zero());
        self.inner.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, idle: bool, largest: Option<u64>) {
        self.inner.on_end_acks(now, in_flight, idle, largest);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        persistent: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        let inner = &mut self.inner;
        inner.on_congestion_event(now, sent, persistent, is_ecn, lost_bytes, largest_lost_pn);
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.inner.on_packet_lost(lost_bytes, pn, now);
    }

    fn on_spurious_congestion_event(&mut self) {
        self.inner.on_spurious_congestion_event();
    }

    fn on_mtu_update(&mut self, mtu: u16) {
        self.inner.on_mtu_update(mtu);
    }

    fn on_ack_frequency_update(&mut self, threshold: u64, max_ack_delay: Duration) {
        self.inner.on_ack_frequency_update(threshold, max_ack_delay);
    }

    fn window(&self) -> u64 {
        self.inner.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = self.inner.metrics();
        if let Some(rtt) = self.rtt {
            let initial_window = self.inner.initial_window();
            metrics.pacing_rate = Some(rate(self.rule, &metrics, initial_window, rtt));
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Self {
            inner: self.inner.clone_box(),
            rule: self.rule,
            rtt: self.rtt,
        })
    }

    fn initial_window(&self) -> u64 {
        self.inner.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.inner.into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Duration = Duration::from_millis(100);

    fn metrics(
        window: u64,
        ssthresh: Option<u64>,
        bandwidth_bps: Option<u64>,
    ) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = window;
        metrics.ssthresh = ssthresh;
        metrics.bandwidth_estimate = bandwidth_bps;
        metrics
    }

    #[test]
    fn the_cap_starts_at_the_window_and_follows_the_measured_bandwidth() {
        let capped = |bandwidth| rate(Rule::CapStartup, &metrics(0, None, bandwidth), 38_400, RTT);
        assert_eq!(capped(None), 532_416);
        assert_eq!(capped(Some(8_000_000)), 2_773_000);
    }

    #[test]
    fn linux_paces_slow_start_at_twice_the_window_and_then_at_six_fifths() {
        let linux = |ssthresh| rate(Rule::LikeLinux, &metrics(10_000, ssthresh, None), 0, RTT);
        assert_eq!((linux(None), linux(Some(10_000))), (200_000, 120_000));
    }
}
