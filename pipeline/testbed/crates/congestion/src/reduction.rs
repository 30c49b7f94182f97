//! Proportional rate reduction (RFC 6937, with the reduction bound of slow start, as in Linux): while losses are repaired, sending goes
//! on at a share of what arrives, instead of a pause followed by a burst. All sizes in packets.

#[derive(Debug, Clone)]
pub struct Reduction {
    threshold: f64,
    window_before: f64,
    delivered: f64,
    sent: f64,
    newly_delivered: f64,
    newly_lost: bool,
}

impl Reduction {
    /// `newly_delivered` is what arrived with the acknowledgement that told of the loss.
    pub fn new(threshold: f64, window_before: f64, newly_delivered: f64) -> Self {
        Self { threshold, window_before, delivered: newly_delivered, sent: 0.0, newly_delivered, newly_lost: true }
    }

    pub fn sent(&mut self, packets: f64) {
        self.sent += packets;
    }

    pub fn delivered(&mut self, packets: f64) {
        self.delivered += packets;
        (self.newly_delivered, self.newly_lost) = (packets, false);
    }

    pub fn lost(&mut self) {
        self.newly_lost = true;
    }

    /// What may be in flight now. Updated after each acknowledgement and each loss, before anything is sent.
    pub fn window(&self, in_flight: f64) -> f64 {
        let more = if in_flight > self.threshold {
            (self.threshold * self.delivered / self.window_before).ceil() - self.sent
        } else {
            let bonus = if self.newly_lost { 0.0 } else { 1.0 };
            let catching_up = (self.delivered - self.sent).max(self.newly_delivered) + bonus;
            catching_up.min(self.threshold - in_flight)
        };
        // The first retransmission must not wait.
        in_flight + more.max(if self.sent > 0.0 { 0.0 } else { 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sends_seven_packets_for_every_ten_that_arrive() {
        let mut reduction = Reduction::new(70.0, 100.0, 0.0);
        let (mut in_flight, mut sent) = (99.0, 0.0);
        for _ in 0..20 {
            in_flight -= 1.0;
            reduction.delivered(1.0);
            while reduction.window(in_flight) >= in_flight + 1.0 {
                reduction.sent(1.0);
                (in_flight, sent) = (in_flight + 1.0, sent + 1.0);
            }
        }
        assert!((14.0..=15.0).contains(&sent), "{sent}");
    }

    #[test]
    fn after_heavy_loss_it_grows_back_to_the_threshold_and_not_above() {
        let mut reduction = Reduction::new(70.0, 100.0, 0.0);
        let mut in_flight = 20.0;
        for _ in 0..200 {
            in_flight -= 1.0;
            reduction.delivered(1.0);
            while reduction.window(in_flight) >= in_flight + 1.0 {
                reduction.sent(1.0);
                in_flight += 1.0;
            }
            assert!(in_flight <= 70.0, "{in_flight}");
        }
        assert!(in_flight >= 68.0, "{in_flight}");
    }

    #[test]
    fn one_packet_may_leave_at_once() {
        assert!((Reduction::new(70.0, 100.0, 0.0).window(99.0) - 100.0).abs() < 1e-9);
    }
}
