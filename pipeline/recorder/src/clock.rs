//! The two clocks: damage is stamped and awaited by the monotonic one, pictures have the time of the wall clock as it was
//! when the film began.

use nix::time::{ClockId, clock_gettime};

/// A stamp further from its arrival is not of this machine's clock.
const FARTHEST_MS: u32 = 600_000;

pub fn monotonic_us() -> u64 {
    read(ClockId::CLOCK_MONOTONIC)
}

/// The number of readings of both clocks for one offset; the quickest one counts, as others may have been interrupted.
const READINGS: usize = 8;

/// Converts moments of the monotonic clock to microseconds since 1970, by one offset.
///
/// Chromium makes `performance.timeOrigin` in the same way, by an offset that a process reads once. So a wall clock that
/// is set while a film is made moves neither. NTP changes the rate of both clocks alike, and not the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallClock {
    /// the wall clock when the monotonic clock was 0
    pub at_zero_us: u64,
}

impl WallClock {
    pub fn read() -> Self {
        Self::quickest((0..READINGS).map(|_| (monotonic_us(), read(ClockId::CLOCK_REALTIME), monotonic_us())))
    }

    /// Of readings of the monotonic clock, the wall clock and the monotonic clock again.
    fn quickest(readings: impl Iterator<Item = (u64, u64, u64)>) -> Self {
        let (before, wall, after) = readings.min_by_key(|(before, _, after)| after - before).expect("some readings");
        Self { at_zero_us: wall - (before + after) / 2 }
    }

    pub fn at_us(self, monotonic_us: u64) -> u64 {
        self.at_zero_us + monotonic_us
    }
}

fn read(clock: ClockId) -> u64 {
    let time = clock_gettime(clock).expect("Linux has both clocks");
    time.tv_sec() as u64 * 1_000_000 + time.tv_nsec() as u64 / 1000
}

/// When damage happened: on arrival, but no later than by the server's stamp, in whole milliseconds that wrap around.
///
/// A recorder that is woken at once gives the exact moment; one that is woken late is at most 1 ms off.
pub fn happened_us(arrived_us: u64, stamp_ms: u32) -> u64 {
    let ago_ms = ((arrived_us / 1000) as u32).wrapping_sub(stamp_ms);
    if ago_ms > FARTHEST_MS {
        return arrived_us;
    }
    arrived_us.min((arrived_us / 1000 - u64::from(ago_ms) + 1) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_that_arrives_at_once_has_its_exact_time() {
        assert_eq!(happened_us(5_000_400, 5000), 5_000_400);
    }

    #[test]
    fn damage_that_arrives_late_has_the_time_of_its_stamp() {
        assert_eq!(happened_us(5_040_400, 5000), 5_001_000);
    }

    #[test]
    fn a_stamp_that_has_wrapped_around_is_understood() {
        let arrived_us = (u64::from(u32::MAX) + 1 + 20) * 1000;
        assert_eq!(happened_us(arrived_us, u32::MAX), (u64::from(u32::MAX) + 1) * 1000);
    }

    #[test]
    fn a_stamp_of_another_clock_is_left_alone() {
        assert_eq!(happened_us(5_000_400, 6000), 5_000_400);
    }

    #[test]
    fn the_wall_clock_is_that_of_the_system() {
        let now_us =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_micros();
        assert!((WallClock::read().at_us(monotonic_us()) as u128).abs_diff(now_us) < 50_000);
    }

    #[test]
    fn a_reading_that_was_interrupted_shifts_no_film() {
        let wall_us = 1_795_266_059_000_000;
        let readings = [(1000, wall_us + 9000, 10_001), (20_000, wall_us + 19_001, 20_002), (30_000, wall_us, 36_000)];
        assert_eq!(WallClock::quickest(readings.into_iter()).at_us(21_001), wall_us + 20_001);
    }
}
