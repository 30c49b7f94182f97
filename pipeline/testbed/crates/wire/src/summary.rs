//! Summary of a run: the settings in force on the wire, and their outcomes.

use std::collections::BTreeSet;

use serde::Serialize;

use super::flight::FirstFlight;
use super::flows::Flow;
use super::server::{Connection, InForce, Kernel, ServerPart};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    pub settings: Settings,
    pub outcomes: Outcomes,
}

/// Settings of a stack. Between two stacks these differ only where their definitions do. Each is the list of distinct
/// values over the connections: one where all agree, none where it is unknown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// Of the flows that carried data.
    pub transport: BTreeSet<&'static str>,
    pub alpn: BTreeSet<String>,
    pub tls: BTreeSet<String>,
    pub handshake_round_trips: BTreeSet<u32>,
    pub early_data: bool,
    pub resumption: BTreeSet<bool>,
    pub initial_window_packets: BTreeSet<u32>,
    pub congestion_control: BTreeSet<String>,
    pub pacing: BTreeSet<bool>,
    pub send_buffer_bytes: BTreeSet<u64>,
    pub receive_buffer_bytes: BTreeSet<u64>,
    /// Of the server's namespace, where the transport is TCP.
    pub kernel: Option<Kernel>,
}

/// Outcomes, which depend on the page, the network and chance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcomes {
    /// Flows that carried data.
    pub connections: u64,
    /// Of these, those that carried requests; null without the servers' part.
    pub connections_used: Option<u64>,
    /// The largest one.
    pub first_flight: Option<FirstFlight>,
    /// Packets that TCP sent again, or QUIC declared lost and repeated in others; null where no connection reported it.
    pub retransmitted_packets: Option<u64>,
    pub drops_queue: u64,
    pub drops_loss: u64,
}

impl Flow {
    /// Whether anything but empty packets passed.
    #[must_use]
    pub fn carried_data(&self) -> bool {
        self.transport != "udp" && self.down.data_packets + self.up.data_packets > 0
    }
}

#[must_use]
pub fn summary(flows: &[Flow], server: Option<&ServerPart>) -> Summary {
    let used: Vec<&Flow> = flows.iter().filter(|flow| flow.carried_data()).collect();
    let transport: BTreeSet<&'static str> = used.iter().map(|flow| flow.transport).collect();
    let connections = server.map_or(&[][..], |part| &part.connections[..]);
    let kernel = server.map(|part| part.kernel.clone()).filter(|_| transport.contains("tcp"));
    let resumed = used.iter().filter_map(|flow| flow.resumed).chain(each(connections, |connection| connection.resumed));
    Summary {
        settings: Settings {
            alpn: each(connections, |connection| connection.alpn.clone()).collect(),
            tls: each(connections, |connection| connection.tls.clone()).collect(),
            handshake_round_trips: used.iter().filter_map(|flow| flow.handshake_round_trips).collect(),
            early_data: used.iter().any(|flow| flow.early_data_packets > 0 || flow.syn_data_bytes > Some(0)),
            resumption: resumed.collect(),
            initial_window_packets: in_force(connections, |settings| settings.initial_window_packets),
            congestion_control: in_force(connections, |settings| settings.congestion_control.clone()),
            pacing: in_force(connections, |settings| settings.pacing),
            send_buffer_bytes: in_force(connections, |settings| settings.send_buffer_bytes),
            receive_buffer_bytes: in_force(connections, |settings| settings.receive_buffer_bytes),
            transport,
            kernel,
        },
        outcomes: Outcomes {
            connections: used.len() as u64,
            connections_used: server
                .map(|_| connections.iter().filter(|connection| connection.requests > 0).count() as u64),
            first_flight: used.iter().filter_map(|flow| flow.first_flight.clone()).max_by_key(|flight| flight.packets),
            retransmitted_packets: each(connections, |connection| {
                let counts = connection.at_close.as_ref()?;
                counts.retransmitted_packets.or(counts.lost_packets)
            })
            .reduce(|sum, more| sum + more),
            drops_queue: flows.iter().map(|flow| flow.down.drops_queue + flow.up.drops_queue).sum(),
            drops_loss: flows.iter().map(|flow| flow.down.drops_loss + flow.up.drops_loss).sum(),
        },
    }
}

fn each<T>(connections: &[Connection], value_of: impl Fn(&Connection) -> Option<T>) -> impl Iterator<Item = T> {
    connections.iter().filter_map(value_of)
}

fn in_force<T: Ord>(connections: &[Connection], value_of: impl Fn(&InForce) -> Option<T>) -> BTreeSet<T> {
    each(connections, |connection| connection.at_open.as_ref().and_then(&value_of)).collect()
}
