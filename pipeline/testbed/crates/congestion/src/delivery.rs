//! How fast packets arrive (Cheng et al., draft-cheng-iccrg-delivery-rate-estimation; Linux's `tcp_rate.c`).

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// No packet is acknowledged later than this; what is older was given up.
const MEMORY: Duration = Duration::from_secs(10);

/// The state when a packet left.
#[derive(Debug, Clone, Copy)]
struct Departure {
    delivered: u64,
    delivered_at: Instant,
    first_sent: Instant,
    starved: bool,
}

/// The sample of one acknowledgement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Bytes that arrived since its newest packet left.
    pub delivered: u64,
    /// Over which they did: sending or acknowledging, whichever took longer.
    pub interval: Duration,
    /// Bytes that had arrived when that packet left.
    pub delivered_before: u64,
    /// The application had too little to send for this to tell of the path.
    pub starved: bool,
}

impl Sample {
    /// Bytes a second; `None` where the interval is shorter than any round trip, for then acknowledgements came compressed.
    pub fn rate(&self, least_rtt: Duration) -> Option<f64> {
        (self.interval >= least_rtt && !self.interval.is_zero())
            .then(|| self.delivered as f64 / self.interval.as_secs_f64())
    }
}

#[derive(Debug, Clone)]
pub struct Delivery {
    delivered: u64,
    delivered_at: Instant,
    first_sent: Instant,
    /// Samples are starved until so much has arrived.
    starved_until: Option<u64>,
    departures: BTreeMap<(Instant, u64), Departure>,
}

impl Delivery {
    pub fn new(now: Instant) -> Self {
        Self { delivered: 0, delivered_at: now, first_sent: now, starved_until: None, departures: BTreeMap::new() }
    }

    /// Bytes, of the whole connection.
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    pub fn is_starved(&self) -> bool {
        self.starved_until.is_some()
    }

    pub fn sent(&mut self, now: Instant, number: u64, in_flight_before: u64) {
        if in_flight_before == 0 {
            (self.first_sent, self.delivered_at) = (now, now);
        }
        let Self { delivered, delivered_at, first_sent, .. } = *self;
        let departure = Departure { delivered, delivered_at, first_sent, starved: self.is_starved() };
        self.departures.insert((now, number), departure);
    }

    /// There is nothing to send, with so much in flight.
    pub fn starve(&mut self, in_flight: u64) {
        self.starved_until = Some(self.delivered + in_flight);
    }

    /// `None` where nothing is known of the newest packet.
    pub fn acknowledged(&mut self, now: Instant, newest: (Instant, u64), bytes: u64) -> Option<Sample> {
        self.delivered += bytes;
        self.delivered_at = now;
        if self.starved_until.is_some_and(|until| self.delivered > until) {
            self.starved_until = None;
        }
        let departure = self.departures.remove(&newest);
        if let Some(horizon) = newest.0.checked_sub(MEMORY) {
            self.departures = self.departures.split_off(&(horizon, 0));
        }
        let departure = departure?;
        self.first_sent = newest.0;
        let sending = newest.0 - departure.first_sent;
        Some(Sample {
            delivered: self.delivered - departure.delivered,
            interval: sending.max(now - departure.delivered_at),
            delivered_before: departure.delivered,
            starved: departure.starved,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Ten packets of 1000 bytes, one a millisecond; acknowledged 20 ms later, `gap` apart.
    fn last_sample(gap: Duration) -> Sample {
        let start = Instant::now();
        let mut delivery = Delivery::new(start);
        for number in 0..10 {
            delivery.sent(start + ms(number), number, number * 1000);
        }
        let ack = |number: u64| (start + ms(20) + gap * number as u32, (start + ms(number), number));
        (0..10).filter_map(|number| delivery.acknowledged(ack(number).0, ack(number).1, 1000)).last().expect("known")
    }

    #[test]
    fn the_slower_of_sending_and_acknowledging_counts() {
        // All ten left before anything arrived.
        assert_eq!(last_sample(ms(1)).rate(ms(20)), Some(10_000.0 / 0.029));
        assert_eq!(last_sample(ms(5)).rate(ms(20)), Some(10_000.0 / 0.065));
    }

    #[test]
    fn what_is_quicker_than_any_round_trip_tells_nothing() {
        assert_eq!(last_sample(ms(0)).rate(ms(21)), None);
    }

    #[test]
    fn samples_are_starved_until_what_was_in_flight_has_arrived() {
        let start = Instant::now();
        let mut delivery = Delivery::new(start);
        delivery.sent(start, 0, 0);
        delivery.starve(1000);
        delivery.sent(start + ms(1), 1, 1000);
        let first = delivery.acknowledged(start + ms(20), (start, 0), 1000).expect("known");
        let second = delivery.acknowledged(start + ms(21), (start + ms(1), 1), 1000).expect("known");
        assert_eq!((first.starved, second.starved, delivery.is_starved()), (false, true, false));
    }
}
