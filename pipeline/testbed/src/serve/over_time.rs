//! Samples of a connection's transport at equal intervals: window, round trip and losses.

use serde::Serialize;

use super::state::TransportState;
use crate::emulate::series::{Epoch, INTERVAL};

/// Samples of one connection, all lists of one length. Windows are in full packets, as both transports count them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverTime {
    pub interval_ms: u64,
    /// When the first sample was taken, in milliseconds since 1970.
    pub begun_unix_ms: u64,
    pub window_packets: Vec<f64>,
    pub rtt_ms: Vec<f64>,
    /// All so far: what TCP sent again, and what QUIC declared lost.
    pub lost_packets: Vec<u64>,
    pub timeouts: Vec<u64>,
}

impl OverTime {
    /// The first sample is taken now.
    #[must_use]
    pub fn begin() -> Self {
        let interval_ms = u64::try_from(INTERVAL.as_millis()).unwrap_or(u64::MAX);
        Self {
            interval_ms,
            begun_unix_ms: Epoch::now().unix_ms,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_both_transports_are_in_full_packets() {
        let mut series = OverTime::begin();
        series.add(&TransportState::Tcp {
            congestion_control: None,
            cwnd_packets: 32,
            slow_start_threshold_packets: None,
            mss_bytes: 1448,
            rtt_ms: 24.0,
            min_rtt_ms: 24.0,
            retransmitted_packets: 3,
            sent_packets: 90,
            timeouts: 1,
            pacing_rate_bytes_per_s: None,
        });
        series.add(&TransportState::Quic {
            congestion_control: None,
            cwnd_bytes: 14_720 + 736,
            slow_start_threshold_bytes: None,
            mtu_bytes: 1472,
            rtt_ms: 25.0,
            lost_packets: 4,
            lost_bytes: 5888,
            congestion_events: 2,
            spurious_congestion_events: 0,
            timeouts: None,
            sent_packets: 95,
            sent_datagram_bytes: 100_000,
        });
        assert_eq!(series.window_packets, [32.0, 10.5]);
        assert_eq!((series.rtt_ms, series.lost_packets, series.timeouts), (vec![24.0, 25.0], vec![3, 4], vec![1, 0]));
    }
}
