//! State that all connections of the servers share.

use std::sync::{Mutex, PoisonError};

use tokio::sync::{mpsc, watch};

use eyelevel_replay::matching::{Answer, Asked, Replay, Turns};
use eyelevel_scheduling::Scheduling;

use super::log::Log;

/// The state that every connection needs; one for the process.
pub(crate) struct Shared {
    pub replay: Replay,
    pub turns: Mutex<Turns>,
    pub scheduling: Scheduling,
    pub log: Log,
    /// Whether answers over TCP announce QUIC at the same port.
    pub alt_svc: bool,
    /// Whether each connection is sampled over time.
    pub series: bool,
}

impl Shared {
    pub fn answer(&self, asked: &Asked<'_>) -> Answer {
        // A count is only ever raised whole, so they are sound even after a panic elsewhere.
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        self.replay.answer(asked, &mut turns)
    }
}

/// A connection's handle for the shutdown: it learns when to stop, and the servers wait until the handle is dropped.
#[derive(Clone)]
pub(crate) struct Life {
    stop: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Life {
    pub fn new(stop: watch::Receiver<bool>, alive: mpsc::Sender<()>) -> Self {
        Self { stop, _alive: alive }
    }

    pub async fn ended(&mut self) {
        // An error means that the servers are gone, which is an end as well.
        let _ = self.stop.wait_for(|stop| *stop).await;
    }
}
