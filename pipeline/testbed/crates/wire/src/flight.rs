//! The first flight of response data: all that the server sends before anything of it can have been acknowledged.

use std::time::Duration;

use serde::Serialize;

use super::time::ms;

/// In IP bytes. No acknowledgement, SETTINGS or other control frame makes a packet as large, and hardly a response one as small.
const LEAST_PACKET_BYTES: u64 = 200;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstFlight {
    pub packets: u64,
    /// Of payload: TCP's, or that of UDP datagrams.
    pub bytes: u64,
    /// From the first packet to the last.
    pub spread_ms: f64,
    /// The most packets within a millisecond.
    pub burst_packets: u64,
}

#[derive(Debug, Default)]
pub struct Flight {
    sent: Vec<Duration>,
    bytes: u64,
}

impl Flight {
    /// Takes in a packet with response data; `rtt` is the least that the link allows.
    pub fn add(&mut self, at: Duration, rtt: Duration, ip_bytes: u64, payload_bytes: u64) {
        let first = self.sent.first().copied().unwrap_or(at);
        if ip_bytes >= LEAST_PACKET_BYTES && at < first + rtt {
            self.sent.push(at);
            self.bytes += payload_bytes;
        }
    }

    pub fn report(&self) -> Option<FirstFlight> {
        let (first, last) = (*self.sent.first()?, *self.sent.last()?);
        let within_a_ms = |at: &Duration| {
            self.sent.iter().filter(|other| (*at..*at + Duration::from_millis(1)).contains(*other)).count()
        };
        Some(FirstFlight {
            packets: self.sent.len() as u64,
            bytes: self.bytes,
            spread_ms: ms(last - first),
            burst_packets: self.sent.iter().map(within_a_ms).max().unwrap_or(0) as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_when_the_first_acknowledgement_could_be_there() {
        let (mut flight, rtt) = (Flight::default(), Duration::from_millis(24));
        for (us, ip_bytes) in [(0, 120), (1000, 1500), (1500, 1500), (1900, 400), (24_900, 1500), (25_000, 1500)] {
            flight.add(Duration::from_micros(us), rtt, ip_bytes, ip_bytes - 52);
        }
        let expected = FirstFlight { packets: 4, bytes: 4900 - 208, spread_ms: 23.9, burst_packets: 3 };
        assert_eq!(flight.report(), Some(expected));
    }

    #[test]
    fn is_unknown_where_no_response_came() {
        assert_eq!(Flight::default().report(), None);
    }
}
