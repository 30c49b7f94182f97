//! Congestion control of QUIC: the algorithms that Linux has for TCP, so that two stacks with the same control differ in transport only.
//!
//! Pure: no clock, no socket, no library. Written from RFC 9438 (Cubic), RFC 6937 (reduction), the HyStart and BBR papers and what
//! Linux is known to do where these leave a choice. `serve::quic::steering` of the testbed connects them to the QUIC library.

mod bbr;
mod control;
mod cubic;
mod delivery;
mod hystart;
mod pacing;
mod reduction;
#[cfg(test)]
mod simulation;
mod usage;

pub use bbr::Bbr;
pub use control::{Acknowledgement, Control, Loss, Setup};
pub use cubic::Cubic;
