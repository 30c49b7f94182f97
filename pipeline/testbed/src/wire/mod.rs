//! What went over the wire, measured where it passes, and what of it contradicts the stack's definition. Pure: packets, times and
//! values come in as arguments.
//!
//! The server's end of the emulated link is the place to stand: what the server sends is seen when it is sent, before queue and loss,
//! and what the client sends when it has arrived.

pub mod contradictions;
mod flight;
pub mod flows;
pub mod notes;
mod packet;
mod quic;
pub mod server;
pub mod summary;
mod tcp;
pub(crate) mod tls;

pub use flows::{DroppedBy, Flow, Flows};
pub use packet::{Carrier, Key, Way, key_of};
