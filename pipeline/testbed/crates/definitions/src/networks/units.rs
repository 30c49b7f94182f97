//! Constants of every network.

/// The largest packet on the emulated links, in IP bytes.
pub const MTU_BYTES: usize = 1500;
