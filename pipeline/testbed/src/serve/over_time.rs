//! What the transport of a connection does over time: window, round trip and losses, in samples of equal distance.

use std::future::pending;

use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};

use super::log::TransportState;
use super::shared::Shared;
use crate::emulate::series::INTERVAL;

/// Samples of one connection, all lists of one length. Windows are in full packets, as both transports count them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverTime {
    pub interval_ms: u64,
    /// When the first sample was taken, since the servers were ready.
    pub begun_ms: f64,
    pub window_packets: Vec<f64>,
    pub rtt_ms: Vec<f64>,
    /// All so far: what TCP sent again, and what QUIC gave up as lost.
    pub lost_packets: Vec<u64>,
    pub timeouts: Vec<u64>,
}

impl OverTime {
    #[must_use]
    pub fn since(begun_ms: f64) -> Self {
        let interval_ms = u64::try_from(INTERVAL.as_millis()).unwrap_or(u64::MAX);
        Self {
            interval_ms,
            begun_ms,
            window_packets: Vec::new(),
            rtt_ms: Vec::new(),
            lost_packets: Vec::new(),
            timeouts: Vec::new(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^52 bytes")]
    pub fn add(&mut self, state: &TransportState) {
        let (window_packets, rtt_ms, lost_packets, timeouts) = match *state {
            TransportState::Tcp { cwnd_packets, rtt_ms, retransmitted_packets, timeouts, .. } => {
                (cwnd_packets.into(), rtt_ms, retransmitted_packets.into(), timeouts.into())
            }
            TransportState::Quic { cwnd_bytes, mtu_bytes, rtt_ms, lost_packets, timeouts, .. } => {
                (cwnd_bytes as f64 / f64::from(mtu_bytes), rtt_ms, lost_packets, timeouts.unwrap_or_default())
            }
        };
        self.window_packets.push((window_packets * 1e3).round() / 1e3);
        self.rtt_ms.push(rtt_ms);
        self.lost_packets.push(lost_packets);
        self.timeouts.push(timeouts);
    }
}

/// Samples a connection for as long as it lives. Does nothing where the run was not asked for it.
pub(crate) async fn keep(shared: &Shared, connection: usize, state: impl Fn() -> Option<TransportState>) {
    if !shared.series {
        return pending().await;
    }
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    loop {
        ticks.tick().await;
        if let Some(state) = state() {
            shared.log.sampled(connection, &state);
        }
    }
}
