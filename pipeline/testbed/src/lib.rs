//! Replays a recorded website at eye level: same bytes, servers, scheduler and network for every protocol stack.

pub mod certs;
pub mod plan;
pub mod recording;
pub mod replay;
pub mod scheduler;
pub mod serve;
mod socket;
pub mod stacks;
