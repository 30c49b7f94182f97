//! BBR's window: grows towards a target, and keeps to what arrives in the first round after a loss. All in packets.

use std::time::Instant;

/// In packets.
pub const LEAST_WINDOW: f64 = 4.0;

#[derive(Debug, Clone)]
pub struct Window {
    packets: f64,
    /// The window to restore after a recovery or a probe of the round trip.
    saved: f64,
    recovery: Option<Recovery>,
    /// The latest acknowledgement: when, and of how much.
    heard: Option<(Instant, f64)>,
}

#[derive(Debug, Clone, Copy)]
struct Recovery {
    began: Instant,
    /// What was lost before it is sent again from then on at the latest.
    repairing_since: Instant,
    /// In its first round no more leaves than arrives.
    conserving: bool,
    over: bool,
}

impl Window {
    pub fn new(packets: f64) -> Self {
        Self { packets, saved: 0.0, recovery: None, heard: None }
    }

    pub fn packets(&self) -> f64 {
        self.packets
    }

    fn is_recovering(&self) -> bool {
        self.recovery.is_some_and(|recovery| !recovery.over)
    }

    /// Remembers the window; the larger one where it has been cut already.
    pub fn save(&mut self, is_cut: bool) {
        let is_cut = is_cut || self.is_recovering();
        self.saved = if is_cut { self.saved.max(self.packets) } else { self.packets };
    }

    pub fn restore(&mut self) {
        self.packets = self.packets.max(self.saved);
    }

    pub fn round_ended(&mut self) {
        if let Some(recovery) = &mut self.recovery {
            recovery.conserving = false;
        }
    }

    /// A recovery ends when what is sent again has arrived, too; TCP is in it until all before its beginning is there.
    pub fn heard(&mut self, now: Instant, newest_sent: Instant, acknowledged: f64) {
        self.heard = Some((now, acknowledged));
        if let Some(recovery) =
            self.recovery.as_mut().filter(|recovery| !recovery.over && newest_sent > recovery.repairing_since)
        {
            (recovery.over, recovery.conserving) = (true, false);
            self.restore();
        }
    }

    pub fn acknowledged(&mut self, acknowledged: f64, in_flight: f64, target: f64, pipe_is_full: bool, young: bool) {
        if self.recovery.is_some_and(|recovery| recovery.conserving) {
            self.packets = self.packets.max(in_flight + acknowledged);
            return;
        }
        if pipe_is_full {
            self.packets = (self.packets + acknowledged).min(target);
        } else if self.packets < target || young {
            self.packets += acknowledged;
        }
        self.packets = self.packets.max(LEAST_WINDOW);
    }

    /// Returns whether a recovery begins with this loss.
    pub fn lost(&mut self, now: Instant, newest_sent: Instant, lost: f64, in_flight: f64, probing_rtt: bool) -> bool {
        if let Some(recovery) = &mut self.recovery {
            let before = newest_sent <= recovery.began;
            if before || !recovery.over {
                self.packets = (self.packets - lost).max(1.0);
                if before {
                    recovery.repairing_since = now;
                }
                return false;
            }
        }
        self.save(probing_rtt);
        // A timer may have told of the loss, too, long after the latest acknowledgement.
        let acknowledged = self.heard.filter(|(at, _)| *at == now).map_or(0.0, |(_, packets)| packets);
        self.packets = (in_flight + acknowledged).max(1.0);
        self.recovery = Some(Recovery { began: now, repairing_since: now, conserving: true, over: false });
        true
    }

    /// Everything was lost for long.
    pub fn collapse(&mut self, in_flight: f64) {
        self.packets = in_flight + 1.0;
    }

    /// The losses were spurious.
    pub fn undo(&mut self) {
        if self.is_recovering() {
            self.restore();
        }
        self.recovery = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_round_after_a_loss_conserves_and_the_end_restores() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        let mut window = Window::new(100.0);
        window.heard(at(10), at(0), 2.0);
        assert!(window.lost(at(10), at(0), 5.0, 80.0, false));
        assert!((window.packets() - 82.0).abs() < 1e-9, "{}", window.packets());
        // Others of the same round.
        assert!(!window.lost(at(11), at(5), 3.0, 77.0, false));
        assert!((window.packets() - 79.0).abs() < 1e-9, "{}", window.packets());
        window.acknowledged(2.0, 77.0, 200.0, true, false);
        assert!((window.packets() - 79.0).abs() < 1e-9, "conserved: {}", window.packets());
        window.round_ended();
        window.acknowledged(2.0, 77.0, 200.0, true, false);
        assert!((window.packets() - 81.0).abs() < 1e-9, "growing again: {}", window.packets());
        window.heard(at(40), at(20), 2.0);
        assert!((window.packets() - 100.0).abs() < 1e-9, "restored: {}", window.packets());
    }

    #[test]
    fn it_grows_to_the_target_once_the_pipe_is_full_and_over_it_before() {
        let mut window = Window::new(50.0);
        window.acknowledged(10.0, 0.0, 55.0, false, false);
        assert!((window.packets() - 60.0).abs() < 1e-9);
        window.acknowledged(10.0, 0.0, 55.0, true, false);
        assert!((window.packets() - 55.0).abs() < 1e-9);
        window.acknowledged(10.0, 0.0, 1.0, true, false);
        assert!((window.packets() - LEAST_WINDOW).abs() < 1e-9);
    }
}
