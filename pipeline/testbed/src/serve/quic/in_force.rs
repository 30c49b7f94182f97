//! The settings in force for a connection, as the running parts of the library report them.

use noq::PathId;
use noq::congestion::Controller;
use socket2::Socket;

use super::steering::{NO_LIMIT_BYTES_PER_S, Steering};
use super::transport::DATAGRAM_BYTES;
use eyelevel_congestion::{Bbr, Cubic};
use eyelevel_definitions::stacks::{CongestionControl, name_of_control};
use eyelevel_wire::server::InForce;

/// Of the only path: there is no multipath here. `socket` is the one that all connections of an address share.
pub fn in_force(quic: &noq::Connection, socket: &Socket) -> Option<InForce> {
    let controller = quic.congestion_state(PathId::ZERO)?;
    let has_lost = quic.path_stats(PathId::ZERO)?.lost_packets > 0;
    // A window below the one that the controller claims to have begun with was never as large.
    let window_bytes = controller.initial_window().min(controller.window());
    let window_packets = u32::try_from(window_bytes / u64::from(DATAGRAM_BYTES)).ok();
    Some(InForce {
        initial_window_packets: window_packets.filter(|_| !has_lost),
        pacing: Some(controller.metrics().pacing_rate != Some(NO_LIMIT_BYTES_PER_S)),
        congestion_control: running(controller).map(|running| running.name),
        send_buffer_bytes: socket.send_buffer_size().ok().map(|bytes| bytes as u64),
        receive_buffer_bytes: socket.recv_buffer_size().ok().map(|bytes| bytes as u64),
    })
}

/// A controller of this testbed.
pub struct Running {
    pub name: String,
    pub timeouts: u64,
}

/// By the type that decides, not by what it was asked for.
pub fn running(controller: Box<dyn Controller>) -> Option<Running> {
    let controller = controller.into_any();
    if let Some(cubic) = controller.downcast_ref::<Steering<Cubic>>() {
        let name = name_of_control(CongestionControl::Cubic, cubic.control().connections());
        return Some(Running { name, timeouts: cubic.timeouts() });
    }
    let bbr = controller.downcast_ref::<Steering<Bbr>>()?;
    Some(Running { name: name_of_control(CongestionControl::Bbr, 1), timeouts: bbr.timeouts() })
}
