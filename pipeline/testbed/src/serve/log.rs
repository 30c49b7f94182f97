//! The log of the servers: connections and requests, as the wire report has them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;

use super::over_time::OverTime;
use super::state::TransportState;
use eyelevel_replay::matching::{Answer, Kind};
use eyelevel_wire::server::{self, Counts, InForce};

/// One request, in the order of their beginnings.
#[derive(Debug, Clone, Serialize)]
pub struct Request {
    pub connection: usize,
    pub method: String,
    pub url: String,
    pub matched_url: Option<String>,
    pub kind: Kind,
    pub status: u16,
    /// Bytes of the body that answers, whether or not all of them were fetched; as recorded where its callback was renamed.
    pub body_bytes: usize,
    /// Whether the body calls the function that was asked for instead of the recorded one (JSONP).
    pub callback_renamed: bool,
    /// The `priority` header field as it came.
    pub priority: Option<String>,
    /// Since the servers were ready, when the request's header had arrived.
    pub begun_ms: f64,
    /// When the last byte was handed to the transport; `null` where the request was given up.
    pub handed_over_ms: Option<f64>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Connection {
    pub address: SocketAddr,
    pub peer: SocketAddr,
    /// `null`, like `tls`, where the handshake did not complete.
    pub alpn: Option<String>,
    pub tls: Option<String>,
    /// Whether TLS took up an earlier session.
    pub resumed: Option<bool>,
    /// Whether the server asked for another ClientHello, which takes a round trip.
    pub hello_retried: Option<bool>,
    pub opened_ms: f64,
    pub closed_ms: Option<f64>,
    pub requests: usize,
    /// Bytes of bodies handed to the transport.
    pub body_bytes_sent: u64,
    /// PRIORITY_UPDATE frames that came.
    pub priority_updates: usize,
    /// Answers that announced QUIC.
    pub alt_svc_answers: usize,
    /// `null` where the transport would not tell, and for QUIC where the handshake did not complete.
    pub at_open: Option<InForce>,
    /// `null` while the connection is open, and where the transport would not tell.
    pub at_close: Option<TransportState>,
    /// Why it ended, where that was not the client's orderly leave.
    pub fault: Option<String>,
    /// Where the run was asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<OverTime>,
}

impl Connection {
    /// What is compared with the stack's definition.
    pub fn part(&self) -> server::Connection {
        let counts = |state: &TransportState| match state {
            TransportState::Tcp { retransmitted_packets, .. } => {
                Counts { retransmitted_packets: Some((*retransmitted_packets).into()), lost_packets: None }
            }
            TransportState::Quic { lost_packets, .. } => {
                Counts { retransmitted_packets: None, lost_packets: Some(*lost_packets) }
            }
        };
        server::Connection {
            address: self.address.to_string(),
            peer: Some(self.peer.to_string()),
            alpn: self.alpn.clone(),
            tls: self.tls.clone(),
            resumed: self.resumed,
            hello_retried: self.hello_retried,
            at_open: self.at_open.clone(),
            at_close: self.at_close.as_ref().map(counts),
            requests: self.requests as u64,
            alt_svc_answers: Some(self.alt_svc_answers as u64),
        }
    }
}

#[derive(Debug, Default)]
struct Entries {
    requests: Vec<Request>,
    connections: Vec<Connection>,
}

/// Shared by all connections of the process.
#[derive(Debug)]
pub struct Log {
    epoch: Instant,
    entries: Mutex<Entries>,
}

/// What the server at one address shows in each handshake, before any compression (there is none).
#[derive(Debug, Clone, Serialize)]
pub struct Presented {
    pub address: Ipv4Addr,
    /// Number of hosts that live there.
    pub hosts: usize,
    /// Number of certificates sent.
    pub certificates: usize,
    /// Their size together, in DER.
    pub chain_bytes: usize,
}

#[derive(Debug, Serialize)]
pub struct Served {
    pub servers: Vec<Presented>,
    pub connections: Vec<Connection>,
    pub requests: Vec<Request>,
    /// Requests by how they were answered.
    pub counts: BTreeMap<Kind, usize>,
    /// Requests whose answer calls the function that was asked for instead of the recorded one (JSONP).
    pub callback_renamed: usize,
    /// Requests by the protocol that they came over, as TLS names it.
    pub protocols: BTreeMap<String, usize>,
    pub served_ms: f64,
    /// The origin of all times.
    #[serde(skip)]
    epoch: Instant,
}

/// What was served before the moment from which a report counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Earlier {
    pub connections: usize,
    pub requests: usize,
    /// Requests after that moment over connections from before it. They are not listed.
    pub late_requests: usize,
}

impl Served {
    fn new(
        servers: Vec<Presented>,
        connections: Vec<Connection>,
        requests: Vec<Request>,
        served_ms: f64,
        epoch: Instant,
    ) -> Self {
        let mut counts = BTreeMap::from(Kind::ALL.map(|kind| (kind, 0)));
        let mut protocols = BTreeMap::new();
        for request in &requests {
            *counts.entry(request.kind).or_default() += 1;
            if let Some(alpn) = connections[request.connection].alpn.clone() {
                *protocols.entry(alpn).or_default() += 1;
            }
        }
        let callback_renamed = requests.iter().filter(|request| request.callback_renamed).count();
        Self { servers, connections, requests, counts, callback_renamed, protocols, served_ms, epoch }
    }

    /// Only what came over connections that were opened at `from` or later, and what it leaves out.
    #[must_use]
    pub fn since(self, from: Instant) -> (Self, Earlier) {
        let from_ms = ms_between(self.epoch, from);
        // In the order of their openings.
        let first = self.connections.partition_point(|connection| connection.opened_ms < from_ms);
        let (earlier, requests): (Vec<_>, Vec<_>) =
            self.requests.into_iter().partition(|request| request.connection < first);
        let late_requests = earlier.iter().filter(|request| request.begun_ms >= from_ms).count();
        let requests =
            requests.into_iter().map(|request| Request { connection: request.connection - first, ..request }).collect();
        let omitted = Earlier { connections: first, requests: earlier.len() - late_requests, late_requests };
        let connections = self.connections.into_iter().skip(first).collect();
        (Self::new(self.servers, connections, requests, self.served_ms, self.epoch), omitted)
    }
}

/// Microseconds are as fine as this clock is worth.
fn ms_between(epoch: Instant, at: Instant) -> f64 {
    (at.saturating_duration_since(epoch).as_secs_f64() * 1e6).round() / 1e3
}

impl Log {
    #[must_use]
    pub fn new(epoch: Instant) -> Self {
        Self { epoch, entries: Mutex::default() }
    }

    fn now_ms(&self) -> f64 {
        self.ms(Instant::now())
    }

    fn ms(&self, at: Instant) -> f64 {
        ms_between(self.epoch, at)
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Entries are only ever pushed or set whole, so they are sound even after a panic elsewhere.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the connection's number.
    pub fn opened(&self, address: SocketAddr, peer: SocketAddr) -> usize {
        let opened_ms = self.now_ms();
        let connections = &mut self.entries().connections;
        connections.push(Connection {
            address,
            peer,
            alpn: None,
            tls: None,
            resumed: None,
            hello_retried: None,
            opened_ms,
            closed_ms: None,
            requests: 0,
            body_bytes_sent: 0,
            priority_updates: 0,
            alt_svc_answers: 0,
            at_open: None,
            at_close: None,
            fault: None,
            series: None,
        });
        connections.len() - 1
    }

    /// The server's port.
    pub fn port(&self, connection: usize) -> u16 {
        self.entries().connections[connection].address.port()
    }

    /// The handshake is complete.
    pub fn secured(
        &self,
        connection: usize,
        alpn: Option<String>,
        tls: Option<String>,
        resumed: Option<bool>,
        hello_retried: Option<bool>,
    ) {
        let mut entries = self.entries();
        let entry = &mut entries.connections[connection];
        entry.alpn = alpn;
        entry.tls = tls;
        entry.resumed = resumed;
        entry.hello_retried = hello_retried;
    }

    /// What the transport has in force as the connection opens.
    pub fn in_force(&self, connection: usize, at_open: Option<InForce>) {
        self.entries().connections[connection].at_open = at_open;
    }

    /// Returns the request's number. Its header had `arrived` then; a body delays the answer.
    pub fn begun(
        &self,
        connection: usize,
        method: &str,
        url: String,
        priority: Option<String>,
        answer: &Answer,
        arrived: Instant,
    ) -> usize {
        let begun_ms = self.ms(arrived);
        let mut entries = self.entries();
        entries.connections[connection].requests += 1;
        entries.requests.push(Request {
            connection,
            method: method.to_owned(),
            url,
            matched_url: answer.matched.clone(),
            kind: answer.kind,
            status: answer.status,
            body_bytes: answer.counted_bytes,
            callback_renamed: answer.callback_renamed,
            priority,
            begun_ms,
            handed_over_ms: None,
        });
        entries.requests.len() - 1
    }

    pub fn handed_over(&self, request: usize) {
        self.entries().requests[request].handed_over_ms = Some(self.now_ms());
    }

    pub fn sent(&self, connection: usize, body_bytes: usize) {
        self.entries().connections[connection].body_bytes_sent += body_bytes as u64;
    }

    pub fn priority_updated(&self, connection: usize) {
        self.entries().connections[connection].priority_updates += 1;
    }

    pub fn announced_quic(&self, connection: usize) {
        self.entries().connections[connection].alt_svc_answers += 1;
    }

    pub fn sampled(&self, connection: usize, state: &TransportState) {
        self.entries().connections[connection].series.get_or_insert_with(OverTime::begin).add(state);
    }

    pub fn closed(&self, connection: usize, at_close: Option<TransportState>, fault: Option<String>) {
        let mut entries = self.entries();
        let entry = &mut entries.connections[connection];
        entry.closed_ms = Some(self.now_ms());
        entry.at_close = at_close;
        entry.fault = fault;
    }

    #[must_use]
    pub fn served(&self, servers: Vec<Presented>) -> Served {
        let entries = self.entries();
        let mut requests = entries.requests.clone();
        // One that waited for its body was entered after others that began later.
        requests.sort_by(|a, b| a.begun_ms.total_cmp(&b.begun_ms));
        Served::new(servers, entries.connections.clone(), requests, self.now_ms(), self.epoch)
    }
}
