//! Round robin: one chunk per stream in turn, without the client's priorities.

use std::collections::{BTreeSet, VecDeque};

use crate::priority::Priority;
use crate::scheduler::{CHUNK_BYTES, Scheduler, StreamId};

/// A turn lasts until [`CHUNK_BYTES`] have been sent; a stream that flow control holds back in its turn keeps its place.
#[derive(Debug, Default)]
pub struct RoundRobin {
    /// The stream at the front has the turn. With each, the bytes it has sent in its turn.
    waiting: VecDeque<(StreamId, usize)>,
}

impl Scheduler for RoundRobin {
    fn admit(&mut self, stream: StreamId, _priority: Priority) {
        self.waiting.push_back((stream, 0));
    }

    fn reprioritize(&mut self, _stream: StreamId, _priority: Priority) {}

    fn withdraw(&mut self, stream: StreamId) {
        self.waiting.retain(|(waiting, _)| *waiting != stream);
    }

    fn next(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId> {
        self.waiting.iter().map(|(stream, _)| *stream).find(|stream| !blocked.contains(stream))
    }

    fn sent(&mut self, stream: StreamId, bytes: usize) {
        let Some(place) = self.waiting.iter().position(|(waiting, _)| *waiting == stream) else { return };
        self.waiting[place].1 += bytes;
        if self.waiting[place].1 >= CHUNK_BYTES
            && let Some((stream, _)) = self.waiting.remove(place)
        {
            self.waiting.push_back((stream, 0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(streams: &[StreamId]) -> RoundRobin {
        let mut scheduler = RoundRobin::default();
        for stream in streams {
            scheduler.admit(*stream, Priority::default());
        }
        scheduler
    }

    /// Streams in the order of their turns, each sending whole chunks.
    fn turns(scheduler: &mut RoundRobin, count: usize, blocked: &[StreamId]) -> Vec<StreamId> {
        let blocked = blocked.iter().copied().collect();
        let mut order = Vec::new();
        for _ in 0..count {
            let Some(stream) = scheduler.next(&blocked) else { break };
            scheduler.sent(stream, CHUNK_BYTES);
            order.push(stream);
        }
        order
    }

    #[test]
    fn streams_take_turns_in_the_order_of_their_admission() {
        assert_eq!(turns(&mut admitted(&[5, 1, 3]), 7, &[]), [5, 1, 3, 5, 1, 3, 5]);
    }

    #[test]
    fn a_turn_lasts_until_a_whole_chunk_is_sent() {
        let mut scheduler = admitted(&[1, 3]);
        scheduler.sent(1, CHUNK_BYTES - 1);
        assert_eq!(scheduler.next(&BTreeSet::new()), Some(1));
        scheduler.sent(1, 1);
        assert_eq!(scheduler.next(&BTreeSet::new()), Some(3));
    }

    #[test]
    fn a_blocked_stream_is_passed_over_and_keeps_its_place() {
        let mut scheduler = admitted(&[1, 3, 5]);
        assert_eq!(turns(&mut scheduler, 3, &[1]), [3, 5, 3]);
        assert_eq!(turns(&mut scheduler, 2, &[]), [1, 5]);
    }

    #[test]
    fn a_newcomer_waits_for_one_round_at_most() {
        let mut scheduler = admitted(&[1, 3]);
        turns(&mut scheduler, 1, &[]);
        scheduler.admit(5, Priority::default());
        assert_eq!(turns(&mut scheduler, 3, &[]), [3, 1, 5]);
    }

    #[test]
    fn a_withdrawn_stream_has_no_turn_and_nobody_left_is_none() {
        let mut scheduler = admitted(&[1, 3]);
        scheduler.withdraw(1);
        assert_eq!(turns(&mut scheduler, 2, &[]), [3, 3]);
        scheduler.withdraw(3);
        assert_eq!(scheduler.next(&BTreeSet::new()), None);
        scheduler.sent(3, 1);
    }

    #[test]
    fn equal_streams_never_differ_by_more_than_one_chunk() {
        let mut scheduler = admitted(&[0, 4, 8, 12]);
        let mut sent = std::collections::BTreeMap::from([(0, 0_usize), (4, 0), (8, 0), (12, 0)]);
        // Odd sizes, as a transport with little room would take them.
        for step in 1..2000_usize {
            let stream = scheduler.next(&BTreeSet::new()).expect("all are ready");
            let bytes = 1 + (step * 7919) % CHUNK_BYTES;
            scheduler.sent(stream, bytes);
            *sent.get_mut(&stream).expect("an admitted one") += bytes;
            let (least, most) = (sent.values().min().expect("four"), sent.values().max().expect("four"));
            assert!(most - least < 3 * CHUNK_BYTES, "{sent:?}");
        }
    }
}
