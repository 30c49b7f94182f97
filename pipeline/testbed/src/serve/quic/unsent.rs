//! Counts the bytes that are decided but have not left: the counterpart of TCP's unsent bytes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use atomic_waker::AtomicWaker;

use super::frames::StreamFrame;
use eyelevel_scheduling::UNSENT_LIMIT_BYTES;

/// Kept by a connection's writer on one side and by the packets that leave on the other.
#[derive(Default)]
pub struct Unsent {
    streams: Mutex<Streams>,
    room: AtomicWaker,
}

#[derive(Default)]
struct Streams {
    by_id: HashMap<u64, Offsets>,
    unsent_bytes: u64,
    ranks: i32,
}

#[derive(Default, Clone, Copy)]
struct Offsets {
    written: u64,
    sent: u64,
}

/// Bidirectional streams of the client (RFC 9000, section 2.1) carry responses; the others only control.
fn carries_response(stream: u64) -> bool {
    stream.is_multiple_of(4)
}

impl Unsent {
    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The library took these bytes of a stream.
    pub fn written(&self, stream: u64, bytes: usize) {
        if carries_response(stream) {
            let mut streams = self.streams();
            streams.by_id.entry(stream).or_default().written += bytes as u64;
            streams.unsent_bytes += bytes as u64;
        }
    }

    /// The rank among streams for a chunk that is about to be written. Later ones have lower ranks, so that the library sends what is
    /// decided in the order in which it was, as a TCP connection does. What a stream still has unsent goes down with its newest
    /// chunk: if it kept its rank, a stream that is topped up before it runs dry would keep all others waiting.
    pub fn rank(&self, stream: u64) -> Option<i32> {
        // Streams of control stay first.
        carries_response(stream).then(|| {
            let mut streams = self.streams();
            // Two billion chunks are more than any connection lives to see.
            streams.ranks = streams.ranks.saturating_sub(1);
            streams.ranks
        })
    }

    /// A packet leaves with these frames.
    pub fn leaving(&self, frames: impl Iterator<Item = StreamFrame>) {
        let mut streams = self.streams();
        for frame in frames {
            match frame {
                StreamFrame::Data { stream, end } => streams.sent(stream, end),
                StreamFrame::Reset { stream } => streams.sent(stream, u64::MAX),
            }
        }
        if streams.unsent_bytes < u64::from(UNSENT_LIMIT_BYTES) {
            drop(streams);
            self.room.wake();
        }
    }

    #[cfg(test)]
    pub fn unsent_bytes(&self) -> u64 {
        self.streams().unsent_bytes
    }

    /// Ready while less than [`UNSENT_LIMIT_BYTES`] is decided but unsent.
    pub fn poll_room(&self, cx: &Context<'_>) -> Poll<()> {
        self.room.register(cx.waker());
        if self.streams().unsent_bytes < u64::from(UNSENT_LIMIT_BYTES) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Streams {
    /// Bytes up to `end` have left; some of them may have before.
    fn sent(&mut self, stream: u64, end: u64) {
        let Some(offsets) = self.by_id.get_mut(&stream) else { return };
        let end = end.min(offsets.written);
        if end > offsets.sent {
            self.unsent_bytes -= end - offsets.sent;
            offsets.sent = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn data(stream: u64, end: u64) -> std::iter::Once<StreamFrame> {
        std::iter::once(StreamFrame::Data { stream, end })
    }

    #[test]
    fn counts_what_is_written_and_has_not_left_yet() {
        let unsent = Unsent::default();
        unsent.written(0, 1000);
        unsent.written(4, 500);
        unsent.leaving(data(0, 600));
        assert_eq!(unsent.unsent_bytes(), 900);
        unsent.leaving(data(4, 500));
        assert_eq!(unsent.unsent_bytes(), 400);
    }

    #[test]
    fn a_retransmission_counts_nothing() {
        let unsent = Unsent::default();
        unsent.written(0, 1000);
        unsent.leaving(data(0, 600));
        unsent.leaving(data(0, 300));
        assert_eq!(unsent.unsent_bytes(), 400);
    }

    #[test]
    fn a_reset_gives_up_what_has_not_left() {
        let unsent = Unsent::default();
        unsent.written(0, 1000);
        unsent.leaving(std::iter::once(StreamFrame::Reset { stream: 0 }));
        assert_eq!(unsent.unsent_bytes(), 0);
    }

    #[test]
    fn control_streams_do_not_count() {
        let unsent = Unsent::default();
        unsent.written(3, 1000);
        assert_eq!(unsent.unsent_bytes(), 0);
    }

    #[test]
    fn what_is_written_later_ranks_lower_and_control_has_no_rank() {
        let unsent = Unsent::default();
        assert_eq!([0, 4, 0, 3].map(|stream| unsent.rank(stream)), [Some(-1), Some(-2), Some(-3), None]);
    }

    #[test]
    fn there_is_room_below_the_limit_only() {
        let unsent = Unsent::default();
        let cx = Context::from_waker(Waker::noop());
        unsent.written(0, UNSENT_LIMIT_BYTES as usize - 1);
        assert_eq!(unsent.poll_room(&cx), Poll::Ready(()));
        unsent.written(0, 1);
        assert_eq!(unsent.poll_room(&cx), Poll::Pending);
        unsent.leaving(data(0, 1));
        assert_eq!(unsent.poll_room(&cx), Poll::Ready(()));
    }
}
