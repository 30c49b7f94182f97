//! Paces a congestion control of the library as Linux paces TCP.
//!
//! The library's pacer follows the rate that a controller names, so this wrapper names one; window and response to losses stay
//! those of the controller within.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

/// 10 Gbit/s: what a stack without pacing names.
pub const NO_LIMIT_BYTES_PER_S: u64 = 1_250_000_000;

/// Bytes a second, by the rule of Linux (`tcp_update_pacing_rate`, at its defaults `tcp_pacing_ss_ratio` 200 and
/// `tcp_pacing_ca_ratio` 120): twice the window a round trip while it is below half the slow-start threshold, else 1.2 times.
fn linux_rate(window_bytes: u64, slow_start_threshold_bytes: Option<u64>, rtt: Duration) -> u64 {
    let slow_start = slow_start_threshold_bytes.is_none_or(|threshold| window_bytes < threshold / 2);
    let gain = if slow_start { 2.0 } else { 1.2 };
    (gain * window_bytes as f64 / rtt.as_secs_f64()) as u64
}

/// Makes controllers of `inner` that are paced, or with `pacing` off not at all.
pub struct Paced {
    pub inner: Arc<dyn ControllerFactory + Send + Sync>,
    pub pacing: bool,
}

impl ControllerFactory for Paced {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        let inner = Arc::clone(&self.inner).build(now, mtu);
        Box::new(Pacing { inner, pacing: self.pacing, rtt: RoundTrip::default() })
    }
}

#[derive(Debug)]
struct Pacing {
    inner: Box<dyn Controller>,
    pacing: bool,
    rtt: RoundTrip,
}

/// The smoothed round trip. The library hands out its estimate before it takes in the acknowledgement at hand, so for the first one
/// that is a guess of a third of a second, which would make the first flight three times too slow on DSL.
#[derive(Debug, Default, Clone, Copy)]
struct RoundTrip {
    now: Option<Duration>,
    library_has_one: bool,
}

impl RoundTrip {
    fn acknowledged(&mut self, sample: Duration, estimate: Duration) {
        let rtt = if self.library_has_one { estimate } else { sample };
        self.now = Some(rtt).filter(|rtt| !rtt.is_zero());
    }

    /// All packets of one acknowledgement have been told.
    fn batch_ended(&mut self) {
        self.library_has_one |= self.now.is_some();
    }
}

impl Controller for Pacing {
    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = self.inner.metrics();
        metrics.pacing_rate = if self.pacing {
            self.rtt.now.map(|rtt| linux_rate(metrics.congestion_window, metrics.ssthresh, rtt))
        } else {
            Some(NO_LIMIT_BYTES_PER_S)
        };
        metrics
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, pn: u64, app_limited: bool, rtt: &RttEstimator) {
        self.rtt.acknowledged(now - sent, rtt.get());
        self.inner.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, app_limited: bool, largest: Option<u64>) {
        self.rtt.batch_ended();
        self.inner.on_end_acks(now, in_flight, app_limited, largest);
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Self { inner: self.inner.clone_box(), ..*self })
    }

    // The rest is handed on as it comes.

    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.inner.on_sent(now, bytes, largest_pn);
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.inner.on_packet_sent(now, bytes, pn);
    }

    fn on_cwnd_limited(&mut self) {
        self.inner.on_cwnd_limited();
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
        self.inner.on_congestion_event(now, sent, persistent, is_ecn, lost_bytes, largest_lost_pn);
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

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn slow_start_goes_at_twice_the_window_a_round_trip_and_the_rest_at_six_fifths() {
        let rate = |threshold| linux_rate(10_000, threshold, ms(100));
        assert_eq!(rate(None), 200_000);
        assert_eq!(rate(Some(u64::MAX)), 200_000);
        assert_eq!(rate(Some(20_002)), 200_000);
        assert_eq!(rate(Some(20_000)), 120_000);
        assert_eq!(rate(Some(10_000)), 120_000);
    }

    #[test]
    fn the_first_acknowledgement_counts_as_measured_and_later_ones_as_estimated() {
        let guess = ms(333);
        let mut rtt = RoundTrip::default();
        rtt.acknowledged(ms(25), guess);
        rtt.acknowledged(ms(24), guess);
        rtt.batch_ended();
        assert_eq!(rtt.now, Some(ms(24)));
        rtt.acknowledged(ms(40), ms(26));
        assert_eq!(rtt.now, Some(ms(26)));
    }
}
