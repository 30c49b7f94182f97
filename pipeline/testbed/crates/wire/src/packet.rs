//! The parts of a frame that matter here, by etherparse. There is no IPv6 in the namespaces, and nothing is fragmented.

use std::net::SocketAddrV4;

use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use serde::Serialize;

/// Seen from the server: down is what it sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Down,
    Up,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Carrier {
    Tcp,
    Udp,
}

/// One connection's packets, or what passes for one over UDP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub carrier: Carrier,
    pub client: SocketAddrV4,
    pub server: SocketAddrV4,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    pub sequence: u32,
    pub acknowledgement: Option<u32>,
    pub syn: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen<'a> {
    pub key: Key,
    /// Of TCP only.
    pub segment: Option<Segment>,
    pub payload: &'a [u8],
    pub ip_bytes: u64,
}

/// `None` for what is neither TCP nor UDP over IPv4, or broken.
pub fn parse(frame: &[u8], way: Way) -> Option<Seen<'_>> {
    let packet = SlicedPacket::from_ethernet(frame).ok()?;
    let Some(NetSlice::Ipv4(ip)) = packet.net else { return None };
    let (carrier, source_port, destination_port, segment, payload) = match packet.transport? {
        TransportSlice::Tcp(tcp) => {
            let segment = Segment {
                sequence: tcp.sequence_number(),
                acknowledgement: tcp.ack().then(|| tcp.acknowledgment_number()),
                syn: tcp.syn(),
            };
            (Carrier::Tcp, tcp.source_port(), tcp.destination_port(), Some(segment), tcp.payload())
        }
        TransportSlice::Udp(udp) => (Carrier::Udp, udp.source_port(), udp.destination_port(), None, udp.payload()),
        TransportSlice::Icmpv4(_) | TransportSlice::Icmpv6(_) => return None,
    };
    let source = SocketAddrV4::new(ip.header().source_addr(), source_port);
    let destination = SocketAddrV4::new(ip.header().destination_addr(), destination_port);
    let (client, server) = match way {
        Way::Down => (destination, source),
        Way::Up => (source, destination),
    };
    let ip_bytes = u64::from(ip.header().total_len());
    Some(Seen { key: Key { carrier, client, server }, segment, payload, ip_bytes })
}

/// Whose packet a frame is.
#[must_use]
pub fn key_of(frame: &[u8], way: Way) -> Option<Key> {
    parse(frame, way).map(|seen| seen.key)
}

#[cfg(test)]
pub mod tests {
    use etherparse::PacketBuilder;

    use super::*;

    pub const CLIENT: SocketAddrV4 = SocketAddrV4::new(std::net::Ipv4Addr::new(10, 0, 0, 1), 5000);
    pub const SERVER: SocketAddrV4 = SocketAddrV4::new(std::net::Ipv4Addr::new(192, 0, 2, 80), 443);

    fn ends(way: Way) -> (SocketAddrV4, SocketAddrV4) {
        if way == Way::Up { (CLIENT, SERVER) } else { (SERVER, CLIENT) }
    }

    pub fn udp(way: Way, payload: &[u8]) -> Vec<u8> {
        let (from, to) = ends(way);
        let builder = PacketBuilder::ethernet2([1; 6], [2; 6])
            .ipv4(from.ip().octets(), to.ip().octets(), 64)
            .udp(from.port(), to.port());
        let mut frame = Vec::new();
        builder.write(&mut frame, payload).expect("memory");
        frame
    }

    pub fn tcp(way: Way, sequence: u32, acknowledgement: Option<u32>, syn: bool, payload: &[u8]) -> Vec<u8> {
        let (from, to) = ends(way);
        let mut builder = PacketBuilder::ethernet2([1; 6], [2; 6]).ipv4(from.ip().octets(), to.ip().octets(), 64).tcp(
            from.port(),
            to.port(),
            sequence,
            65_000,
        );
        if let Some(number) = acknowledgement {
            builder = builder.ack(number);
        }
        if syn {
            builder = builder.syn();
        }
        let mut frame = Vec::new();
        builder.write(&mut frame, payload).expect("memory");
        frame
    }

    #[test]
    fn client_and_server_keep_their_places_whichever_way_a_packet_goes() {
        for way in [Way::Down, Way::Up] {
            let frame = udp(way, b"12345");
            let seen = parse(&frame, way).expect("UDP");
            assert_eq!(seen.key, Key { carrier: Carrier::Udp, client: CLIENT, server: SERVER });
            assert_eq!((seen.payload, seen.ip_bytes), (&b"12345"[..], 33));
        }
    }

    #[test]
    fn what_tcp_says_of_itself_is_read() {
        let frame = tcp(Way::Up, 7, Some(9), true, b"x");
        let seen = parse(&frame, Way::Up).expect("TCP");
        assert_eq!(seen.segment, Some(Segment { sequence: 7, acknowledgement: Some(9), syn: true }));
    }

    #[test]
    fn broken_and_foreign_frames_are_nobody_s() {
        assert_eq!(key_of(&[0; 20], Way::Up), None);
        assert_eq!(key_of(&udp(Way::Up, b"12345")[..30], Way::Up), None);
    }
}
