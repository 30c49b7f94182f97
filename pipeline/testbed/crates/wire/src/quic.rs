//! QUIC from its packets' plain parts (RFC 9000, section 17; RFC 9369 for version 2). Acknowledgements are encrypted, so what could
//! have caused what is told by time: nothing that the client sends answers what the server sent less than a round trip ago. The reverse
//! says nothing: what comes later may be an answer, or a client that was kept waiting. So of the round trips that time allows, only
//! those count that the server is seen to ask for.

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
    let (mut rest, mut kinds) = (datagram, Vec::new());
    while let Some((kind, length)) = first(rest, kinds.is_empty()) {
        kinds.push(kind);
        rest = &rest[length.min(rest.len())..];
    }
    kinds
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

/// A datagram of the server's handshake.
#[derive(Debug, Clone, Copy)]
struct Sent {
    at: Duration,
    /// Before it was sent.
    rounds: u32,
    bytes: usize,
}

/// The state of one connection's handshake so far.
#[derive(Debug, Default)]
pub struct Handshake {
    sent: Vec<Sent>,
    /// The most round trips that anything of the client's handshake took.
    client_rounds: u32,
    /// From the client before anything that could be an answer.
    first_bytes: usize,
    /// Packets by which the server makes the client start again, each of which takes a round trip.
    has_retried: bool,
    has_negotiated: bool,
    /// The server sent as much as it may to an address that has not proved to be the client's, and had more.
    was_limited: bool,
    /// Before the client's first packet of application data.
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
        let answered = |sent: &&Sent| sent.at + rtt <= at + CLOCKS_APART;
        let rounds = self.sent.iter().filter(answered).map(|sent| sent.rounds).max().unwrap_or(0);
        if rounds == 0 {
            self.first_bytes += datagram.len();
        } else if self.client_rounds == 0 {
            self.was_limited = self.is_limited(rtt);
        }
        self.client_rounds = self.client_rounds.max(rounds);
        if early > 0 || kinds.contains(&Kind::OneRtt) {
            self.round_trips = Some(rounds.min(1 + self.asked_for()));
        }
    }

    /// Round trips beyond the one of every handshake.
    fn asked_for(&self) -> u32 {
        [self.has_retried, self.has_negotiated, self.was_limited].into_iter().map(u32::from).sum()
    }

    /// Whether the first flight ended at three times of what had come from the client (RFC 9000, section 8.1) rather than by itself. The
    /// library begins a datagram as long as anything is left of that; a flight that ends by itself hardly ends with a full one. What
    /// the server repeats comes later, and is none of it.
    fn is_limited(&self, rtt: Duration) -> bool {
        let Some(first) = self.sent.first() else { return false };
        let flight = self.sent.iter().take_while(|sent| sent.at < first.at + rtt).map(|sent| sent.bytes);
        flight.clone().sum::<usize>() >= 3 * self.first_bytes && flight.clone().max() == flight.last()
    }

    /// Whether it is a datagram of application data alone.
    pub fn take_server(&mut self, at: Duration, datagram: &[u8]) -> bool {
        let kinds = kinds(datagram);
        let is_data = kinds.first() == Some(&Kind::OneRtt);
        if !is_data && !self.is_over() {
            self.has_retried |= kinds.contains(&Kind::Retry);
            self.has_negotiated |= kinds.contains(&Kind::VersionNegotiation);
            self.sent.push(Sent { at, rounds: self.client_rounds + 1, bytes: datagram.len() });
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
    fn a_client_that_is_slow_to_finish_takes_no_other_round_trip() {
        let seen = after(&[
            (0, true, initial()),
            (1, false, handshake()),
            (102, true, initial()),
            (103, false, handshake()),
            (204, true, vec![0x41; 50]),
        ]);
        assert_eq!(seen.round_trips, Some(1));
    }

    #[test]
    fn a_server_that_has_the_client_begin_anew_takes_another_round_trip_each_time() {
        let retry = || long(0xf0, 1, false, 20);
        let mut steps = vec![(0, true, initial()), (1, false, retry()), (102, true, initial())];
        steps.extend([(103, false, handshake()), (204, true, vec![0x41; 50])]);
        assert_eq!(after(&steps).round_trips, Some(2));
        // However long the client takes.
        steps.truncate(4);
        steps.extend([(204, true, initial()), (205, false, handshake()), (400, true, vec![0x41; 50])]);
        assert_eq!(after(&steps).round_trips, Some(2));
        let negotiation = long(0xc0, 0, false, 20);
        let begun = [(0, true, initial()), (1, false, negotiation), (102, true, initial()), (103, false, retry())];
        let rest = [(204, true, initial()), (205, false, handshake()), (306, true, vec![0x41; 50])];
        assert_eq!(after(&[&begun[..], &rest].concat()).round_trips, Some(3));
    }

    #[test]
    fn a_flight_that_ends_where_an_unknown_address_may_get_no_more_takes_another_round_trip() {
        // Of 413 bytes, after an Initial of 318.
        let full = || (1, false, [handshake(), vec![0; 100]].concat());
        let rest = [(102, true, handshake()), (103, false, handshake()), (204, true, vec![0x41; 50])];
        let begun = [(0, true, initial()), full(), full(), full()];
        assert_eq!(after(&[&begun[..], &rest].concat()).round_trips, Some(2));
        // Not yet so much.
        assert_eq!(after(&[&begun[..3], &rest].concat()).round_trips, Some(1));
        // As much, but the last one has room left.
        assert_eq!(after(&[&begun[..], &[(1, false, handshake())], &rest].concat()).round_trips, Some(1));
        // Sent again a round trip later, as nobody had answered.
        let again = || (101, false, full().2);
        assert_eq!(after(&[&begun[..3], &[again(), again()], &rest].concat()).round_trips, Some(1));
    }

    #[test]
    fn early_data_takes_none() {
        let seen = after(&[(0, true, [initial(), long(0xd0, 1, false, 20)].concat()), (1, false, handshake())]);
        assert_eq!((seen.round_trips, seen.early_data_packets), (Some(0), 1));
    }
}
