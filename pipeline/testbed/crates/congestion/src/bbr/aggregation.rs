//! Acknowledgement aggregation: the recent excess of acknowledged packets over the expected number, which may be in
//! flight in addition; otherwise a receiver that delays acknowledgements would stop the sender. All in packets.

use std::time::{Duration, Instant};

/// The number of rounds of each of the two windows.
const WINDOW_ROUNDS: u32 = 5;
/// The largest number of packets of one series of acknowledgements; after it, a new series begins.
const LONGEST: f64 = 1_048_576.0;
const MOST: Duration = Duration::from_millis(100);

#[derive(Debug, Clone)]
pub struct Aggregation {
    began: Instant,
    acknowledged: f64,
    most: [f64; 2],
    rounds: u32,
}

impl Aggregation {
    pub fn new(now: Instant) -> Self {
        Self { began: now, acknowledged: 0.0, most: [0.0; 2], rounds: 0 }
    }

    /// After a silence.
    pub fn begin(&mut self, now: Instant) {
        (self.began, self.acknowledged) = (now, 0.0);
    }

    /// `rate` in packets a second.
    pub fn acknowledged(&mut self, now: Instant, packets: f64, rate: f64, window: f64, new_round: bool) {
        if new_round {
            self.rounds += 1;
            if self.rounds >= WINDOW_ROUNDS {
                (self.rounds, self.most) = (0, [0.0, self.most[0]]);
            }
        }
        let mut expected = rate * (now - self.began).as_secs_f64();
        if self.acknowledged <= expected || self.acknowledged + packets >= LONGEST {
            self.begin(now);
            expected = 0.0;
        }
        self.acknowledged += packets;
        self.most[0] = self.most[0].max((self.acknowledged - expected).min(window));
    }

    /// What may be in flight besides.
    pub fn extra(&self, rate: f64) -> f64 {
        self.most[0].max(self.most[1]).min(rate * MOST.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand packets a second, acknowledged `batch` at a time, for 40 rounds of 50 ms.
    fn extra(batch: u32) -> f64 {
        let start = Instant::now();
        let mut aggregation = Aggregation::new(start);
        for count in 1..=2000 / batch {
            let now = start + Duration::from_millis(u64::from(count * batch));
            aggregation.acknowledged(now, f64::from(batch), 1000.0, 100.0, (count * batch).is_multiple_of(50));
        }
        aggregation.extra(1000.0)
    }

    #[test]
    fn a_batch_is_allowed_for_and_no_more() {
        assert!((extra(1) - 1.0).abs() < 1e-6, "{}", extra(1));
        assert!((extra(25) - 25.0).abs() < 1e-6, "{}", extra(25));
    }

    #[test]
    fn it_is_bounded_by_a_tenth_of_a_second() {
        let start = Instant::now();
        let mut aggregation = Aggregation::new(start);
        aggregation.acknowledged(start + Duration::from_millis(1), 500.0, 1000.0, 1000.0, false);
        assert!((aggregation.extra(1000.0) - 100.0).abs() < 1e-9);
    }
}
