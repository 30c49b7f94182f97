//! TCP and the TLS in it: acknowledgement numbers show which packet can be an answer to which.

use super::packet::Segment;
use super::tls::Stream;

/// The state of one connection's handshake so far. Sequence numbers count from the SYN, which is number 0.
#[derive(Debug, Default)]
pub struct Handshake {
    client_start: Option<u32>,
    server_start: Option<u32>,
    client: Stream,
    server: Stream,
    /// From which number on what the server sent came after how many round trips. A repeat counts as the first one.
    sent: Vec<(u32, u32)>,
    sent_up_to: u32,
    client_rounds: u32,
    /// Round trips before the client's first encrypted record: Finished with which the handshake ends, or early data.
    pub round_trips: Option<u32>,
    pub early_data_packets: u64,
    /// TCP Fast Open.
    pub syn_data_bytes: u64,
}

impl Handshake {
    pub fn is_over(&self) -> bool {
        self.round_trips.is_some()
    }

    /// Whether the server resumed an earlier session; unknown before its ServerHello.
    pub fn resumed(&self) -> Option<bool> {
        self.server.hello.map(|hello| hello.pre_shared_key)
    }

    pub fn take_client(&mut self, segment: Segment, payload: &[u8]) {
        if self.is_over() {
            return;
        }
        if segment.syn {
            self.client_start = Some(segment.sequence);
            self.syn_data_bytes = self.syn_data_bytes.max(payload.len() as u64);
        }
        let rounds = self.rounds_before(segment.acknowledgement);
        self.client_rounds = self.client_rounds.max(rounds);
        let Some(start) = self.client_start else { return };
        let offset = segment.sequence.wrapping_add(u32::from(segment.syn)).wrapping_sub(start).wrapping_sub(1);
        self.client.push(offset, payload);
        if self.client.is_encrypted {
            self.round_trips = Some(rounds);
            // Encrypted before anything of the server's hello was known.
            let is_early = rounds < 2 && self.client.hello.is_some_and(|hello| hello.early_data);
            self.early_data_packets = u64::from(is_early);
        }
    }

    /// Whether it brings something new.
    pub fn take_server(&mut self, segment: Segment, payload: &[u8]) -> bool {
        if segment.syn {
            self.server_start = Some(segment.sequence);
        }
        let Some(start) = self.server_start else { return false };
        let from = segment.sequence.wrapping_sub(start);
        let end = from.wrapping_add(payload.len() as u32).wrapping_add(u32::from(segment.syn));
        let is_new = end > self.sent_up_to;
        if is_new && !self.is_over() {
            self.sent.push((from.max(self.sent_up_to), self.client_rounds + 1));
        }
        self.sent_up_to = self.sent_up_to.max(end);
        if self.server.hello.is_none() && !segment.syn {
            self.server.push(from.wrapping_sub(1), payload);
        }
        is_new
    }

    fn rounds_before(&self, acknowledgement: Option<u32>) -> u32 {
        let (Some(number), Some(start)) = (acknowledgement, self.server_start) else { return 0 };
        let taken_in = number.wrapping_sub(start);
        self.sent.iter().filter(|(from, _)| *from < taken_in).map(|(_, rounds)| *rounds).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tls::tests::{client_hello, record, server_hello};
    use super::*;

    /// Where the numbers start, near their end so that they wrap.
    const CLIENT: u32 = u32::MAX - 2;
    const SERVER: u32 = u32::MAX - 100;

    fn client(sequence: u32, acknowledgement: u32) -> Segment {
        let acknowledgement = Some(SERVER.wrapping_add(acknowledgement));
        Segment { sequence: CLIENT.wrapping_add(sequence), acknowledgement, syn: false }
    }

    fn server(sequence: u32, syn: bool) -> Segment {
        Segment { sequence: SERVER.wrapping_add(sequence), acknowledgement: Some(0), syn }
    }

    const SYN: Segment = Segment { sequence: CLIENT, acknowledgement: None, syn: true };

    fn hello_of(kinds: &[u16]) -> Vec<u8> {
        record(22, &client_hello(kinds))
    }

    fn finished() -> Vec<u8> {
        [record(20, &[1]), record(23, &[0; 40])].concat()
    }

    fn flight() -> Vec<u8> {
        [record(22, &server_hello(&[43])), record(23, &[0; 3000])].concat()
    }

    #[test]
    fn tcp_and_tls_take_two_round_trips() {
        let mut seen = Handshake::default();
        let hello = hello_of(&[43]);
        seen.take_client(SYN, &[]);
        seen.take_server(server(0, true), &[]);
        seen.take_client(client(1, 1), &[]);
        seen.take_client(client(1, 1), &hello);
        seen.take_server(server(1, false), &flight());
        assert_eq!(seen.round_trips, None);
        seen.take_client(client(1 + hello.len() as u32, 1 + flight().len() as u32), &finished());
        assert_eq!((seen.round_trips, seen.early_data_packets, seen.resumed()), (Some(2), 0, Some(false)));
    }

    #[test]
    fn what_is_sent_again_counts_as_the_first_time() {
        let mut seen = Handshake::default();
        let (hello, flight) = (hello_of(&[43]), flight());
        seen.take_client(SYN, &[]);
        seen.take_server(server(0, true), &[]);
        seen.take_client(SYN, &[]);
        seen.take_server(server(0, true), &[]);
        seen.take_client(client(1, 1), &hello);
        seen.take_server(server(1, false), &flight[..1400]);
        seen.take_server(server(1401, false), &flight[1400..]);
        // The first of the two was lost; what asks for it acknowledges nothing of the second.
        seen.take_client(client(1 + hello.len() as u32, 1), &[]);
        assert!(!seen.take_server(server(1, false), &flight[..1400]));
        seen.take_client(client(1 + hello.len() as u32, 1 + flight.len() as u32), &finished());
        assert_eq!(seen.round_trips, Some(2));
    }

    #[test]
    fn early_data_saves_a_round_trip() {
        let mut seen = Handshake::default();
        let hello = hello_of(&[42, 41]);
        seen.take_client(SYN, &[]);
        seen.take_server(server(0, true), &[]);
        seen.take_client(client(1, 1), &[hello, finished()].concat());
        assert_eq!((seen.round_trips, seen.early_data_packets), (Some(1), 1));
    }

    #[test]
    fn data_in_the_first_packet_is_fast_open() {
        let mut seen = Handshake::default();
        seen.take_client(SYN, &hello_of(&[43]));
        assert_eq!(seen.syn_data_bytes, hello_of(&[43]).len() as u64);
        seen.take_server(server(0, true), &[]);
        seen.take_server(server(1, false), &flight());
        let next = 1 + hello_of(&[43]).len() as u32;
        seen.take_client(client(next, 1 + flight().len() as u32), &finished());
        assert_eq!(seen.round_trips, Some(1));
    }
}
