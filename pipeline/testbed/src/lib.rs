//! Eyelevel's testbed: replays a recorded website at eye level behind an emulated network, and runs any command in front of it.

pub mod cli;
pub mod emulate;
pub mod networks;
pub mod plan;
pub mod recording;
pub mod sandbox;
pub mod stacks;
