//! The testbed: replays a recorded website over an emulated network, and runs any command in front of it.
//!
//! Every protocol stack is served from the same bytes, by the same servers and scheduler, over the same network.
//! What needs neither socket nor clock is in the crates of `crates/`: definitions, congestion control, scheduling, replay and the
//! analysis of what passed on the wire.

pub mod calibrate;
pub mod certs;
pub mod cli;
pub mod emulate;
mod files;
pub mod sandbox;
pub mod serve;
pub mod session;
mod socket;
