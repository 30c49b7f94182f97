//! One direction of an emulated path: decides the fate of a datagram, does no I/O.
//!
//! A constant delay before or after a first-in first-out link gives the same exit times, so only
//! the place of the loss matters: downlink loss comes after the link, uplink loss before it.

/// IPv4 and UDP headers, which the link carries besides the UDP payload.
pub const HEADER_BYTES: u64 = 28;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSpec {
    /// `None`: no limit.
    pub rate_bps: Option<u64>,
    pub delay_ns: u64,
    /// The longest wait before the link that is still accepted (drop-tail).
    pub queue_ns: u64,
    pub loss: f64,
    pub loss_before_link: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Delivered { at_ns: u64 },
    QueueDropped,
    Lost,
}

#[derive(Debug)]
pub struct Link {
    spec: LinkSpec,
    rng: fastrand::Rng,
    free_at_ns: u64,
}

impl Link {
    pub fn new(spec: LinkSpec, seed: u64) -> Self {
        Self {
            spec,
            rng: fastrand::Rng::with_seed(seed),
            free_at_ns: 0,
        }
    }

    /// Fate of a datagram of `payload_bytes` that enters at `now_ns` (times must not decrease).
    pub fn offer(&mut self, now_ns: u64, payload_bytes: usize) -> Fate {
        let lost = self.rng.f64() < self.spec.loss;
        if lost && self.spec.loss_before_link {
            return Fate::Lost;
        }
        let start_ns = self.free_at_ns.max(now_ns);
        if start_ns - now_ns > self.spec.queue_ns {
            return Fate::QueueDropped;
        }
        let bits = (payload_bytes as u64 + HEADER_BYTES) * 8;
        let busy_ns = self
            .spec
            .rate_bps
            .map_or(0, |rate| bits * 1_000_000_000 / rate);
        self.free_at_ns = start_ns + busy_ns;
        if lost {
            return Fate::Lost;
        }
        Fate::Delivered {
            at_ns: self.free_at_ns + self.spec.delay_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn spec() -> LinkSpec {
        LinkSpec {
            rate_bps: Some(8_000_000),
            delay_ns: 10 * MS,
            queue_ns: 2 * MS,
            loss: 0.0,
            loss_before_link: false,
        }
    }

    #[test]
    fn serializes_then_delays() {
        let mut link = Link::new(spec(), 1);
        // 972 + 28 bytes at 8 Mbit/s take 1 ms.
        assert_eq!(link.offer(0, 972), Fate::Delivered { at_ns: 11 * MS });
        assert_eq!(link.offer(0, 972), Fate::Delivered { at_ns: 12 * MS });
    }

    #[test]
    fn drops_what_would_wait_longer_than_the_queue() {
        let mut link = Link::new(spec(), 1);
        let fates: Vec<Fate> = (0..4).map(|_| link.offer(0, 972)).collect();
        assert_eq!(fates[2], Fate::Delivered { at_ns: 13 * MS });
        assert_eq!(fates[3], Fate::QueueDropped);
    }

    #[test]
    fn loss_after_the_link_has_used_it_and_before_it_has_not() {
        let after = LinkSpec {
            loss: 1.0,
            ..spec()
        };
        let mut link = Link::new(after, 1);
        assert_eq!(link.offer(0, 972), Fate::Lost);
        assert_eq!(link.free_at_ns, MS);
        let before = LinkSpec {
            loss_before_link: true,
            ..after
        };
        let mut link = Link::new(before, 1);
        assert_eq!(link.offer(0, 972), Fate::Lost);
        assert_eq!(link.free_at_ns, 0);
    }

    #[test]
    fn the_loss_share_follows_the_setting_and_the_seed() {
        let lossy = LinkSpec {
            rate_bps: None,
            loss: 0.0305,
            ..spec()
        };
        let lost = |seed| {
            let mut link = Link::new(lossy, seed);
            (0..100_000)
                .filter(|_| link.offer(0, 972) == Fate::Lost)
                .count()
        };
        assert!((2_900..3_200).contains(&lost(7)), "{}", lost(7));
        assert_eq!(lost(7), lost(7));
        assert_ne!(lost(7), lost(8));
    }
}
