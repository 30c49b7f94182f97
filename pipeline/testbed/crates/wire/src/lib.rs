//! Analysis of the packets of a run: flows, handshakes, first flights, and contradictions of the stack's definition. Pure: packets,
//! times and values are arguments.
//!
//! The point of observation is the server's end of the emulated link: packets of the server are seen when they are
//! sent, before queue and loss, and packets of the client when they have arrived.

pub mod contradictions;
mod flight;
pub mod flows;
pub mod notes;
mod packet;
mod quic;
pub mod server;
pub mod summary;
mod tcp;
mod time;
pub mod tls;

pub use flows::{DroppedBy, Flow, Flows};
pub use packet::{Carrier, Key, Way, key_of};
