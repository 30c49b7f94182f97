//! The flows (connections) of a run, from their packets.

use std::collections::BTreeMap;
use std::net::SocketAddrV4;
use std::time::Duration;

use serde::Serialize;

use super::flight::{FirstFlight, Flight};
use super::packet::{Carrier, Key, Way, parse};
use super::time::ms;
use super::{quic, tcp};

/// One way of a flow. Bytes are IP bytes; down they are counted as the server sends them, up as they arrive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    pub packets: u64,
    pub bytes: u64,
    /// Of these, those with a payload.
    pub data_packets: u64,
    pub drops_queue: u64,
    pub drops_loss: u64,
}

/// One connection, from its packets; null where they do not show a value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flow {
    pub client: SocketAddrV4,
    pub server: SocketAddrV4,
    /// tcp, quic, or udp where it is not QUIC.
    pub transport: &'static str,
    /// When its first packet reached the server's side, since the emulation started.
    pub begun_ms: f64,
    /// Before the client could send application data.
    pub handshake_round_trips: Option<u32>,
    pub handshake_packets: u64,
    pub first_flight: Option<FirstFlight>,
    /// Packets with 0-RTT data; for TCP 1 where there was TLS early data.
    pub early_data_packets: u64,
    /// Data in the SYN: TCP Fast Open. Null for UDP.
    pub syn_data_bytes: Option<u64>,
    /// Whether TLS resumed an earlier session. Null for QUIC, which encrypts it.
    pub resumed: Option<bool>,
    pub down: Traffic,
    pub up: Traffic,
}

#[derive(Debug)]
struct Record {
    begun: Duration,
    /// When the first packet was seen that was not dropped.
    seen: Option<Duration>,
    handshake: Handshake,
    /// Of the server's, with a payload.
    handshake_packets: u64,
    /// Packets dropped before the handshake was over.
    handshake_drops: u64,
    flight: Flight,
    down: Traffic,
    up: Traffic,
}

#[derive(Debug)]
enum Handshake {
    Tcp(Box<tcp::Handshake>),
    Udp(quic::Handshake),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DroppedBy {
    Queue,
    Loss,
}

/// Times are since one moment of the caller's.
#[derive(Debug)]
pub struct Flows {
    /// The least that the link allows.
    rtt: Duration,
    records: BTreeMap<Key, Record>,
}

impl Flows {
    #[must_use]
    pub fn new(rtt: Duration) -> Self {
        Self { rtt, records: BTreeMap::new() }
    }

    /// A frame that the server sent (down) or that has reached it (up).
    pub fn passed(&mut self, at: Duration, way: Way, frame: &[u8]) {
        let Some(seen) = parse(frame, way) else { return };
        let rtt = self.rtt;
        let record = self.records.entry(seen.key).or_insert_with(|| Record::new(at, seen.key.carrier));
        record.seen.get_or_insert(at);
        let traffic = if way == Way::Down { &mut record.down } else { &mut record.up };
        traffic.packets += 1;
        traffic.bytes += seen.ip_bytes;
        traffic.data_packets += u64::from(!seen.payload.is_empty());
        let was_over = record.is_over();
        let is_response = match (&mut record.handshake, seen.segment, way) {
            (Handshake::Tcp(handshake), Some(segment), Way::Down) => {
                handshake.take_server(segment, seen.payload) && was_over
            }
            (Handshake::Udp(handshake), _, Way::Down) => handshake.take_server(at, seen.payload) && was_over,
            (Handshake::Tcp(handshake), Some(segment), Way::Up) => {
                handshake.take_client(segment, seen.payload);
                false
            }
            (Handshake::Udp(handshake), _, Way::Up) => {
                handshake.take_client(at, rtt, seen.payload);
                false
            }
            (Handshake::Tcp(_), None, _) => false,
        };
        if is_response {
            record.flight.add(at, rtt, seen.ip_bytes, seen.payload.len() as u64);
        } else if way == Way::Down && !was_over {
            record.handshake_packets += u64::from(!seen.payload.is_empty());
        }
    }

    /// A packet of this flow was dropped on its way.
    pub fn dropped(&mut self, way: Way, by: DroppedBy, key: Key) {
        // The first packet of a flow may be dropped before the server's side has seen any.
        let record = self.records.entry(key).or_insert_with(|| Record::new(Duration::ZERO, key.carrier));
        record.handshake_drops += u64::from(!record.is_over());
        let traffic = if way == Way::Down { &mut record.down } else { &mut record.up };
        match by {
            DroppedBy::Queue => traffic.drops_queue += 1,
            DroppedBy::Loss => traffic.drops_loss += 1,
        }
    }

    /// In the order of their beginnings; only those of which nothing was seen before `from`, where it is given.
    #[must_use]
    pub fn report(&self, from: Option<Duration>) -> Vec<Flow> {
        let counts = |record: &Record| from.is_none_or(|from| record.seen.is_some_and(|seen| seen >= from));
        let counted = self.records.iter().filter(|(_, record)| counts(record));
        let mut flows: Vec<Flow> = counted.map(|(key, record)| record.report(*key, self.rtt)).collect();
        flows.sort_by(|a, b| a.begun_ms.total_cmp(&b.begun_ms));
        flows
    }
}

impl Record {
    fn new(begun: Duration, carrier: Carrier) -> Self {
        let handshake = match carrier {
            Carrier::Tcp => Handshake::Tcp(Box::default()),
            Carrier::Udp => Handshake::Udp(quic::Handshake::default()),
        };
        Self {
            begun,
            seen: None,
            handshake,
            handshake_packets: 0,
            handshake_drops: 0,
            flight: Flight::default(),
            down: Traffic::default(),
            up: Traffic::default(),
        }
    }

    fn is_over(&self) -> bool {
        match &self.handshake {
            Handshake::Tcp(handshake) => handshake.is_over(),
            Handshake::Udp(handshake) => handshake.is_over(),
        }
    }

    fn report(&self, key: Key, rtt: Duration) -> Flow {
        let (transport, round_trips, early_data_packets, syn_data_bytes, resumed) = match &self.handshake {
            Handshake::Tcp(seen) => {
                // After two lost SYN-ACKs Linux begins with a window of one, and a small one takes the handshake longer.
                let known = seen.round_trips.filter(|rounds| *rounds <= 2 || self.handshake_drops == 0);
                ("tcp", known, seen.early_data_packets, Some(seen.syn_data_bytes), seen.resumed())
            }
            Handshake::Udp(seen) => {
                // Without a delay, time does not tell what answers what.
                let known = seen.round_trips.filter(|rounds| *rounds == 0 || !rtt.is_zero());
                (if seen.is_quic { "quic" } else { "udp" }, known, seen.early_data_packets, None, None)
            }
        };
        Flow {
            client: key.client,
            server: key.server,
            transport,
            begun_ms: ms(self.begun),
            handshake_round_trips: round_trips,
            handshake_packets: self.handshake_packets,
            first_flight: self.flight.report(),
            early_data_packets,
            syn_data_bytes,
            resumed,
            down: self.down.clone(),
            up: self.up.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packet::tests::{CLIENT, SERVER, tcp};
    use super::super::tls::tests::{client_hello, record, server_hello};
    use super::*;

    /// A handshake whose server may send but one packet at first, so that its flight takes two rounds.
    fn round_trips(dropped_syn_acks: u32) -> Option<u32> {
        let key = Key { carrier: Carrier::Tcp, client: CLIENT, server: SERVER };
        let hello = record(22, &client_hello(&[43]));
        let flight = [record(22, &server_hello(&[43])), record(23, &[0; 3000])].concat();
        let finished = [record(20, &[1]), record(23, &[0; 40])].concat();
        let (first, rest) = flight.split_at(1400);
        let (after_hello, after_flight) = (1 + hello.len() as u32, 1 + flight.len() as u32);

        let mut flows = Flows::new(Duration::from_millis(760));
        let mut see = |way, frame: Vec<u8>| flows.passed(Duration::ZERO, way, &frame);
        see(Way::Up, tcp(Way::Up, 0, None, true, &[]));
        see(Way::Down, tcp(Way::Down, 0, Some(1), true, &[]));
        see(Way::Up, tcp(Way::Up, 1, Some(1), false, &hello));
        see(Way::Down, tcp(Way::Down, 1, Some(after_hello), false, first));
        see(Way::Up, tcp(Way::Up, after_hello, Some(1401), false, &[]));
        see(Way::Down, tcp(Way::Down, 1401, Some(after_hello), false, rest));
        for _ in 0..dropped_syn_acks {
            flows.dropped(Way::Down, DroppedBy::Loss, key);
        }
        flows.passed(Duration::ZERO, Way::Up, &tcp(Way::Up, after_hello, Some(after_flight), false, &finished));
        flows.report(None)[0].handshake_round_trips
    }

    #[test]
    fn flows_of_which_something_was_seen_before_the_moment_are_left_out() {
        let frame = |at_ms, sequence| (Duration::from_millis(at_ms), tcp(Way::Up, sequence, None, true, &[]));
        let mut flows = Flows::new(Duration::from_millis(20));
        let (at, syn) = frame(100, 0);
        flows.passed(at, Way::Up, &syn);
        let count = |from_ms| flows.report(Some(Duration::from_millis(from_ms))).len();
        assert_eq!((count(100), count(101)), (1, 0));

        let mut flows = Flows::new(Duration::from_millis(20));
        flows.dropped(Way::Up, DroppedBy::Loss, Key { carrier: Carrier::Tcp, client: CLIENT, server: SERVER });
        let (at, again) = frame(1100, 0);
        flows.passed(at, Way::Up, &again);
        let report = flows.report(Some(Duration::from_millis(500)));
        assert_eq!(report.iter().map(|flow| flow.begun_ms).collect::<Vec<_>>(), [0.0]);
    }

    #[test]
    fn a_handshake_that_took_longer_tells_nothing_of_the_stack_where_packets_of_it_were_dropped() {
        assert_eq!(round_trips(0), Some(3));
        assert_eq!(round_trips(2), None);
    }
}
