//! Who sends next on a connection. Pure, and the same for both transports.
//!
//! A connection's writer asks [`Order`] each time the transport has room for one more chunk, hands that chunk over, and reports it.
//! Heads go before bodies; a [`Scheduler`] says in what order bodies go. So the order is decided as late as the transport allows.
//! Both arms keep at most [`UNSENT_LIMIT_BYTES`] plus one chunk decided but unsent: TCP by `TCP_NOTSENT_LOWAT`, QUIC by counting the
//! bytes of streams that have left in packets. Both send what is decided in the order in which it was.

mod order;
pub mod priority;
mod rfc9218;
mod round_robin;

use std::collections::BTreeSet;

pub use order::Order;
pub use priority::Priority;
pub use rfc9218::Rfc9218;
pub use round_robin::RoundRobin;

/// Stream id of HTTP/2 or QUIC.
pub type StreamId = u64;

/// Most bytes of a body in one turn: one HTTP/2 DATA frame in one TLS record, one HTTP/3 DATA frame, about six packets in both arms.
/// Small enough that streams interleave finely and little is decided ahead, large enough that framing costs below half a percent.
pub const CHUNK_BYTES: usize = 8 * 1024;

/// A further chunk is handed to the transport only while fewer bytes than this are decided but unsent: two chunks, 13 ms at
/// 10 Mbit/s, enough that no packet waits for the writer.
pub const UNSENT_LIMIT_BYTES: u32 = 16 * 1024;

/// Decides which stream sends its next chunk.
pub trait Scheduler: Send {
    /// A response has begun. A stream is admitted once.
    fn admit(&mut self, stream: StreamId, priority: Priority);

    /// The client has changed its mind. Unknown streams are ignored: the change may come after the response.
    fn reprioritize(&mut self, stream: StreamId, priority: Priority);

    /// The response is complete or given up.
    fn withdraw(&mut self, stream: StreamId);

    /// The stream whose turn it is, leaving out those that flow control holds back; `None` where no other has anything to send.
    fn next(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId>;

    /// One chunk of this stream went to the transport.
    fn sent(&mut self, stream: StreamId, bytes: usize);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedulerKind {
    Rfc9218,
    RoundRobin,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown scheduler \"{0}\"; known are {known}", known = SchedulerKind::ALL.map(SchedulerKind::name).join(", "))]
pub struct UnknownScheduler(String);

impl std::str::FromStr for SchedulerKind {
    type Err = UnknownScheduler;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownScheduler(name.to_owned()))
    }
}

/// What to do with PRIORITY_UPDATE frames (RFC 9218, section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorityUpdates {
    /// Count them only. Browsers send them over HTTP/3 and not over HTTP/2, so acting on them would treat the arms differently.
    Count,
    Act,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown treatment of priority updates \"{0}\"; known are count, act")]
pub struct UnknownTreatment(String);

impl std::str::FromStr for PriorityUpdates {
    type Err = UnknownTreatment;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Count, Self::Act]
            .into_iter()
            .find(|treatment| treatment.name() == name)
            .ok_or_else(|| UnknownTreatment(name.to_owned()))
    }
}

impl PriorityUpdates {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Act => "act",
        }
    }
}

/// Everything that decides the order of bytes; the same for all connections of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheduling {
    pub kind: SchedulerKind,
    pub priority_updates: PriorityUpdates,
}

impl Default for Scheduling {
    fn default() -> Self {
        Self { kind: SchedulerKind::Rfc9218, priority_updates: PriorityUpdates::Count }
    }
}

impl SchedulerKind {
    /// The first is the default.
    pub const ALL: [Self; 2] = [Self::Rfc9218, Self::RoundRobin];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc9218 => "rfc9218",
            Self::RoundRobin => "round-robin",
        }
    }

    /// A fresh scheduler for one connection.
    #[must_use]
    pub fn build(self) -> Box<dyn Scheduler> {
        match self {
            Self::Rfc9218 => Box::new(Rfc9218::default()),
            Self::RoundRobin => Box::new(RoundRobin::default()),
        }
    }
}
