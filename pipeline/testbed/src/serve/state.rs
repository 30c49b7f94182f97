//! The state of a transport, as it reports it.

use serde::Serialize;

/// The state that a transport reports for a connection.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "transport", rename_all = "lowercase")]
pub enum TransportState {
    Tcp {
        congestion_control: Option<String>,
        cwnd_packets: u32,
        /// `null` until slow start has ended once.
        slow_start_threshold_packets: Option<u32>,
        mss_bytes: u32,
        rtt_ms: f64,
        min_rtt_ms: f64,
        retransmitted_packets: u32,
        sent_packets: u32,
        /// Retransmission timeouts.
        timeouts: u32,
        pacing_rate_bytes_per_s: Option<u64>,
    },
    Quic {
        congestion_control: Option<String>,
        cwnd_bytes: u64,
        slow_start_threshold_bytes: Option<u64>,
        mtu_bytes: u16,
        rtt_ms: f64,
        lost_packets: u64,
        lost_bytes: u64,
        congestion_events: u64,
        /// Those after which all that was given up arrived.
        spurious_congestion_events: u64,
        /// Losses of all that was sent over several probe timeouts: the counterpart of TCP's timeouts.
        timeouts: Option<u64>,
        sent_packets: u64,
        sent_datagram_bytes: u64,
    },
}
