//! The order in which the responses on one connection are sent. Pure, and the same for both transports.
//!
//! A connection's writer asks [`Order`] each time the transport has room for one more chunk, hands that chunk over, and reports it.
//! Heads are sent before bodies; a [`Scheduler`] decides the order of the bodies. So the order is decided as late as the transport
//! allows. Both transports hold at most [`UNSENT_LIMIT_BYTES`] plus one chunk that is decided but unsent: TCP by `TCP_NOTSENT_LOWAT`,
//! QUIC by counting the bytes of streams that have left in packets. Both send what is decided in the order in which it was decided.

mod choice;
mod order;
pub mod priority;
mod rfc9218;
mod round_robin;
mod scheduler;

pub use choice::{PriorityUpdates, SchedulerKind, Scheduling, UnknownScheduler, UnknownTreatment};
pub use order::Order;
pub use priority::Priority;
pub use rfc9218::Rfc9218;
pub use round_robin::RoundRobin;
pub use scheduler::{CHUNK_BYTES, Scheduler, StreamId, UNSENT_LIMIT_BYTES};
