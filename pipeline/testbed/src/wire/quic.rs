//! QUIC from its packets' plain parts (RFC 9000, section 17; RFC 9369 for version 2). Acknowledgements are encrypted, so what could
//! have caused what is told by time: nothing that the client sends answers what the server sent less than a round trip ago.

use std::time::Duration;

/// The emulation never delivers early; clocks are read a little apart.
const CLOCKS_APART: Duration = Duration::from_micros(500);
const VERSION_2: u32 = 0x6b33_43cf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Initial,
    ZeroRtt,
    Handshake,
    Retry,
    VersionNegotiation,
    /// Short header: application data under the final keys.
    OneRtt,
}

/// The packets of one datagram, in order; ends early where one is cut short.
pub fn kinds(datagram: &[u8]) -> Vec<Kind> {
    let (mut rest, mut found) = (datagram, Vec::new());
    while let Some((kind, length)) = first(rest, found.is_empty()) {
        found.push(kind);
        rest = &rest[length.min(rest.len())..];
    }
    found
}

fn first(packet: &[u8], alone: bool) -> Option<(Kind, usize)> {
    let (&flags, rest) = packet.split_first()?;
    if flags & 0x80 == 0 {
        // Behind other packets, anything without the fixed bit is padding. In front it may be greased (RFC 9287).
        return (alone || flags & 0x40 != 0).then_some((Kind::OneRtt, packet.len()));
    }
    let version = u32::from_be_bytes(*rest.first_chunk()?);
    if version == 0 {
        return Some((Kind::VersionNegotiation, packet.len()));
    }
    let number = flags >> 4 & 3;
    let in_version_1 = if version == VERSION_2 { (number + 3) % 4 } else { number };
    let kind = [Kind::Initial, Kind::ZeroRtt, Kind::Handshake, Kind::Retry][usize::from(in_version_1)];
    if kind == Kind::Retry {
        return Some((kind, packet.len()));
    }
    let mut at = 5;
    for _connection_id in 0..2 {
        at += 1 + usize::from(*packet.get(at)?);
    }
    if kind == Kind::Initial {
        let (token_bytes, bytes) = variable(packet.get(at..)?)?;
        at += bytes + usize::try_from(token_bytes).ok()?;
    }
    let (length, bytes) = variable(packet.get(at..)?)?;
    Some((kind, at + bytes + usize::try_from(length).ok()?))
}

/// A variable-length integer and the bytes it takes (RFC 9000, section 16).
fn variable(bytes: &[u8]) -> Option<(u64, usize)> {
    let length = 1 << (bytes.first()? >> 6);
    let value = bytes.get(..length)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
    Some((value & (u64::MAX >> (64 - 8 * length + 2)), length))
}

/// What one connection's handshake has shown so far.
#[derive(Debug, Default)]
pub struct Handshake {
    /// When the server sent handshake packets, and after how many round trips.
    sent: Vec<(Duration, u32)>,
    /// The most round trips that anything of the client's handshake took.
    client_rounds: u32,
    /// Round trips before the client's first packet of application data.
    pub round_trips: Option<u32>,
    pub early_data_packets: u64,
    pub is_quic: bool,
}

impl Handshake {
    pub fn is_over(&self) -> bool {
        self.round_trips.is_some()
    }

    pub fn take_client(&mut self, at: Duration, rtt: Duration, datagram: &[u8]) {
        let kinds = kinds(datagram);
        self.is_quic |= kinds.first().is_some_and(|kind| *kind != Kind::OneRtt);
        let early = kinds.iter().filter(|kind| **kind == Kind::ZeroRtt).count();
        self.early_data_packets += early as u64;
        if self.is_over() || !self.is_quic {
            return;
        }
        let answered = |sent: &Duration| *sent + rtt <= at + CLOCKS_APART;
        let rounds = self.sent.iter().filter(|(sent, _)| answered(sent)).map(|(_, rounds)| *rounds).max().unwrap_or(0);
        self.client_rounds = self.client_rounds.max(rounds);
        if early > 0 || kinds.contains(&Kind::OneRtt) {
            self.round_trips = Some(rounds);
        }
    }

    /// Whether it is a datagram of application data alone.
    pub fn take_server(&mut self, at: Duration, datagram: &[u8]) -> bool {
        let is_data = kinds(datagram).first() == Some(&Kind::OneRtt);
        if !is_data && !self.is_over() {
            self.sent.push((at, self.client_rounds + 1));
        }
        is_data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Duration = Duration::from_millis(100);

    fn long(flags: u8, version: u32, token: bool, payload: usize) -> Vec<u8> {
        let mut packet = vec![flags];
        packet.extend(version.to_be_bytes());
        packet.extend([4, 1, 2, 3, 4, 0]);
        if token {
            packet.extend([0x40, 3, 9, 9, 9]);
        }
        packet.extend([0x40 | (payload >> 8) as u8, payload as u8]);
        packet.extend(vec![0xff; payload]);
        packet
    }

    fn initial() -> Vec<u8> {
        long(0xc0, 1, true, 300)
    }

    fn handshake() -> Vec<u8> {
        long(0xe0, 1, false, 300)
    }

    #[test]
    fn coalesced_packets_are_told_apart() {
        let datagram = [initial(), long(0xd0, 1, false, 20), handshake(), vec![0x41; 50]].concat();
        assert_eq!(kinds(&datagram), [Kind::Initial, Kind::ZeroRtt, Kind::Handshake, Kind::OneRtt]);
    }

    #[test]
    fn padding_behind_packets_is_none() {
        assert_eq!(kinds(&[handshake(), vec![0; 50]].concat()), [Kind::Handshake]);
        assert_eq!(kinds(&[0x05; 50]), [Kind::OneRtt]);
    }

    #[test]
    fn version_2_numbers_its_packets_otherwise() {
        let numbered = |number: u8| kinds(&long(0xc0 | number << 4, VERSION_2, number == 1, 20))[0];
        assert_eq!([0, 1, 2, 3].map(numbered), [Kind::Retry, Kind::Initial, Kind::ZeroRtt, Kind::Handshake]);
    }

    #[test]
    fn what_is_cut_short_ends_the_list() {
        assert_eq!(kinds(&initial()[..8]), []);
        assert_eq!(kinds(&[]), []);
        assert_eq!(kinds(&[0x80, 0, 0, 0, 0, 1]), [Kind::VersionNegotiation]);
    }

    fn after(steps: &[(u64, bool, Vec<u8>)]) -> Handshake {
        let mut seen = Handshake::default();
        for (ms, from_client, datagram) in steps {
            let at = Duration::from_millis(*ms);
            if *from_client {
                seen.take_client(at, RTT, datagram);
            } else {
                seen.take_server(at, datagram);
            }
        }
        seen
    }

    #[test]
    fn a_handshake_takes_one_round_trip() {
        let flight = [initial(), handshake()].concat();
        let ends = [handshake(), vec![0x41; 50]].concat();
        let seen = after(&[(0, true, initial()), (1, false, flight), (102, true, ends)]);
        assert_eq!((seen.round_trips, seen.early_data_packets), (Some(1), 0));
    }

    #[test]
    fn a_repeated_first_packet_is_no_round_trip() {
        let answer = || (80, false, handshake());
        let seen = after(&[
            (0, true, initial()),
            (1, false, handshake()),
            (80, true, initial()),
            answer(),
            (102, true, vec![0x41; 50]),
        ]);
        assert_eq!(seen.round_trips, Some(1));
    }

    #[test]
    fn a_flight_that_waits_for_the_client_takes_another_round_trip() {
        let seen = after(&[
            (0, true, initial()),
            (1, false, handshake()),
            (102, true, initial()),
            (103, false, handshake()),
            (204, true, vec![0x41; 50]),
        ]);
        assert_eq!(seen.round_trips, Some(2));
    }

    #[test]
    fn early_data_takes_none() {
        let seen = after(&[(0, true, [initial(), long(0xd0, 1, false, 20)].concat()), (1, false, handshake())]);
        assert_eq!((seen.round_trips, seen.early_data_packets), (Some(0), 1));
    }
}
