//! Analysis of the packets of a run: flows, handshakes, first flights, and contradictions of the stack's definition. Pure: packets,
//! times and values are arguments.
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
mod time;
pub mod tls;

pub use flows::{DroppedBy, Flow, Flows};
pub use packet::{Carrier, Key, Way, key_of};
