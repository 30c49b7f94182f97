//! Eyelevel's testbed: replays a recorded website at eye level behind an emulated network, and runs any command in front of it.
//!
//! At eye level: same bytes, servers, scheduler and network for every protocol stack.

pub mod certs;
pub mod cli;
pub mod congestion;
pub mod emulate;
pub mod networks;
pub mod plan;
pub mod recording;
pub mod replay;
pub mod sandbox;
pub mod scheduler;
pub mod serve;
pub mod session;
mod socket;
pub mod stacks;
pub mod wire;
