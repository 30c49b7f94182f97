//! Packets and bytes over time, for one direction of the emulated link.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// The ends of the link at which packets are counted.
pub const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Packets enter the link.
    Sender,
    /// They leave it for the other side.
    Receiver,
}

/// One moment by both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epoch {
    pub at: Instant,
    pub unix_ms: u64,
}

impl Epoch {
    #[must_use]
    pub fn now() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { at: Instant::now(), unix_ms: u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX) }
    }
}

/// Counts since `epoch`, which both directions of a link share.
#[derive(Debug)]
pub struct Series {
    epoch: Instant,
    counts: Mutex<SeriesReport>,
}

/// A direction in intervals, of equal numbers and all since the same moment. Bytes are IP bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeriesReport {
    pub interval_ms: u64,
    /// When the first interval began, in milliseconds since 1970.
    pub begun_unix_ms: u64,
    /// What the sender put on the link.
    pub packets: Vec<u64>,
    pub bytes: Vec<u64>,
    /// What reached the other side.
    pub forwarded_packets: Vec<u64>,
    pub forwarded_bytes: Vec<u64>,
}

impl Series {
    #[must_use]
    pub fn new(epoch: Epoch) -> Self {
        let counts = SeriesReport {
            // 100 ms
            interval_ms: u64::try_from(INTERVAL.as_millis()).unwrap_or(u64::MAX),
            begun_unix_ms: epoch.unix_ms,
            packets: Vec::new(),
            bytes: Vec::new(),
            forwarded_packets: Vec::new(),
            forwarded_bytes: Vec::new(),
        };
        Self { epoch: epoch.at, counts: Mutex::new(counts) }
    }

    /// A packet of so many IP bytes, at one end of the link.
    pub fn add(&self, end: End, at: Instant, ip_bytes: u64) {
        let interval = at.saturating_duration_since(self.epoch).as_nanos() / INTERVAL.as_nanos();
        let place = usize::try_from(interval).unwrap_or(usize::MAX);
        // Each packet leaves the counts whole, so they are sound even after a panic elsewhere.
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = &mut *counts;
        if place >= counts.packets.len() {
            for column in
                [&mut counts.packets, &mut counts.bytes, &mut counts.forwarded_packets, &mut counts.forwarded_bytes]
            {
                column.resize(place + 1, 0);
            }
        }
        let (packets, bytes) = match end {
            End::Sender => (&mut counts.packets, &mut counts.bytes),
            End::Receiver => (&mut counts.forwarded_packets, &mut counts.forwarded_bytes),
        };
        packets[place] += 1;
        bytes[place] += ip_bytes;
    }

    #[must_use]
    pub fn report(&self) -> SeriesReport {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_counted_in_the_interval_in_which_they_pass_an_end() {
        let epoch = Instant::now();
        let series = Series::new(Epoch { at: epoch, unix_ms: 5 });
        let at = |ms| epoch + Duration::from_millis(ms);
        series.add(End::Sender, at(0), 1500);
        series.add(End::Sender, at(99), 40);
        series.add(End::Receiver, at(100), 1500);
        series.add(End::Sender, at(310), 700);
        assert_eq!(
            series.report(),
            SeriesReport {
                interval_ms: 100,
                begun_unix_ms: 5,
                packets: vec![2, 0, 0, 1],
                bytes: vec![1540, 0, 0, 700],
                forwarded_packets: vec![0, 1, 0, 0],
                forwarded_bytes: vec![0, 1500, 0, 0],
            }
        );
    }

    #[test]
    fn a_link_that_carried_nothing_has_no_interval() {
        assert_eq!(Series::new(Epoch::now()).report().packets, Vec::<u64>::new());
    }
}
