//! HyStart (Ha, Rhee: "Taming the elephants", 2011): leave slow start when the pipe is full, before it overflows.
//!
//! Two signs, either is enough, with the constants and the choices of Linux's Cubic at its defaults. *A train*: acknowledgements
//! that follow each other closely for as long as a round trip. *Delay*: even the quickest of a round's first nine samples
//! took an eighth longer than the quickest ever. With pacing, packets are spread by the sender, and so are acknowledgements: the train
//! then has to last a whole round trip and not half of one.

use std::time::{Duration, Instant};

const LOW_WINDOW_PACKETS: f64 = 16.0;
const TRAIN_GAP: Duration = Duration::from_millis(2);
const SAMPLES: u8 = 8;
const LEAST_DELAY: Duration = Duration::from_millis(4);
const MOST_DELAY: Duration = Duration::from_millis(16);
/// Linux: four of the largest segments that leave a host at once, at the pacing rate, at most a millisecond.
const AGGREGATE_BYTES: f64 = 4.0 * 65_536.0;
const MOST_AGGREGATION: Duration = Duration::from_millis(1);

#[derive(Debug, Clone)]
pub struct HyStart {
    paced: bool,
    full: bool,
    round_began: Instant,
    train_lasts_until: Instant,
    quickest: Option<Duration>,
    quickest_of_round: Option<Duration>,
    samples: u8,
}

/// One acknowledgement, and the state of the sender when it came.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub now: Instant,
    pub newest_sent: Instant,
    pub rtt: Duration,
    pub window_packets: f64,
    pub pacing_rate_bytes_per_s: Option<u64>,
}

impl HyStart {
    pub fn new(now: Instant, paced: bool) -> Self {
        Self {
            paced,
            full: false,
            round_began: now,
            train_lasts_until: now,
            quickest: None,
            quickest_of_round: None,
            samples: 0,
        }
    }

    /// The least round trip so far.
    pub fn quickest(&self) -> Option<Duration> {
        self.quickest
    }

    /// Takes the round trip of an acknowledgement in. Outside of slow start that is all.
    pub fn observe(&mut self, rtt: Duration) {
        self.quickest = Some(self.quickest.map_or(rtt, |quickest| quickest.min(rtt)));
    }

    /// Whether slow start is to end with this acknowledgement. To be asked after [`HyStart::observe`], and in slow start only.
    pub fn is_full(&mut self, sample: &Sample) -> bool {
        if self.full {
            return false;
        }
        if sample.newest_sent > self.round_began {
            self.begin_round(sample.now);
        }
        if sample.window_packets < LOW_WINDOW_PACKETS {
            return false;
        }
        // Both look, for both remember what they saw.
        let (train, delay) = (self.train_is_long(sample), self.delay_has_risen(sample.rtt));
        self.full = train || delay;
        self.full
    }

    fn begin_round(&mut self, now: Instant) {
        (self.round_began, self.train_lasts_until) = (now, now);
        (self.quickest_of_round, self.samples) = (None, 0);
    }

    fn train_is_long(&mut self, sample: &Sample) -> bool {
        let Some(quickest) = self.quickest else { return false };
        if sample.now - self.train_lasts_until > TRAIN_GAP {
            return false;
        }
        self.train_lasts_until = sample.now;
        let whole = quickest + aggregation(sample.pacing_rate_bytes_per_s);
        let enough = if self.paced { whole } else { whole / 2 };
        sample.now - self.round_began > enough
    }

    fn delay_has_risen(&mut self, rtt: Duration) -> bool {
        let quickest_of_round = self.quickest_of_round.map_or(rtt, |quickest| quickest.min(rtt));
        self.quickest_of_round = Some(quickest_of_round);
        if self.samples < SAMPLES {
            self.samples += 1;
            return false;
        }
        self.quickest
            .is_some_and(|quickest| quickest_of_round > quickest + (quickest / 8).clamp(LEAST_DELAY, MOST_DELAY))
    }
}

fn aggregation(pacing_rate_bytes_per_s: Option<u64>) -> Duration {
    pacing_rate_bytes_per_s
        .filter(|rate| *rate > 0)
        .map_or(Duration::ZERO, |rate| Duration::from_secs_f64(AGGREGATE_BYTES / rate as f64).min(MOST_AGGREGATION))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    struct Flow {
        start: Instant,
        hystart: HyStart,
    }

    impl Flow {
        fn new(paced: bool) -> Self {
            let start = Instant::now();
            let mut hystart = HyStart::new(start, paced);
            hystart.observe(ms(40));
            Self { start, hystart }
        }

        /// An acknowledgement at a time, of a packet sent `rtt` before.
        fn ack(&mut self, at_ms: f64, rtt_ms: u64, window_packets: f64) -> bool {
            let now = self.start + Duration::from_secs_f64(at_ms / 1e3);
            let rtt = ms(rtt_ms);
            self.hystart.observe(rtt);
            let rate = Some(3_000_000);
            self.hystart.is_full(&Sample {
                now,
                newest_sent: now - rtt,
                rtt,
                window_packets,
                pacing_rate_bytes_per_s: rate,
            })
        }

        /// When a train of acknowledgements, one each `gap_ms`, ends slow start.
        fn end_of_train_ms(&mut self, gap_ms: f64) -> Option<f64> {
            let times = (0..).map(|count| 100.0 + f64::from(count) * gap_ms).take_while(|at| *at < 139.9);
            times.into_iter().find(|at| self.ack(*at, 40, 32.0)).map(|at| at - 100.0)
        }
    }

    #[test]
    fn a_train_of_half_a_round_trip_ends_slow_start_without_pacing() {
        let at_ms = Flow::new(false).end_of_train_ms(1.0);
        assert_eq!(at_ms, Some(21.0), "half of 40 ms and half of 1 ms of aggregation");
    }

    #[test]
    fn with_pacing_it_takes_a_whole_round_trip() {
        assert_eq!(Flow::new(true).end_of_train_ms(1.0), None);
    }

    #[test]
    fn gaps_break_the_train() {
        assert_eq!(Flow::new(false).end_of_train_ms(2.1), None);
    }

    #[test]
    fn a_delay_that_stays_through_nine_samples_ends_slow_start() {
        let mut flow = Flow::new(true);
        // Five milliseconds: an eighth of 40 ms.
        let mut ends = |rtt_ms, began_ms: f64| {
            (0_u8..9).map(|count| flow.ack(began_ms + f64::from(count) * 3.0, rtt_ms, 32.0)).collect::<Vec<_>>()
        };
        assert_eq!(ends(45, 100.0), [false; 9]);
        assert_eq!(ends(46, 200.0)[7..], [false, true]);
    }

    #[test]
    fn one_quick_sample_in_a_round_is_enough_to_go_on() {
        let mut flow = Flow::new(true);
        for count in 0_u8..20 {
            let rtt_ms = if count == 3 { 41 } else { 60 };
            assert!(!flow.ack(100.0 + f64::from(count) * 1.9, rtt_ms, 32.0), "sample {count}");
        }
    }

    #[test]
    fn small_windows_are_left_alone_and_one_end_is_enough() {
        let mut flow = Flow::new(true);
        let mut ends = |window_packets, began_ms: f64| {
            (0_u8..20).filter(|count| flow.ack(began_ms + f64::from(*count) * 3.0, 80, window_packets)).count()
        };
        assert_eq!(ends(15.0, 100.0), 0);
        assert_eq!(ends(16.0, 300.0), 1);
        assert_eq!(ends(16.0, 500.0), 0);
    }
}
