//! `bbr1` as a controller of noq, whose pacer obeys the rate in its metrics.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use crate::bbr1::Bbr1;
use crate::server::INITIAL_WINDOW_BYTES;

pub struct Bbr1Config;

impl ControllerFactory for Bbr1Config {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        Box::new(OnNoq(Bbr1::new(now, INITIAL_WINDOW_BYTES, mtu)))
    }
}

#[derive(Debug, Clone)]
struct OnNoq(Bbr1);

impl Controller for OnNoq {
    fn on_sent(&mut self, now: Instant, bytes: u64, _largest_pn: u64) {
        self.0.on_sent(now, bytes);
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        _pn: u64,
        _app_limited: bool,
        _rtt: &RttEstimator,
    ) {
        self.0.on_ack(now, sent, bytes);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, idle: bool, _largest: Option<u64>) {
        self.0.on_end_acks(now, in_flight, idle);
    }

    fn on_congestion_event(
        &mut self,
        _now: Instant,
        _sent: Instant,
        persistent: bool,
        _is_ecn: bool,
        _lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        self.0.on_lost(persistent);
    }

    fn on_mtu_update(&mut self, _mtu: u16) {}

    fn window(&self) -> u64 {
        self.0.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.0.window();
        metrics.pacing_rate = self.0.pacing_rate();
        metrics.bandwidth_estimate = Some((self.0.bandwidth() * 8.0) as u64);
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.0.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
