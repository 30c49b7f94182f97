//! Passes packets of the emulated link to the analysis of flows.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use eyelevel_wire::{DroppedBy, Flow, Flows, Key, Way};

/// The emulation's one thread fills it, so nobody waits for the lock; a look at a packet takes about a microsecond.
#[derive(Debug)]
pub struct Watch {
    epoch: Instant,
    flows: Mutex<Flows>,
}

impl Watch {
    /// `rtt` is the least that the link allows.
    #[must_use]
    pub fn new(rtt: Duration) -> Self {
        Self { epoch: Instant::now(), flows: Mutex::new(Flows::new(rtt)) }
    }

    fn flows(&self) -> MutexGuard<'_, Flows> {
        // Each packet leaves the table whole, so it is sound even after a panic elsewhere.
        self.flows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// At the server's end of the link.
    pub fn passed(&self, at: Instant, way: Way, frame: &[u8]) {
        self.flows().passed(at.saturating_duration_since(self.epoch), way, frame);
    }

    pub fn dropped(&self, way: Way, by: DroppedBy, flow: Key) {
        self.flows().dropped(way, by, flow);
    }

    /// Flows whose first packet was seen at `from` or later; all where it is `None`.
    #[must_use]
    pub fn report(&self, from: Option<std::time::Instant>) -> Vec<Flow> {
        let from = from.map(|from| Instant::from_std(from).saturating_duration_since(self.epoch));
        self.flows().report(from)
    }
}
