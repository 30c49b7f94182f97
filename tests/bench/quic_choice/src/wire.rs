//! Reads figures off the datagrams that the server put on the wire.

use serde::Serialize;

use crate::link::{Fate, HEADER_BYTES};

/// A datagram smaller than this carries no response body worth counting (acks, handshake ends).
const BODY_DATAGRAM_BYTES: usize = 1000;
const MS_NS: u64 = 1_000_000;

/// One datagram from server to client; the time is the kernel's, when it was sent.
#[derive(Debug, Clone, Copy)]
pub struct Sent {
    pub at_ns: u64,
    pub bytes: usize,
    pub fate: Fate,
}

#[derive(Debug, Clone, Serialize)]
pub struct Flight {
    pub datagrams: usize,
    pub bytes: usize,
    pub spread_ms: f64,
    /// Most datagrams within one millisecond.
    pub largest_burst: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct Bulk {
    pub sent_bytes: usize,
    /// Bytes sent above the response, as a share of it: headers, acks and retransmissions.
    pub overhead_ratio: f64,
    pub queue_drops: usize,
    pub lost: usize,
    pub largest_burst: usize,
    /// 95th percentile, over all datagrams, of how many left in the millisecond up to each.
    pub burst_p95: usize,
    /// Busiest round trip: bits sent in it over what the link carries in it.
    pub peak_rate_ratio: Option<f64>,
    /// The same for the median round trip after the first quarter of the transfer.
    pub steady_rate_ratio: Option<f64>,
}

fn body(sent: &[Sent], from_ns: u64) -> Vec<Sent> {
    sent.iter()
        .copied()
        .filter(|d| d.at_ns >= from_ns && d.bytes >= BODY_DATAGRAM_BYTES)
        .collect()
}

/// For each datagram: how many left within the `window_ns` that ends with it.
fn trailing_counts(sent: &[Sent], window_ns: u64) -> Vec<usize> {
    let mut first = 0;
    (0..sent.len())
        .map(|last| {
            while sent[last].at_ns - sent[first].at_ns >= window_ns {
                first += 1;
            }
            last - first + 1
        })
        .collect()
}

/// The first flight: body datagrams until the ack of the first of them can have come back.
pub fn flight(sent: &[Sent], response_start_ns: u64, rtt_ns: u64) -> Option<Flight> {
    let body = body(sent, response_start_ns);
    let start_ns = body.first()?.at_ns;
    let end = body.partition_point(|d| d.at_ns < start_ns + rtt_ns);
    let flight = &body[..end];
    Some(Flight {
        datagrams: flight.len(),
        bytes: flight.iter().map(|d| d.bytes).sum(),
        spread_ms: (flight.last()?.at_ns - start_ns) as f64 / MS_NS as f64,
        largest_burst: trailing_counts(flight, MS_NS).into_iter().max()?,
    })
}

/// Figures of a whole transfer of `response_bytes` over a link of `rate_bps`.
pub fn bulk(
    sent: &[Sent],
    response_start_ns: u64,
    response_bytes: u64,
    rate_bps: Option<u64>,
    rtt_ns: u64,
) -> Option<Bulk> {
    let all: Vec<Sent> = sent
        .iter()
        .copied()
        .filter(|d| d.at_ns >= response_start_ns)
        .collect();
    let sent_bytes: usize = all.iter().map(|d| d.bytes).sum();
    let count = |fate| all.iter().filter(|d| d.fate == fate).count();
    let mut bursts = trailing_counts(&body(sent, response_start_ns), MS_NS);
    bursts.sort_unstable();
    let rates = rate_bps.map(|rate| rate_ratios(&all, rate, rtt_ns));
    Some(Bulk {
        sent_bytes,
        overhead_ratio: sent_bytes as f64 / response_bytes as f64 - 1.0,
        queue_drops: count(Fate::QueueDropped),
        lost: count(Fate::Lost),
        largest_burst: *bursts.last()?,
        burst_p95: bursts[(bursts.len() - 1) * 95 / 100],
        peak_rate_ratio: rates
            .as_ref()
            .and_then(|r| r.iter().copied().reduce(f64::max)),
        steady_rate_ratio: rates.and_then(|r| crate::report::median(&r[r.len() / 4..])),
    })
}

/// Sending rate over link rate for every full round trip since the first datagram.
fn rate_ratios(sent: &[Sent], rate_bps: u64, rtt_ns: u64) -> Vec<f64> {
    let (Some(first), Some(last)) = (sent.first(), sent.last()) else {
        return Vec::new();
    };
    let windows = (last.at_ns - first.at_ns) / rtt_ns;
    let mut bits = vec![0u64; windows as usize];
    for datagram in sent {
        if let Some(slot) = bits.get_mut(((datagram.at_ns - first.at_ns) / rtt_ns) as usize) {
            *slot += (datagram.bytes as u64 + HEADER_BYTES) * 8;
        }
    }
    let capacity = rate_bps as f64 * rtt_ns as f64 / 1e9;
    bits.iter().map(|&b| b as f64 / capacity).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: f64) -> Sent {
        Sent {
            at_ns: (ms * 1e6) as u64,
            bytes: 1200,
            fate: Fate::Lost,
        }
    }

    #[test]
    fn a_flight_ends_when_an_ack_can_have_come_back() {
        let sent = [at(0.0), at(10.0), at(10.5), at(30.0), at(110.0), at(111.0)];
        let flight = flight(&sent, 5 * MS_NS, 100 * MS_NS).expect("a flight");
        assert_eq!((flight.datagrams, flight.bytes), (3, 3600));
        assert_eq!((flight.spread_ms, flight.largest_burst), (20.0, 2));
    }

    #[test]
    fn a_burst_and_an_even_train_differ() {
        let burst: Vec<Sent> = (0..32).map(|_| at(1.0)).collect();
        let train: Vec<Sent> = (0..32).map(|i| at(1.0 + 2.0 * f64::from(i))).collect();
        assert_eq!(
            flight(&burst, 0, 100 * MS_NS)
                .expect("a flight")
                .largest_burst,
            32
        );
        assert_eq!(
            flight(&train, 0, 100 * MS_NS)
                .expect("a flight")
                .largest_burst,
            1
        );
    }

    #[test]
    fn sending_at_the_link_rate_gives_one() {
        // 1200 + 28 bytes every ms are 9.824 Mbit/s.
        let sent: Vec<Sent> = (0..400).map(|i| at(f64::from(i))).collect();
        let bulk = bulk(&sent, 0, 480_000, Some(9_824_000), 20 * MS_NS).expect("figures");
        assert_eq!(bulk.steady_rate_ratio, Some(1.0));
        assert_eq!(
            (bulk.overhead_ratio, bulk.lost, bulk.queue_drops),
            (0.0, 400, 0)
        );
    }
}
