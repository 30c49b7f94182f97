//! Decides which damage belongs to one picture, when to fetch it, and what was lost. Pure: times are microseconds of one
//! clock, and none is read here.
//!
//! A burst is damage without a pause of `QUIET_US`. Its picture is fetched after such a pause, or `LONGEST_US` after its
//! first rectangle. The X server stamps damage itself, so that a late recorder knows what it missed: a pause between two
//! rectangles, both still unfetched, means that the screen stood between them and that nobody saw it.

use crate::rectangle::{Cover, Rectangle};

/// Without damage for so long, a picture is complete. Source: definition M5.
pub const QUIET_US: u64 = 2_000;
/// The longest wait for such a pause. Source: definition M5.
pub const LONGEST_US: u64 = 8_000;
/// The server stamps whole milliseconds, so two stamps may be so much further apart than their events.
const STAMP_US: u64 = 1_000;

#[derive(Clone, Debug)]
pub struct Burst {
    /// the time of its picture
    pub first_us: u64,
    /// the first damage since the picture before; earlier than `first_us` where a state was lost
    pub unseen_since_us: u64,
    pub last_us: u64,
    pub events: u64,
    /// states of the screen that stood, and were not fetched
    pub lost: u32,
    pub cover: Cover,
}

impl Burst {
    pub fn begin(time_us: u64, rectangle: Rectangle) -> Self {
        let mut cover = Cover::default();
        cover.add(rectangle);
        Self { first_us: time_us, unseen_since_us: time_us, last_us: time_us, events: 1, lost: 0, cover }
    }

    pub fn add(&mut self, time_us: u64, rectangle: Rectangle) {
        if time_us > self.last_us + QUIET_US + STAMP_US {
            self.lost += 1;
            self.first_us = time_us;
        }
        self.last_us = self.last_us.max(time_us);
        self.events += 1;
        self.cover.add(rectangle);
    }

    /// When to fetch, if no damage comes before that.
    pub fn due_us(&self) -> u64 {
        (self.last_us + QUIET_US).min(self.limit_us())
    }

    /// When to fetch at the latest.
    pub fn limit_us(&self) -> u64 {
        self.first_us + LONGEST_US
    }

    /// Whether the screen has been quiet for so long at that moment that no paint is in progress.
    pub fn quiet_at(&self, time_us: u64) -> bool {
        time_us >= self.last_us + QUIET_US
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANYWHERE: Rectangle = Rectangle { x: 0, y: 0, width: 1, height: 1 };

    fn burst(times_us: &[u64]) -> Burst {
        let mut made = Burst::begin(times_us[0], ANYWHERE);
        for time_us in &times_us[1..] {
            made.add(*time_us, ANYWHERE);
        }
        made
    }

    #[test]
    fn a_single_rectangle_is_fetched_after_two_milliseconds() {
        assert_eq!(burst(&[1000]).due_us(), 3000);
    }

    #[test]
    fn more_damage_moves_the_fetch_and_not_the_time() {
        let made = burst(&[1000, 2500, 4000]);
        assert_eq!((made.first_us, made.due_us(), made.events, made.lost), (1000, 6000, 3, 0));
    }

    #[test]
    fn damage_without_end_is_fetched_after_eight_milliseconds() {
        let made = burst(&[1000, 2500, 4000, 5500, 7000, 8500]);
        assert_eq!(made.due_us(), 9000);
        assert!(!made.quiet_at(9000));
    }

    #[test]
    fn a_state_that_stood_and_was_not_fetched_is_lost_and_the_picture_has_the_time_of_the_next_one() {
        let made = burst(&[1000, 17_000, 34_000, 35_000]);
        assert_eq!((made.lost, made.first_us, made.unseen_since_us), (2, 34_000, 1000));
        assert_eq!(made.due_us(), 37_000);
    }

    #[test]
    fn stamps_that_only_seem_to_be_apart_lose_nothing() {
        // 2.0 ms apart and stamped 3 ms apart
        assert_eq!(burst(&[1000, 4000]).lost, 0);
        assert_eq!(burst(&[1000, 4001]).lost, 1);
    }
}
