//! Serves one site from start to end: event loop, announcement, report.

use std::io;
use std::time::Instant;

use serde::Serialize;

use eyelevel_replay::placement::{Grouping, Unserved};
use eyelevel_replay::site::Site;
use eyelevel_scheduling::{CHUNK_BYTES, UNSENT_LIMIT_BYTES};
use eyelevel_wire::server::{Kernel, ServerPart};

use super::error::ServeError;
use super::kernel;
use super::log::{Earlier, Served};
use super::servers::{Announcement, Servers};
use super::serving::Serving;

/// The server's part of the wire report.
#[derive(Debug, Serialize)]
pub struct ServingReport {
    recording: String,
    stack: &'static str,
    stack_digest: String,
    scheduler: &'static str,
    /// The treatment of PRIORITY_UPDATE frames; each connection has their number.
    priority_updates: &'static str,
    seed: u64,
    start_url: String,
    grouping: Grouping,
    /// Every host and port that was served.
    origins: Vec<String>,
    /// Recorded hosts and ports that were not, because browsers look for them on their own machine.
    unserved: Vec<Unserved>,
    chunk_bytes: usize,
    unsent_limit_bytes: u32,
    /// Whether the servers ran before all ordinary threads; without it, a busy client delays QUIC's more than TCP's.
    pub real_time: bool,
    kernel: Kernel,
    #[serde(flatten)]
    served: Served,
}

impl ServingReport {
    /// Leaves out what came over connections that were opened before `from`, and says how much that was.
    #[must_use]
    pub fn since(self, from: Instant) -> (Self, Earlier) {
        let (served, earlier) = self.served.since(from);
        (Self { served, ..self }, earlier)
    }

    /// What is compared with the stack's definition.
    #[must_use]
    pub fn part(&self) -> ServerPart {
        let connections = self.served.connections.iter().map(super::log::Connection::part).collect();
        ServerPart { connections, kernel: self.kernel.clone() }
    }
}

/// Serves until `stop` completes. `ready` is called once all addresses are bound, and `stop` is made inside the event loop.
///
/// # Errors
/// [`ServeError`] where the servers cannot listen, or `ready` fails.
pub fn serve<F: Future<Output = ()>>(
    site: Site,
    serving: Serving,
    ready: impl FnOnce(&Announcement) -> io::Result<()>,
    stop: impl FnOnce() -> io::Result<F>,
) -> Result<ServingReport, ServeError> {
    // One thread: the emulated links are slow, and turns are then taken in one order.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::EventLoop)?;
    let (recording, placement) = (site.digest.clone(), site.placement.clone());
    let served = runtime.block_on(async {
        let stop = stop().map_err(ServeError::EventLoop)?;
        let servers = Servers::bind(site, &serving)?;
        ready(servers.announcement()).map_err(ServeError::Announcement)?;
        Ok::<_, ServeError>(servers.run(stop).await)
    })?;
    Ok(ServingReport {
        recording,
        stack: serving.stack.name,
        stack_digest: serving.stack.digest(),
        scheduler: serving.scheduling.kind.name(),
        priority_updates: serving.scheduling.priority_updates.name(),
        seed: serving.seed,
        origins: placement.origins(),
        unserved: placement.unserved.into_iter().collect(),
        start_url: placement.start_url,
        grouping: placement.grouping,
        chunk_bytes: CHUNK_BYTES,
        unsent_limit_bytes: UNSENT_LIMIT_BYTES,
        real_time: serving.real_time,
        kernel: kernel::here(),
        served,
    })
}
