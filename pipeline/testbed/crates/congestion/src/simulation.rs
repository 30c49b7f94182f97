//! One sender that always has something to send, a link with a drop-tail queue, and a receiver that acknowledges every second packet.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::control::{Acknowledgement, Control, Loss, Setup};

pub const PACKET_BYTES: u16 = 1472;
/// A packet is given up when one sent so many later has arrived.
const REORDERING: u64 = 3;
const STEP: Duration = Duration::from_micros(100);

#[derive(Debug, Clone, Copy)]
pub struct Link {
    pub bytes_per_s: f64,
    pub rtt: Duration,
    pub queue_packets: usize,
    /// One packet in so many is lost besides; 0 for none.
    pub lost_one_in: u64,
}

pub const DSL: Link =
    Link { bytes_per_s: 3_067_000.0, rtt: Duration::from_millis(24), queue_packets: 25, lost_one_in: 0 };
pub const LTE: Link =
    Link { bytes_per_s: 1_288_000.0, rtt: Duration::from_millis(74), queue_packets: 175, lost_one_in: 0 };

/// A packet on its way, and when it or its acknowledgement is there.
#[derive(Debug, Clone, Copy)]
struct Flying {
    number: u64,
    at: Instant,
}

pub struct Simulation<C> {
    pub control: C,
    pub now: Instant,
    link: Link,
    outstanding: BTreeMap<u64, Instant>,
    /// Packets and when they came.
    queue: VecDeque<Flying>,
    link_free: Instant,
    arriving: VecDeque<Flying>,
    held_back: Vec<u64>,
    acknowledging: VecDeque<(Vec<u64>, Instant)>,
    may_send: Instant,
    smoothed_rtt: Option<Duration>,
    pub sent: u64,
    pub delivered: u64,
    pub dropped: u64,
    /// From here on the sender has nothing to send.
    pub silent: bool,
}

impl<C: Control> Simulation<C> {
    pub fn new(link: Link, setup: Setup) -> Self {
        let start = Instant::now();
        Self {
            control: C::new(start, setup),
            now: start,
            link,
            outstanding: BTreeMap::new(),
            queue: VecDeque::new(),
            link_free: start,
            arriving: VecDeque::new(),
            held_back: Vec::new(),
            acknowledging: VecDeque::new(),
            may_send: start,
            smoothed_rtt: None,
            sent: 0,
            delivered: 0,
            dropped: 0,
            silent: false,
        }
    }

    pub fn in_flight_bytes(&self) -> u64 {
        self.outstanding.len() as u64 * u64::from(PACKET_BYTES)
    }

    pub fn window_packets(&self) -> f64 {
        self.control.window_bytes() as f64 / f64::from(PACKET_BYTES)
    }

    pub fn threshold_packets(&self) -> Option<f64> {
        Some(self.control.slow_start_threshold_bytes()? as f64 / f64::from(PACKET_BYTES))
    }

    pub fn run(&mut self, time: Duration) {
        self.run_until(time, |_| false);
    }

    /// Whether it came to that within the time.
    pub fn run_until(&mut self, time: Duration, reached: impl Fn(&Self) -> bool) -> bool {
        let end = self.now + time;
        while self.now < end {
            self.now += STEP;
            self.serve_link();
            self.receive();
            self.hear();
            self.send();
            if reached(self) {
                return true;
            }
        }
        false
    }

    fn send(&mut self) {
        let bytes = u64::from(PACKET_BYTES);
        while !self.silent && self.in_flight_bytes() + bytes <= self.control.window_bytes() && self.may_send <= self.now
        {
            let rate = self.control.pacing_rate_bytes_per_s().unwrap_or(10_000_000) as f64;
            self.may_send =
                self.may_send.max(self.now - STEP) + Duration::from_secs_f64(f64::from(PACKET_BYTES) / rate);
            let number = self.sent;
            self.sent += 1;
            self.outstanding.insert(number, self.now);
            self.control.sent(self.now, number, bytes, self.in_flight_bytes());
            let by_chance = self.link.lost_one_in > 0 && (number * 7919 + 13).is_multiple_of(self.link.lost_one_in);
            if by_chance || self.queue.len() >= self.link.queue_packets {
                self.dropped += 1;
            } else {
                self.queue.push_back(Flying { number, at: self.now });
            }
        }
    }

    fn serve_link(&mut self) {
        while let Some(&Flying { number, at }) = self.queue.front() {
            let time = Duration::from_secs_f64(f64::from(PACKET_BYTES) / self.link.bytes_per_s);
            let leaves = self.link_free.max(at) + time;
            if leaves > self.now {
                return;
            }
            self.queue.pop_front();
            self.link_free = leaves;
            self.arriving.push_back(Flying { number, at: leaves + self.link.rtt / 2 });
        }
    }

    fn receive(&mut self) {
        while let Some(packet) = self.arriving.front().copied().filter(|packet| packet.at <= self.now) {
            self.arriving.pop_front();
            self.held_back.push(packet.number);
            // The patience of a delayed acknowledgement is left out: the sender never stops.
            if self.held_back.len() >= 2 || self.silent {
                self.acknowledging.push_back((std::mem::take(&mut self.held_back), packet.at + self.link.rtt / 2));
            }
        }
    }

    fn hear(&mut self) {
        while self.acknowledging.front().is_some_and(|(_, at)| *at <= self.now) {
            let Some((numbers, _)) = self.acknowledging.pop_front() else { return };
            let still_awaited = |number: &u64| Some((*self.outstanding.get(number)?, *number));
            let Some(newest) = numbers.iter().rev().find_map(still_awaited) else { continue };
            let arrived = numbers.iter().filter(|number| self.outstanding.remove(number).is_some()).count() as u64;
            self.delivered += arrived;
            let rtt = self.now - newest.0;
            let smoothed_rtt = self.smoothed_rtt.map_or(rtt, |old| old * 7 / 8 + rtt / 8);
            self.smoothed_rtt = Some(smoothed_rtt);
            self.control.acknowledged(&Acknowledgement {
                now: self.now,
                bytes: arrived * u64::from(PACKET_BYTES),
                newest,
                smoothed_rtt,
                in_flight_bytes: self.in_flight_bytes(),
                starved: self.silent,
            });
            self.give_up_before(newest.1);
        }
    }

    fn give_up_before(&mut self, newest: u64) {
        let remaining = self.outstanding.split_off(&(newest + 1).saturating_sub(REORDERING));
        let lost = std::mem::replace(&mut self.outstanding, remaining);
        let Some((_, &newest_sent)) = lost.last_key_value() else { return };
        self.control.lost(&Loss {
            now: self.now,
            bytes: lost.len() as u64 * u64::from(PACKET_BYTES),
            newest_sent,
            in_flight_bytes: self.in_flight_bytes(),
            persistent: false,
        });
    }
}
