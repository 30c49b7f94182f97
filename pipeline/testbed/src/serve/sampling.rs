//! Samples each connection while it lives.

use std::future::pending;

use tokio::time::{MissedTickBehavior, interval};

use super::shared::Shared;
use super::state::TransportState;
use crate::emulate::series::INTERVAL;

/// Samples a connection for as long as it lives. Does nothing where the run was not asked for it.
pub(crate) async fn keep(shared: &Shared, connection: usize, state: impl Fn() -> Option<TransportState>) {
    if !shared.series {
        return pending().await;
    }
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    loop {
        ticks.tick().await;
        if let Some(state) = state() {
            shared.log.sampled(connection, &state);
        }
    }
}
