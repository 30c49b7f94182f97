//! The servers of one recording, in the network namespace of the calling thread.

mod error;
mod exchange;
mod kernel;
mod log;
mod over_time;
mod process;
mod quic;
mod servers;
mod shared;
mod tcp;
mod tls;
mod updates;
mod varint;

pub use error::ServeError;
pub use kernel::here as kernel_settings;
pub use log::{Connection, Earlier, Log, Presented, Request, Served, TransportState};
pub use process::{Serving, ServingReport, serve};
pub use quic::binding;
pub use servers::{Announcement, Servers};
