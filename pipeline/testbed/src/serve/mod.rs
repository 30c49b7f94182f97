//! The servers of one recording, in the network namespace of the calling thread.

mod error;
mod exchange;
mod kernel;
mod log;
mod over_time;
mod process;
mod quic;
mod sampling;
mod servers;
mod serving;
mod shared;
mod state;
mod tcp;
mod tls;
mod updates;
mod varint;

pub use error::ServeError;
pub use kernel::here as kernel_settings;
pub use log::{Connection, Earlier, Log, Presented, Request, Served};
pub use process::{ServingReport, serve};
pub use quic::binding;
pub use servers::{Announcement, Servers};
pub use serving::Serving;
pub use state::TransportState;
