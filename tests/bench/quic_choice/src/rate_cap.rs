//! A noq controller whose start is paced: what noq's pacer obeys can be corrected from outside.
//!
//! noq's BBR v3 begins at a nominal rate of one window a millisecond and keeps it until its
//! start-up ends, so that the first flight leaves as one burst. This wrapper caps the rate that it
//! tells: start-up gain times the bandwidth it has measured, and at least one initial window a
//! round trip (draft-ietf-ccwg-bbr, where the initial rate is set anew at the first RTT sample).

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

/// Start-up pacing gain of BBR v3, 4 ln 2; later states have smaller ones and are not touched.
const STARTUP_GAIN: f64 = 2.773;

pub struct RateCap(pub Arc<dyn ControllerFactory + Send + Sync>);

impl ControllerFactory for RateCap {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        let inner = self.0.clone().build(now, mtu);
        Box::new(Capped { inner, rtt: None })
    }
}

#[derive(Debug)]
struct Capped {
    inner: Box<dyn Controller>,
    rtt: Option<Duration>,
}

/// Bytes a second: what may leave before and after the first bandwidth sample.
fn cap(initial_window: u64, rtt: Duration, bandwidth_bps: Option<u64>) -> u64 {
    let first = STARTUP_GAIN / 2.0 * initial_window as f64 / rtt.as_secs_f64();
    let measured = STARTUP_GAIN * bandwidth_bps.unwrap_or(0) as f64 / 8.0;
    first.max(measured) as u64
}

impl Controller for Capped {
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
        self.rtt = Some(rtt.get()).filter(|rtt| !rtt.is_zero());
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
        if let (Some(rate), Some(rtt)) = (metrics.pacing_rate, self.rtt) {
            let cap = cap(self.inner.initial_window(), rtt, metrics.bandwidth_estimate);
            metrics.pacing_rate = Some(rate.min(cap));
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Self {
            inner: self.inner.clone_box(),
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

    #[test]
    fn the_cap_starts_at_the_window_and_follows_the_measured_bandwidth() {
        let rtt = Duration::from_millis(100);
        assert_eq!(cap(38_400, rtt, None), 532_416);
        assert_eq!(cap(38_400, rtt, Some(8_000_000)), 2_773_000);
    }
}
