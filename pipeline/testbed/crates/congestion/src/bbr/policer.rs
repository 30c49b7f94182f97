//! Long-term sampling: a rate that keeps losing a fifth of what is sent is that of a policer, and is then kept to for a while.

use std::time::{Duration, Instant};

const LEAST_ROUNDS: u32 = 4;
const LOSS_SHARE: f64 = 50.0 / 256.0;
/// Two rates are alike within an eighth, or 4 kbit/s.
const ALIKE_SHARE: f64 = 1.0 / 8.0;
const ALIKE_BYTES_PER_S: f64 = 500.0;
/// The number of rounds for which a policed rate is kept.
const KEPT_ROUNDS: u32 = 48;

#[derive(Debug, Clone, Default)]
pub struct Policer {
    sampling: Option<Interval>,
    last: Option<f64>,
    kept: bool,
    rounds: u32,
}

#[derive(Debug, Clone, Copy)]
struct Interval {
    began: Instant,
    delivered: u64,
    lost: u64,
}

/// The state at one acknowledgement; bytes of the whole connection.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub now: Instant,
    pub delivered: u64,
    pub lost: u64,
    /// Something was given up since the last one.
    pub newly_lost: bool,
    pub starved: bool,
    pub new_round: bool,
    pub probing: bool,
}

impl Policer {
    /// Bytes a second, while a policer is assumed.
    pub fn rate(&self) -> Option<f64> {
        self.last.filter(|_| self.kept)
    }

    /// Returns whether the rate has been kept to for long enough, and probing is to begin again.
    pub fn acknowledged(&mut self, seen: &Seen) -> bool {
        if self.kept {
            if seen.probing && seen.new_round {
                self.rounds += 1;
                if self.rounds >= KEPT_ROUNDS {
                    *self = Self::default();
                    return true;
                }
            }
            return false;
        }
        let Some(interval) = self.sampling else {
            if seen.newly_lost {
                (self.sampling, self.rounds) = (Some(Interval::from(seen)), 0);
            }
            return false;
        };
        if seen.starved {
            *self = Self::default();
            return false;
        }
        self.rounds += u32::from(seen.new_round);
        if self.rounds < LEAST_ROUNDS {
            return false;
        }
        if self.rounds > 4 * LEAST_ROUNDS {
            *self = Self::default();
            return false;
        }
        // An interval ends with a loss, when the bucket of a policer is empty again.
        let (lost, delivered) = (seen.lost - interval.lost, seen.delivered - interval.delivered);
        if seen.newly_lost && delivered > 0 && lost as f64 >= LOSS_SHARE * delivered as f64 {
            self.end_interval(seen, delivered, seen.now - interval.began);
        }
        false
    }

    fn end_interval(&mut self, seen: &Seen, delivered: u64, time: Duration) {
        if time < Duration::from_millis(1) {
            return;
        }
        let rate = delivered as f64 / time.as_secs_f64();
        let difference = self.last.map(|last| (last, (rate - last).abs()));
        if let Some((last, difference)) = difference
            && (difference <= ALIKE_SHARE * last || difference <= ALIKE_BYTES_PER_S)
        {
            *self = Self { sampling: None, last: Some(f64::midpoint(rate, last)), kept: true, rounds: 0 };
            return;
        }
        (self.last, self.sampling, self.rounds) = (Some(rate), Some(Interval::from(seen)), 0);
    }
}

impl From<&Seen> for Interval {
    fn from(seen: &Seen) -> Self {
        Self { began: seen.now, delivered: seen.delivered, lost: seen.lost }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of 100 ms in which 10 kB arrive and `lost` bytes do not.
    fn after(rounds: u64, lost: u64) -> Policer {
        let start = Instant::now();
        let mut policer = Policer::default();
        for round in 1..=rounds {
            policer.acknowledged(&Seen {
                now: start + Duration::from_millis(100 * round),
                delivered: 10_000 * round,
                lost: lost * round,
                newly_lost: lost > 0,
                starved: false,
                new_round: true,
                probing: true,
            });
        }
        policer
    }

    #[test]
    fn two_alike_intervals_of_heavy_loss_are_a_policer() {
        assert_eq!(after(8, 3000).rate(), None);
        let rate = after(9, 3000).rate().expect("a policer");
        assert!((rate / 100_000.0 - 1.0).abs() < 0.01, "{rate}");
    }

    #[test]
    fn it_is_kept_to_for_48_rounds() {
        assert!(after(9 + 47, 3000).rate().is_some());
        assert_eq!(after(9 + 48, 3000).rate(), None);
    }

    #[test]
    fn light_loss_is_none() {
        assert_eq!(after(100, 500).rate(), None);
    }
}
