//! Groups damage into pictures, and determines when to fetch a picture and which states were lost. Pure: times are
//! microseconds of one clock, which is not read here.
//!
//! A burst is damage without a pause of `QUIET_US`. Its picture is fetched after such a pause, or `LONGEST_US` after its
//! first rectangle. The X server stamps damage itself, so that a late recorder knows what it missed: a pause between two
//! rectangles, both still unfetched, means that the state of the screen between them was lost.

use std::ops::Range;

use crate::rectangle::{Cover, Rectangle};

/// A picture is complete after this time without damage. Source: definition M5.
pub const QUIET_US: u64 = 2_000;
/// The longest wait for such a pause. Source: definition M5.
pub const LONGEST_US: u64 = 8_000;
/// After this time there is a picture, even if painting disturbed every fetch.
const PATIENCE_US: u64 = 50_000;
/// The server stamps whole milliseconds, so two stamps may be further apart than their events by this much.
const STAMP_US: u64 = 1_000;

/// A rectangle that was painted, when by the monotonic clock, and after how many of our requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub time_us: u64,
    pub rectangle: Rectangle,
    pub sequence: u64,
}

/// The fetch of a burst's picture: its rectangles, and what was heard after it.
pub struct Fetch<'a> {
    pub rectangles: &'a [Rectangle],
    /// sequence numbers of its first and its last request: damage with a smaller number than the first was painted before
    /// it, damage with a number from the last on after it, and damage between them may be in a part of the picture
    pub moment: Range<u64>,
    pub heard: &'a [Damage],
    /// when the picture was asked for, and when it had come
    pub asked_us: u64,
    pub fetched_us: u64,
    /// whether no other fetch can follow
    pub last: bool,
}

/// The outcome of a burst whose picture has been fetched. Each damage belongs to exactly one picture.
#[derive(Debug)]
pub enum Outcome {
    /// the picture may be torn, and there is time for another fetch: the burst goes on with all that was heard
    Again(Burst),
    /// the burst's picture, and the damage of the next one
    Picture { burst: Burst, quiet: bool, next: Option<Burst> },
}

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
    /// Returns the burst with one more damage, or a new burst.
    pub fn with(burst: Option<Self>, &Damage { time_us, rectangle, .. }: &Damage) -> Self {
        if let Some(mut burst) = burst {
            burst.add(time_us, rectangle);
            return burst;
        }
        let mut cover = Cover::default();
        cover.add(rectangle);
        Self { first_us: time_us, unseen_since_us: time_us, last_us: time_us, events: 1, lost: 0, cover }
    }

    fn add(&mut self, time_us: u64, rectangle: Rectangle) {
        if time_us > self.last_us + QUIET_US + STAMP_US {
            self.lost += 1;
            self.first_us = time_us;
        }
        self.last_us = self.last_us.max(time_us);
        self.events += 1;
        self.cover.add(rectangle);
    }

    /// The time to fetch, if no damage comes before.
    pub fn due_us(&self) -> u64 {
        (self.last_us + QUIET_US).min(self.limit_us())
    }

    /// The latest time to fetch.
    fn limit_us(&self) -> u64 {
        self.first_us + LONGEST_US
    }

    /// Whether the screen has been quiet long enough at that moment for no paint to be in progress.
    fn quiet_at(&self, time_us: u64) -> bool {
        time_us >= self.last_us + QUIET_US
    }

    pub fn after(self, fetch: &Fetch<'_>) -> Outcome {
        let before = |damage: &&Damage| damage.sequence < fetch.moment.start;
        let fetched = |damage: &Damage| fetch.rectangles.iter().any(|fetched| fetched.contains(&damage.rectangle));
        let (inside, others): (Vec<&Damage>, Vec<&Damage>) =
            fetch.heard.iter().partition(|damage| before(damage) && fetched(damage));
        let seen = inside.into_iter().fold(self.clone(), |burst, damage| Self::with(Some(burst), damage));
        let quiet = others.iter().all(|damage| damage.sequence >= fetch.moment.end) && seen.quiet_at(fetch.asked_us);
        let all = fetch.heard.iter().filter(before).fold(self, |burst, damage| Self::with(Some(burst), damage));
        let in_time = fetch.fetched_us < all.limit_us().min(all.unseen_since_us + PATIENCE_US);
        if !quiet && in_time && !fetch.last {
            let later = fetch.heard.iter().filter(|damage| !before(damage));
            return Outcome::Again(later.fold(all, |burst, damage| Self::with(Some(burst), damage)));
        }
        let next = others.into_iter().fold(None, |burst, damage| Some(Self::with(burst, damage)));
        Outcome::Picture { burst: seen, quiet, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANYWHERE: Rectangle = Rectangle { x: 0, y: 0, width: 1, height: 1 };

    fn damage(time_us: u64, rectangle: Rectangle, sequence: u64) -> Damage {
        Damage { time_us, rectangle, sequence }
    }

    fn burst(times_us: &[u64]) -> Burst {
        let heard = times_us.iter().map(|time_us| damage(*time_us, ANYWHERE, 0));
        heard.fold(None, |burst, damage| Some(Burst::with(burst, &damage))).expect("some damage")
    }

    #[test]
    fn a_single_rectangle_is_fetched_after_two_milliseconds() {
        assert_eq!(burst(&[1000]).due_us(), 3000);
    }

    #[test]
    fn more_damage_moves_the_fetch_and_not_the_time() {
        let burst = burst(&[1000, 2500, 4000]);
        assert_eq!((burst.first_us, burst.due_us(), burst.events, burst.lost), (1000, 6000, 3, 0));
    }

    #[test]
    fn damage_without_end_is_fetched_after_eight_milliseconds() {
        let burst = burst(&[1000, 2500, 4000, 5500, 7000, 8500]);
        assert_eq!(burst.due_us(), 9000);
        assert!(!burst.quiet_at(9000));
    }

    #[test]
    fn a_state_that_stood_and_was_not_fetched_is_lost_and_the_picture_has_the_time_of_the_next_one() {
        let burst = burst(&[1000, 17_000, 34_000, 35_000]);
        assert_eq!((burst.lost, burst.first_us, burst.unseen_since_us), (2, 34_000, 1000));
        assert_eq!(burst.due_us(), 37_000);
    }

    #[test]
    fn stamps_that_only_seem_to_be_apart_lose_nothing() {
        // 2.0 ms apart and stamped 3 ms apart
        assert_eq!(burst(&[1000, 4000]).lost, 0);
        assert_eq!(burst(&[1000, 4001]).lost, 1);
    }

    const LEFT: Rectangle = Rectangle { x: 0, y: 0, width: 10, height: 10 };
    const RIGHT: Rectangle = Rectangle { x: 20, y: 0, width: 10, height: 10 };
    const WIDE: Rectangle = Rectangle { x: 5, y: 0, width: 10, height: 10 };

    /// Painted at 1000 on the left, asked for by the requests 7 and 8 at 3100, and fetched at that time.
    fn after(heard: &[Damage], fetched_us: u64, last: bool) -> Outcome {
        let fetch = Fetch { rectangles: &[LEFT], moment: 7..8, heard, asked_us: 3100, fetched_us, last };
        Burst::with(None, &damage(1000, LEFT, 3)).after(&fetch)
    }

    /// Of the picture and of the next one: events, lost states and time.
    fn counted(outcome: Outcome) -> [Option<(u64, u32, u64)>; 2] {
        let Outcome::Picture { burst, next, .. } = outcome else { panic!("{outcome:?}") };
        [Some(burst), next].map(|burst| burst.map(|burst| (burst.events, burst.lost, burst.first_us)))
    }

    #[test]
    fn a_picture_is_quiet_where_nothing_was_painted_meanwhile() {
        let outcome = after(&[damage(3300, LEFT, 8)], 3300, false);
        assert!(matches!(outcome, Outcome::Picture { quiet: true, .. }), "{outcome:?}");
        assert_eq!(counted(outcome), [Some((1, 0, 1000)), Some((1, 0, 3300))]);
    }

    #[test]
    fn a_burst_goes_on_with_each_damage_once_where_something_was_painted_meanwhile() {
        for (rectangle, sequence) in [(LEFT, 6), (RIGHT, 6), (WIDE, 6), (LEFT, 7), (RIGHT, 7)] {
            let heard = [damage(3050, rectangle, sequence), damage(3300, LEFT, 8)];
            let Outcome::Again(burst) = after(&heard, 3300, false) else { panic!("{rectangle:?} {sequence}") };
            assert_eq!((burst.events, burst.lost, burst.first_us), (3, 0, 1000));
        }
    }

    #[test]
    fn paint_outside_the_rectangles_belongs_to_the_next_picture_alone() {
        for outside in [RIGHT, WIDE] {
            // a late recorder: what it fetches stood for long, until something else was painted
            let outcome = after(&[damage(90_000, outside, 6)], 90_200, true);
            assert!(matches!(outcome, Outcome::Picture { quiet: false, .. }), "{outcome:?}");
            assert_eq!(counted(outcome), [Some((1, 0, 1000)), Some((1, 0, 90_000))]);
        }
    }

    #[test]
    fn paint_inside_the_rectangles_belongs_to_the_picture_alone() {
        let outcome = after(&[damage(2000, LEFT, 6), damage(90_000, LEFT, 6)], 90_200, true);
        assert_eq!(counted(outcome), [Some((3, 1, 90_000)), None]);
    }

    #[test]
    fn paint_that_disturbs_each_fetch_gives_a_picture_in_the_end() {
        let outcome = after(&[damage(9000, LEFT, 7)], 9100, false);
        assert!(matches!(outcome, Outcome::Picture { quiet: false, .. }), "{outcome:?}");
    }
}
