//! The largest of recent values.

use std::collections::VecDeque;

#[derive(Debug, Clone, Default)]
pub struct RecentMost {
    /// (round, value): rounds ascend, values descend.
    values: VecDeque<(u64, f64)>,
}

impl RecentMost {
    /// 0 before the first.
    pub fn get(&self) -> f64 {
        self.values.front().map_or(0.0, |(_, value)| *value)
    }

    /// Adds a value, and forgets those older than `rounds` rounds.
    pub fn push(&mut self, round: u64, value: f64, rounds: u64) {
        while self.values.back().is_some_and(|(_, smaller)| *smaller <= value) {
            self.values.pop_back();
        }
        self.values.push_back((round, value));
        while self.values.front().is_some_and(|(then, _)| then + rounds < round) {
            self.values.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_counts_until_it_is_too_old() {
        let mut most = RecentMost::default();
        for (round, value, expected) in [(0, 5.0, 5.0), (3, 9.0, 9.0), (5, 7.0, 9.0), (13, 6.0, 9.0), (14, 6.0, 7.0)] {
            most.push(round, value, 10);
            assert!((most.get() - expected).abs() < 1e-9, "round {round}: {}", most.get());
        }
    }
}
