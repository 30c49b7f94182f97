//! The interface of a scheduler, and how much may be decided ahead.

use std::collections::BTreeSet;

use crate::priority::Priority;

/// Stream id of HTTP/2 or QUIC.
pub type StreamId = u64;

/// Most bytes of a body in one turn: one HTTP/2 DATA frame in one TLS record, one HTTP/3 DATA frame, about six packets in both transports.
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
