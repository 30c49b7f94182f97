//! The interface of a congestion control: its inputs and its decisions.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// The parameters of a control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setup {
    /// Payload of a full UDP datagram; windows count in these.
    pub packet_bytes: u16,
    pub initial_window_packets: u32,
    /// The number of connections that Cubic emulates; BBR has no such choice.
    pub connections: u32,
    /// Whether sending is paced; Cubic's HyStart looks at it.
    pub paced: bool,
    /// Decides what Linux would draw by chance.
    pub seed: u64,
}

/// One batch of packets, newly acknowledged by one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Acknowledgement {
    pub now: Instant,
    /// Newly acknowledged.
    pub bytes: u64,
    /// When the latest of its packets was sent, and its number.
    pub newest: (Instant, u64),
    pub smoothed_rtt: Duration,
    pub in_flight_bytes: u64,
    /// The application had nothing to send although it was allowed to.
    pub starved: bool,
}

impl Acknowledgement {
    /// The round trip of the latest packet, the receiver's delay included, as Linux takes it.
    #[must_use]
    pub fn rtt(&self) -> Duration {
        self.now - self.newest.0
    }
}

/// One batch of packets, given up together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    pub now: Instant,
    pub bytes: u64,
    /// When the latest of them was sent.
    pub newest_sent: Instant,
    pub in_flight_bytes: u64,
    /// Everything sent over several timeouts was lost (RFC 9002, section 7.6); Linux's counterpart is a retransmission timeout.
    pub persistent: bool,
}

/// Decides how much may be in flight, and how fast it may leave.
pub trait Control: Clone + Debug + Send + Sync {
    fn new(now: Instant, setup: Setup) -> Self;

    /// One packet left; `in_flight` includes it.
    fn sent(&mut self, now: Instant, number: u64, bytes: u64, in_flight_bytes: u64);

    fn acknowledged(&mut self, ack: &Acknowledgement);

    fn lost(&mut self, loss: &Loss);

    /// All that was given up arrived after all.
    fn undo(&mut self);

    fn window_bytes(&self) -> u64;

    /// `None` before a round trip is known.
    fn pacing_rate_bytes_per_s(&self) -> Option<u64>;

    /// `None` until slow start has ended once.
    fn slow_start_threshold_bytes(&self) -> Option<u64>;
}
