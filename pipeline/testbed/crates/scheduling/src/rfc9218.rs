//! Extensible priorities (RFC 9218, section 10): strict urgency, requests in order, incremental responses side by side.
//!
//! Choices where the RFC leaves some (docs/adr/0005-one-scheduler.md):
//! - *In order* means ascending stream id, the order in which the client asked. Requests arrive in that order over TCP; over QUIC they
//!   may not, so arrival would make two orders of one wish.
//! - Incremental responses share chunk by chunk ([`CHUNK_BYTES`]), all with the same weight.
//! - Where one urgency has both kinds, the line of those that are not incremental takes one part in the sharing: with two incremental
//!   ones, the line as a whole has every third chunk. So neither kind can starve the other.
//! - A stream that flow control holds back keeps its place and lets the next one go, of a lesser urgency if need be.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::priority::Priority;
use crate::scheduler::{CHUNK_BYTES, Scheduler, StreamId};

#[derive(Debug, Default)]
pub struct Rfc9218 {
    streams: BTreeMap<StreamId, Priority>,
    /// Most urgent first; no level is empty.
    levels: BTreeMap<u8, Level>,
}

/// The responses of one urgency.
#[derive(Debug, Default)]
struct Level {
    /// Those that are not incremental.
    line: BTreeSet<StreamId>,
    /// The streams that share; the front has the turn. With each, the bytes it has sent in its turn.
    sharing: VecDeque<(Member, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Line,
    Incremental(StreamId),
}

impl Level {
    fn admit(&mut self, stream: StreamId, incremental: bool) {
        if incremental {
            self.sharing.push_back((Member::Incremental(stream), 0));
            return;
        }
        if self.line.is_empty() {
            self.sharing.push_back((Member::Line, 0));
        }
        self.line.insert(stream);
    }

    fn withdraw(&mut self, stream: StreamId) {
        self.line.remove(&stream);
        let line_is_empty = self.line.is_empty();
        self.sharing.retain(|(member, _)| match member {
            Member::Line => !line_is_empty,
            Member::Incremental(sharing) => *sharing != stream,
        });
    }

    fn next(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId> {
        self.sharing.iter().find_map(|(member, _)| match member {
            Member::Line => self.line.iter().find(|stream| !blocked.contains(stream)).copied(),
            Member::Incremental(stream) => (!blocked.contains(stream)).then_some(*stream),
        })
    }

    fn sent(&mut self, stream: StreamId, bytes: usize) {
        let member = if self.line.contains(&stream) { Member::Line } else { Member::Incremental(stream) };
        let Some(place) = self.sharing.iter().position(|(sharing, _)| *sharing == member) else { return };
        self.sharing[place].1 += bytes;
        if self.sharing[place].1 >= CHUNK_BYTES {
            self.sharing.remove(place);
            self.sharing.push_back((member, 0));
        }
    }
}

impl Scheduler for Rfc9218 {
    fn admit(&mut self, stream: StreamId, priority: Priority) {
        self.streams.insert(stream, priority);
        self.levels.entry(priority.urgency).or_default().admit(stream, priority.incremental);
    }

    fn reprioritize(&mut self, stream: StreamId, priority: Priority) {
        // One that says what is known already must not cost its stream the turn.
        if self.streams.get(&stream).is_some_and(|known| *known != priority) {
            self.withdraw(stream);
            self.admit(stream, priority);
        }
    }

    fn withdraw(&mut self, stream: StreamId) {
        let Some(Priority { urgency, .. }) = self.streams.remove(&stream) else { return };
        let Some(level) = self.levels.get_mut(&urgency) else { return };
        level.withdraw(stream);
        if level.sharing.is_empty() {
            self.levels.remove(&urgency);
        }
    }

    fn next(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId> {
        self.levels.values().find_map(|level| level.next(blocked))
    }

    fn sent(&mut self, stream: StreamId, bytes: usize) {
        let Some(Priority { urgency, .. }) = self.streams.get(&stream) else { return };
        if let Some(level) = self.levels.get_mut(urgency) {
            level.sent(stream, bytes);
        }
    }
}

#[cfg(test)]
#[path = "rfc9218_tests.rs"]
mod tests;
