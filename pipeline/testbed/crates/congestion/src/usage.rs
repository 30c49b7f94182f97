//! Detects whether the window, and not the application, limits a sender: only then may the window grow.

use std::time::Instant;

/// The strongest sign of the present round (after Linux's `tcp_cwnd_validate`).
#[derive(Debug, Clone)]
pub struct Usage {
    filled: bool,
    most_in_flight: f64,
    since: Instant,
    round_over: bool,
}

impl Usage {
    pub fn new(now: Instant) -> Self {
        Self { filled: false, most_in_flight: 0.0, since: now, round_over: true }
    }

    /// A packet left, after which so much is in flight; `filled` where no further one fits the window.
    pub fn sent(&mut self, now: Instant, in_flight: f64, filled: bool) {
        if self.round_over || filled || (!self.filled && in_flight > self.most_in_flight) {
            *self = Self { filled, most_in_flight: in_flight, since: now, round_over: false };
        }
    }

    pub fn acknowledged(&mut self, newest_sent: Instant) {
        self.round_over |= newest_sent >= self.since;
    }

    /// In slow start a window that is half used may grow, for it is what the next round may need.
    pub fn is_limited_by(&self, window: f64, slow_start: bool) -> bool {
        self.filled || (slow_start && window < 2.0 * self.most_in_flight)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_full_window_counts_until_the_round_is_over() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut usage = Usage::new(start);
        usage.sent(at(0), 10.0, true);
        usage.sent(at(1), 9.0, false);
        assert!(usage.is_limited_by(10.0, false));
        usage.acknowledged(at(0));
        usage.sent(at(20), 3.0, false);
        assert!(!usage.is_limited_by(10.0, false));
    }

    #[test]
    fn half_a_window_is_enough_in_slow_start_only() {
        let start = Instant::now();
        let mut usage = Usage::new(start);
        usage.sent(start, 6.0, false);
        assert!(usage.is_limited_by(10.0, true));
        assert!(!usage.is_limited_by(10.0, false));
        assert!(!usage.is_limited_by(12.0, true));
    }
}
