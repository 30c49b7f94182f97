//! Connects the testbed's congestion controls to the QUIC library, whose pacer follows the rate that a controller
//! names.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use noq::congestion::{Controller, ControllerFactory, ControllerMetrics};
use noq_proto::RttEstimator;

use eyelevel_congestion::{Acknowledgement, Control, Loss, Setup};

/// 10 Gbit/s: what a stack without pacing names.
pub const NO_LIMIT_BYTES_PER_S: u64 = 1_250_000_000;

/// 8 Gbit/s: what a paced stack names until it knows a round trip. The handshake's few packets then go at once, as the first ten of a
/// connection do in the kernel; the library by itself would pace them by its guess of a third of a second, 8 ms apart.
const UNTIMED_BYTES_PER_S: u64 = 1_000_000_000;

/// Of the window, whatever the control says.
const LEAST_PACKETS: u64 = 2;

/// Makes controllers of one kind.
pub struct Steered<C> {
    setup: Setup,
    controllers: AtomicU64,
    kind: PhantomData<fn() -> C>,
}

impl<C> Steered<C> {
    pub fn new(setup: Setup) -> Self {
        Self { setup, controllers: AtomicU64::new(0), kind: PhantomData }
    }
}

impl<C: Control + 'static> ControllerFactory for Steered<C> {
    fn build(self: Arc<Self>, now: Instant, _mtu: u16) -> Box<dyn Controller> {
        // Nothing in the servers is random: the first connection of every run has the same seed, and so on.
        let setup = Setup { seed: self.controllers.fetch_add(1, Ordering::Relaxed), ..self.setup };
        Box::new(Steering {
            control: C::new(now, setup),
            setup,
            in_flight_bytes: 0,
            batch: None,
            library_has_rtt: false,
            timeouts: 0,
        })
    }
}

/// A control as the library wants it.
#[derive(Debug, Clone)]
pub struct Steering<C> {
    control: C,
    setup: Setup,
    in_flight_bytes: u64,
    batch: Option<Batch>,
    library_has_rtt: bool,
    timeouts: u64,
}

impl<C> Steering<C> {
    pub fn control(&self) -> &C {
        &self.control
    }

    /// How often all was lost that was sent over several probe timeouts (RFC 9002, section 7.6).
    pub fn timeouts(&self) -> u64 {
        self.timeouts
    }
}

/// The packets of one acknowledgement so far.
#[derive(Debug, Clone, Copy)]
struct Batch {
    bytes: u64,
    newest: (Instant, u64),
    smoothed_rtt: Duration,
}

impl<C: Control + 'static> Controller for Steering<C> {
    fn on_packet_sent(&mut self, now: Instant, bytes: u16, number: u64) {
        let bytes = u64::from(bytes);
        self.in_flight_bytes += bytes;
        self.control.sent(now, number, bytes, self.in_flight_bytes);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, number: u64, _starved: bool, rtt: &RttEstimator) {
        // The library hands out its estimate before it takes in the acknowledgement at hand, so for the first one that is a guess of a
        // third of a second, which would make the first flight three times too slow on DSL.
        let smoothed_rtt = if self.library_has_rtt { rtt.get() } else { now - sent };
        let batch = self.batch.get_or_insert(Batch { bytes: 0, newest: (sent, number), smoothed_rtt });
        batch.bytes += bytes;
        if (sent, number) >= batch.newest {
            (batch.newest, batch.smoothed_rtt) = ((sent, number), smoothed_rtt);
        }
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, starved: bool, _largest: Option<u64>) {
        self.in_flight_bytes = in_flight;
        let Some(Batch { bytes, newest, smoothed_rtt }) = self.batch.take() else { return };
        self.library_has_rtt = true;
        let ack = Acknowledgement { now, bytes, newest, smoothed_rtt, in_flight_bytes: in_flight, starved };
        self.control.acknowledged(&ack);
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, _number: u64, _now: Instant) {
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(u64::from(lost_bytes));
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        newest_sent: Instant,
        persistent: bool,
        _is_ecn: bool,
        bytes: u64,
        _largest: u64,
    ) {
        self.timeouts += u64::from(persistent);
        self.control.lost(&Loss { now, bytes, newest_sent, in_flight_bytes: self.in_flight_bytes, persistent });
    }

    fn on_spurious_congestion_event(&mut self) {
        self.control.undo();
    }

    /// The size of datagrams is fixed (`transport::DATAGRAM_BYTES`).
    fn on_mtu_update(&mut self, _mtu: u16) {}

    /// At least two packets (RFC 9002, section 7.2). The kernel's controls, which ours follow, may go down to one: there only whole
    /// packets count. Here a few bytes that are never acknowledged by themselves, such as padding, would keep the last one back for ever.
    fn window(&self) -> u64 {
        self.control.window_bytes().max(LEAST_PACKETS * u64::from(self.setup.packet_bytes))
    }

    fn initial_window(&self) -> u64 {
        u64::from(self.setup.initial_window_packets) * u64::from(self.setup.packet_bytes)
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.window();
        metrics.ssthresh = self.control.slow_start_threshold_bytes();
        metrics.pacing_rate = Some(if self.setup.paced {
            self.control.pacing_rate_bytes_per_s().unwrap_or(UNTIMED_BYTES_PER_S)
        } else {
            NO_LIMIT_BYTES_PER_S
        });
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
