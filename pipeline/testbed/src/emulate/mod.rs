//! The emulated link between client and server, in user space.
//!
//! Stacked from the server to the client: delay, link with its drop-tail queue, loss. So what is lost on the way down has
//! used the link, and what is lost on the way up has not.

pub mod counters;
pub mod jitter;
pub mod loss;
pub mod port;
pub mod queue;
pub mod series;
pub mod trace;
pub mod watch;

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rattan_core::cells::bandwidth::{BwCell, BwType};
use rattan_core::cells::delay::DelayCell;
use rattan_core::core::RattanCore;
use rattan_core::error::Error;
use rattan_core::metal::io::af_packet::AfPacketDriver;
use rattan_core::netem_trace::Bandwidth;
use rattan_env::VethCell;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::sandbox::sys::{self, Urgency};
use counters::{Counters, DirectionReport, Drops};
use eyelevel_definitions::networks::{Direction, Link, Network};
use eyelevel_wire::{Flow, Way};
use jitter::{Jitter, JitterCell};
use loss::{Draws, LossCell};
use port::Port;
use queue::CountedQueue;
use series::Epoch;
use trace::TraceCell;
use watch::Watch;

/// The link while it runs; it stops when dropped.
pub struct Emulation {
    _core: RattanCore<AfPacketDriver>,
    down: Arc<Counters>,
    up: Arc<Counters>,
    watch: Arc<Watch>,
    client_socket: OwnedFd,
    server_socket: OwnedFd,
    real_time: bool,
}

/// The error if the link could not start.
#[derive(Debug, thiserror::Error)]
#[error("cannot emulate the network: {0}")]
pub struct EmulationError(#[from] Error);

/// The link's part of the wire report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkReport {
    pub down: DirectionReport,
    pub up: DirectionReport,
    /// Whether the emulation ran before all ordinary threads; without it, expect more lateness under load.
    pub real_time: bool,
}

/// The cells that a packet passes, in order. Where there is no limit there is no link.
const DOWN: [&str; 5] = ["server", "down delay", "down link", "down loss", "client"];
const UP: [&str; 5] = ["client", "up loss", "up link", "up delay", "server"];

impl Emulation {
    /// Starts to carry packets between two interfaces of the calling thread's network namespace.
    ///
    /// # Errors
    /// Where a socket or a timer cannot be had.
    pub fn start(
        network: &Network,
        seed: u64,
        client: &Arc<VethCell>,
        server: &Arc<VethCell>,
    ) -> Result<Self, EmulationError> {
        let (priority, granted) = std::sync::mpsc::channel();
        // One thread: a packet passes all cells without waking another.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("emulation")
            .enable_all()
            .on_thread_start(move || {
                let _ = priority.send(sys::run_at_once(Urgency::Emulation).is_ok());
            })
            .build()
            .map_err(Error::from)?;
        let real_time = granted.recv().unwrap_or(false);
        let stop = CancellationToken::new();
        let mut core = RattanCore::new(Arc::new(runtime), stop.child_token(), stop);
        let watch = Arc::new(Watch::new(Duration::from_secs_f64(network.round_trip_ms() / 1e3)));
        let counters = |way| Arc::new(Counters::watched(&watch, way));
        let (down, up) = (counters(Way::Down), counters(Way::Up));
        let client_socket = add_port(&mut core, "client", client, &up, &down, None)?;
        let server_socket = add_port(&mut core, "server", server, &down, &up, Some(&watch))?;
        add_direction(&mut core, "down", network.down(), seed, &down)?;
        add_direction(&mut core, "up", network.up(), seed, &up)?;
        for (way, direction) in [(DOWN, network.down()), (UP, network.up())] {
            let cells: Vec<&str> =
                way.into_iter().filter(|cell| direction.link != Link::Unlimited || !cell.ends_with(" link")).collect();
            for pair in cells.windows(2) {
                core.link_cell(pair[0].to_owned(), pair[1].to_owned());
            }
        }
        core.spawn_rattan().map_err(Error::from)?;
        core.start_rattan()?;
        Ok(Self { _core: core, down, up, watch, client_socket, server_socket, real_time })
    }

    /// From now on both directions also count per interval of time.
    pub fn keep_series(&self) {
        let epoch = Epoch::now();
        self.down.keep_series(epoch);
        self.up.keep_series(epoch);
    }

    /// The flows, seen from the server's end; with `from`, only those that began at that moment or later.
    #[must_use]
    pub fn flows(&self, from: Option<Instant>) -> Vec<Flow> {
        self.watch.report(from)
    }

    /// The numbers of dropped packets so far, down and up.
    #[must_use]
    pub fn drops(&self) -> [Drops; 2] {
        [self.down.drops(), self.up.drops()]
    }

    /// The counters as they stand. Ask once: the kernel forgets what it missed when it has told.
    #[must_use]
    pub fn report(&self) -> LinkReport {
        let missed = |socket: &OwnedFd| sys::missed_packets(socket).unwrap_or(0);
        LinkReport {
            down: self.down.report(missed(&self.server_socket)),
            up: self.up.report(missed(&self.client_socket)),
            real_time: self.real_time,
        }
    }
}

fn add_port(
    core: &mut RattanCore<AfPacketDriver>,
    name: &str,
    interface: &Arc<VethCell>,
    entering: &Arc<Counters>,
    leaving: &Arc<Counters>,
    watch: Option<&Arc<Watch>>,
) -> Result<OwnedFd, Error> {
    let (interface, entering, leaving) = (interface.clone(), entering.clone(), leaving.clone());
    let watch = watch.cloned();
    let mut socket = None;
    core.build_cell(name.to_owned(), |runtime: &tokio::runtime::Handle| {
        let _inside = runtime.enter();
        let port = Port::open(interface, entering, leaving, watch)?;
        socket = Some(port.socket()?);
        Ok(port)
    })?;
    Ok(socket.expect("the factory above has run"))
}

fn add_direction(
    core: &mut RattanCore<AfPacketDriver>,
    name: &str,
    direction: Direction,
    seed: u64,
    counters: &Arc<Counters>,
) -> Result<(), Error> {
    let delay = Duration::from_secs_f64(direction.delay_ms / 1e3);
    let delay_id = format!("{name} delay");
    if direction.jitter_ms > 0.0 {
        let jitter = Jitter::new(seed, name, direction.jitter_ms);
        core.build_cell(delay_id, |runtime: &tokio::runtime::Handle| {
            let _inside = runtime.enter();
            JitterCell::new(delay, jitter)
        })?;
    } else {
        core.build_cell(delay_id, |runtime: &tokio::runtime::Handle| {
            let _inside = runtime.enter();
            DelayCell::new(delay)
        })?;
    }
    let (queue, link_id) = (CountedQueue::new(direction.queue, counters.clone()), format!("{name} link"));
    match direction.link {
        Link::BitsPerSecond(rate) => {
            core.build_cell(link_id, |runtime: &tokio::runtime::Handle| {
                let _inside = runtime.enter();
                BwCell::new(Bandwidth::from_bps(rate), queue, BwType::NetworkLayer)
            })?;
        }
        Link::Trace(trace) => {
            core.build_cell(link_id, |runtime: &tokio::runtime::Handle| {
                let _inside = runtime.enter();
                TraceCell::new(trace, queue)
            })?;
        }
        Link::Unlimited => {}
    }
    core.build_cell(format!("{name} loss"), |_: &tokio::runtime::Handle| {
        Ok(LossCell::new(Draws::new(seed, name, direction.loss), counters.clone()))
    })?;
    Ok(())
}
