//! Counters of the emulated link, per direction.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::series::{End, Epoch, Series, SeriesReport};
use super::watch::Watch;
use eyelevel_wire::{self, DroppedBy, Key, Way};

/// Lateness is counted in classes of this width; the last class takes all that is later.
const CLASS_US: u64 = 50;
const CLASSES: usize = 1000;

/// Counters that the cells of one direction share.
#[derive(Debug)]
pub struct Counters {
    packets: AtomicU64,
    bytes: AtomicU64,
    forwarded_packets: AtomicU64,
    forwarded_bytes: AtomicU64,
    drops_queue: AtomicU64,
    drops_loss: AtomicU64,
    drops_send: AtomicU64,
    oversized: AtomicU64,
    late: Vec<AtomicU64>,
    /// The observer of drops, and the direction of these.
    watch: Option<(Arc<Watch>, Way)>,
    /// Counts over time, if requested.
    series: OnceLock<Series>,
}

/// One direction of the wire report. Bytes are IP bytes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DirectionReport {
    /// What the sender put on the link, ARP and ICMP included.
    pub packets: u64,
    pub bytes: u64,
    /// What reached the other side.
    pub forwarded_packets: u64,
    pub forwarded_bytes: u64,
    pub drops_queue: u64,
    pub drops_loss: u64,
    /// Packets that the emulation itself failed to carry; a run with any is void.
    pub drops_emulation: u64,
    /// Packets above the MTU, which a real link would not have carried; a run with any is void.
    pub oversized: u64,
    /// How long after its due time a packet left the emulation: 99 % left earlier. Null where none did.
    pub lateness_p99_ms: Option<f64>,
    pub lateness_max_ms: Option<f64>,
    /// Packets and bytes over time; omitted if not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesReport>,
}

/// Packets that the network itself does not deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drops {
    pub queue: u64,
    pub loss: u64,
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            packets: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            forwarded_packets: AtomicU64::new(0),
            forwarded_bytes: AtomicU64::new(0),
            drops_queue: AtomicU64::new(0),
            drops_loss: AtomicU64::new(0),
            drops_send: AtomicU64::new(0),
            oversized: AtomicU64::new(0),
            late: (0..CLASSES).map(|_| AtomicU64::new(0)).collect(),
            watch: None,
            series: OnceLock::new(),
        }
    }
}

impl Counters {
    /// Those of one direction, which tell of every drop.
    #[must_use]
    pub fn watched(watch: &Arc<Watch>, way: Way) -> Self {
        Self { watch: Some((watch.clone(), way)), ..Self::default() }
    }

    /// From now on also counts per interval since `epoch`.
    pub fn keep_series(&self, epoch: Epoch) {
        // A second request changes nothing.
        let _ = self.series.set(Series::new(epoch));
    }

    /// The flow of a frame, if drops are observed.
    #[must_use]
    pub fn flow_of(&self, frame: &[u8]) -> Option<Key> {
        self.watch.as_ref().and_then(|(_, way)| eyelevel_wire::key_of(frame, *way))
    }

    fn dropped(&self, by: DroppedBy, flow: Option<Key>) {
        if let (Some((watch, way)), Some(flow)) = (&self.watch, flow) {
            watch.dropped(*way, by, flow);
        }
    }

    /// A packet entered this direction.
    pub fn entered(&self, ip_bytes: usize) {
        self.packets.fetch_add(1, Relaxed);
        self.bytes.fetch_add(ip_bytes as u64, Relaxed);
        if let Some(series) = self.series.get() {
            series.add(End::Sender, Instant::now(), ip_bytes as u64);
        }
        if ip_bytes > eyelevel_definitions::networks::MTU_BYTES {
            self.oversized.fetch_add(1, Relaxed);
        }
    }

    /// A packet left this direction for its receiver, so long after it was due.
    pub fn left(&self, ip_bytes: usize, late: Duration) {
        self.forwarded_packets.fetch_add(1, Relaxed);
        self.forwarded_bytes.fetch_add(ip_bytes as u64, Relaxed);
        if let Some(series) = self.series.get() {
            series.add(End::Receiver, Instant::now(), ip_bytes as u64);
        }
        let class = usize::try_from(late.as_micros()).unwrap_or(usize::MAX) / CLASS_US as usize;
        self.late[class.min(CLASSES - 1)].fetch_add(1, Relaxed);
    }

    /// The queue had no room.
    pub fn dropped_by_queue(&self, flow: Option<Key>) {
        self.dropped(DroppedBy::Queue, flow);
        self.drops_queue.fetch_add(1, Relaxed);
    }

    /// The draw said so.
    pub fn dropped_by_loss(&self, flow: Option<Key>) {
        self.dropped(DroppedBy::Loss, flow);
        self.drops_loss.fetch_add(1, Relaxed);
    }

    /// The number of dropped packets so far.
    #[must_use]
    pub fn drops(&self) -> Drops {
        Drops { queue: self.drops_queue.load(Relaxed), loss: self.drops_loss.load(Relaxed) }
    }

    /// The kernel took no packet from us.
    pub fn failed_to_send(&self) {
        self.drops_send.fetch_add(1, Relaxed);
    }

    /// The counters as they stand; `missed` packets never reached the emulation.
    #[must_use]
    pub fn report(&self, missed: u64) -> DirectionReport {
        let late: Vec<u64> = self.late.iter().map(|class| class.load(Relaxed)).collect();
        DirectionReport {
            packets: self.packets.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
            forwarded_packets: self.forwarded_packets.load(Relaxed),
            forwarded_bytes: self.forwarded_bytes.load(Relaxed),
            drops_queue: self.drops_queue.load(Relaxed),
            drops_loss: self.drops_loss.load(Relaxed),
            drops_emulation: self.drops_send.load(Relaxed) + missed,
            oversized: self.oversized.load(Relaxed),
            lateness_p99_ms: quantile_ms(&late, 0.99),
            lateness_max_ms: quantile_ms(&late, 1.0),
            series: self.series.get().map(Series::report),
        }
    }
}

/// The upper bound of the class that the quantile lies in.
fn quantile_ms(classes: &[u64], quantile: f64) -> Option<f64> {
    let total: u64 = classes.iter().sum();
    // Counts of packets are far below 2^52.
    let wanted = (total as f64 * quantile).ceil().max(1.0) as u64;
    let mut seen = 0;
    for (class, count) in classes.iter().enumerate() {
        seen += count;
        if seen >= wanted {
            return Some((class as u64 + 1) as f64 * CLASS_US as f64 / 1000.0);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_unknown_before_any_packet_left() {
        assert_eq!(Counters::default().report(0).lateness_p99_ms, None);
    }

    #[test]
    fn ninety_nine_of_a_hundred_left_within_the_p99() {
        let counters = Counters::default();
        for _ in 0..99 {
            counters.left(100, Duration::from_micros(120));
        }
        counters.left(100, Duration::from_millis(7));
        let report = counters.report(0);
        assert_eq!(report.lateness_p99_ms, Some(0.15));
        assert_eq!(report.lateness_max_ms, Some(7.05));
    }

    #[test]
    fn a_series_is_kept_and_reported_only_where_it_was_asked_for() {
        let counters = Counters::default();
        counters.entered(1500);
        let plain = serde_json::to_value(counters.report(0)).unwrap();
        assert!(plain.get("series").is_none(), "{plain}");
        counters.keep_series(Epoch::now());
        counters.entered(1500);
        counters.left(1500, Duration::ZERO);
        let series = counters.report(0).series.unwrap();
        assert_eq!((series.bytes, series.forwarded_packets), (vec![1500], vec![1]));
    }

    #[test]
    fn a_packet_above_the_mtu_is_counted_as_such() {
        let counters = Counters::default();
        counters.entered(1500);
        counters.entered(1501);
        let report = counters.report(3);
        assert_eq!((report.packets, report.bytes, report.oversized, report.drops_emulation), (2, 3001, 1, 3));
    }
}
