//! Eyelevel's testbed: a recorded website behind an emulated network, and any command in front of it.

pub mod cli;
pub mod emulate;
pub mod networks;
pub mod sandbox;
