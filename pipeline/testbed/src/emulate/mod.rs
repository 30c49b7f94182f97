//! The emulated link between client and server, in user space.
//!
//! Stacked from the server to the client: delay, link with its drop-tail queue, loss. So what is lost on the way down has
//! used the link, and what is lost on the way up has not.

pub mod counters;
pub mod loss;
pub mod port;
pub mod queue;

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use rattan_core::cells::bandwidth::{BwCell, BwType};
use rattan_core::cells::delay::DelayCell;
use rattan_core::core::RattanCore;
use rattan_core::error::Error;
use rattan_core::metal::io::af_packet::AfPacketDriver;
use rattan_core::netem_trace::Bandwidth;
use rattan_env::VethCell;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::networks::{Direction, Network};
use crate::sandbox::sys;
use counters::{Counters, DirectionReport};
use loss::{Draws, LossCell};
use port::Port;
use queue::CountedQueue;

/// The link while it runs; it stops when dropped.
pub struct Emulation {
    _core: RattanCore<AfPacketDriver>,
    down: Arc<Counters>,
    up: Arc<Counters>,
    client_socket: OwnedFd,
    server_socket: OwnedFd,
    real_time: bool,
}

/// What the link did, for the wire report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkReport {
    pub down: DirectionReport,
    pub up: DirectionReport,
    /// Whether the emulation ran before all ordinary threads; without it, expect more lateness under load.
    pub real_time: bool,
}

impl Emulation {
    /// Starts to carry packets between two interfaces of the calling thread's network namespace.
    ///
    /// # Errors
    /// Where a socket or a timer cannot be had.
    pub fn start(network: &Network, seed: u64, client: &Arc<VethCell>, server: &Arc<VethCell>) -> Result<Self, Error> {
        let (priority, granted) = std::sync::mpsc::channel();
        // One thread: a packet passes all cells without waking another.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("emulation")
            .enable_all()
            .on_thread_start(move || {
                let _ = priority.send(sys::run_at_once().is_ok());
            })
            .build()?;
        let real_time = granted.recv().unwrap_or(false);
        let stop = CancellationToken::new();
        let mut core = RattanCore::new(Arc::new(runtime), stop.child_token(), stop);
        let (down, up) = (Arc::new(Counters::default()), Arc::new(Counters::default()));
        let client_socket = add_port(&mut core, "client", client, &up, &down)?;
        let server_socket = add_port(&mut core, "server", server, &down, &up)?;
        add_direction(&mut core, "down", network.down(), seed, &down)?;
        add_direction(&mut core, "up", network.up(), seed, &up)?;
        for way in [
            ["server", "down delay", "down link", "down loss", "client"],
            ["client", "up loss", "up link", "up delay", "server"],
        ] {
            for pair in way.windows(2) {
                core.link_cell(pair[0].to_owned(), pair[1].to_owned());
            }
        }
        core.spawn_rattan()?;
        core.start_rattan()?;
        Ok(Self { _core: core, down, up, client_socket, server_socket, real_time })
    }

    /// How many packets the draw has lost so far, down and up.
    #[must_use]
    pub fn losses(&self) -> (u64, u64) {
        (self.down.losses(), self.up.losses())
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
) -> Result<OwnedFd, Error> {
    let (interface, entering, leaving) = (interface.clone(), entering.clone(), leaving.clone());
    let mut socket = None;
    core.build_cell(name.to_owned(), |runtime: &tokio::runtime::Handle| {
        let _inside = runtime.enter();
        let port = Port::open(interface, entering, leaving)?;
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
    core.build_cell(format!("{name} delay"), |runtime: &tokio::runtime::Handle| {
        let _inside = runtime.enter();
        DelayCell::new(Duration::from_secs_f64(direction.delay_ms / 1e3))
    })?;
    core.build_cell(format!("{name} link"), |runtime: &tokio::runtime::Handle| {
        let _inside = runtime.enter();
        let queue = CountedQueue::new(direction.queue_bytes, counters.clone());
        BwCell::new(Bandwidth::from_bps(direction.bits_per_second), queue, BwType::NetworkLayer)
    })?;
    core.build_cell(format!("{name} loss"), |_: &tokio::runtime::Handle| {
        Ok(LossCell::new(Draws::new(seed, name, direction.loss), counters.clone()))
    })?;
    Ok(())
}
