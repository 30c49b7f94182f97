//! Configures the QUIC library by a stack's definition.

use std::sync::Arc;
use std::time::Duration;

use noq::congestion::ControllerFactory;
use noq::{TransportConfig, VarInt};

use super::steering::Steered;
use eyelevel_congestion::{Bbr, Cubic, Setup};
use eyelevel_definitions::stacks::{CongestionControl, Stack};

/// Payload of a UDP datagram that fills an IPv4 packet of 1500 bytes, as a full TCP segment does. It is also the most that Chromium
/// takes, so nothing is left to discover, and no probe disturbs the first flights.
pub const DATAGRAM_BYTES: u16 = 1472;

/// As in HTTP/2 (`tcp::connection`).
const STREAMS_AT_ONCE: u32 = 100;
const UPLOAD_WINDOW_BYTES: u32 = 1 << 20;

/// Above the longest silence of a page on a slow link; as patient as TCP.
const IDLE: Duration = Duration::from_secs(120);

/// Never a limit: what is handed over ahead is the unsent's to say, and memory holds whole recordings anyway.
const SEND_WINDOW_BYTES: u64 = 1 << 30;

/// The configuration of every connection of the stack.
pub fn config(stack: &'static Stack) -> TransportConfig {
    // Both count what they send in full packets, so both first flights are the same number of packets of 1500 bytes.
    let setup = Setup {
        packet_bytes: DATAGRAM_BYTES,
        initial_window_packets: stack.initial_window_packets,
        connections: stack.emulated_connections,
        paced: stack.pacing,
        seed: 0,
    };
    let control: Arc<dyn ControllerFactory + Send + Sync> = match stack.congestion_control {
        CongestionControl::Cubic => Arc::new(Steered::<Cubic>::new(setup)),
        CongestionControl::Bbr => Arc::new(Steered::<Bbr>::new(setup)),
    };
    let mut config = TransportConfig::default();
    config
        .congestion_controller_factory(control)
        .initial_rtt(Duration::from_millis(stack.initial_rtt_ms.into()))
        .initial_mtu(DATAGRAM_BYTES)
        .min_mtu(DATAGRAM_BYTES)
        .mtu_discovery_config(None)
        // Batches of segments would leave as bursts, whatever the pacer says.
        .enable_segmentation_offload(false)
        // Each packet is for the stream of the highest rank (`unsent`). Without, it would be for the same stream as the last one
        // until that runs dry, whatever the scheduler says.
        .send_fairness(true)
        .send_window(SEND_WINDOW_BYTES)
        .max_concurrent_bidi_streams(VarInt::from_u32(STREAMS_AT_ONCE))
        .stream_receive_window(VarInt::from_u32(UPLOAD_WINDOW_BYTES))
        .receive_window(VarInt::from_u32(UPLOAD_WINDOW_BYTES))
        .max_idle_timeout(Some(IDLE.try_into().expect("two minutes fit")))
        .datagram_receive_buffer_size(None);
    config
}
