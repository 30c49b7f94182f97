//! The order of all bytes of one connection: heads first, then bodies in the scheduler's order.
//!
//! A head is a few hundred bytes that a client needs before it can do anything with a response, and servers send it when they have
//! it; so heads wait for no body, only for more urgent heads, in both transports and under every scheduler.

use std::collections::{BTreeMap, BTreeSet};

use crate::priority::Priority;
use crate::scheduler::{Scheduler, StreamId};

pub struct Order {
    /// By urgency, then in the order of the requests.
    heads: BTreeSet<(u8, StreamId)>,
    urgency_of: BTreeMap<StreamId, u8>,
    bodies: Box<dyn Scheduler>,
}

impl Order {
    #[must_use]
    pub fn new(bodies: Box<dyn Scheduler>) -> Self {
        Self { heads: BTreeSet::new(), urgency_of: BTreeMap::new(), bodies }
    }

    /// A response has begun: its head and, where it has one, its body wait from now on.
    pub fn admit(&mut self, stream: StreamId, priority: Priority) {
        self.heads.insert((priority.urgency, stream));
        self.urgency_of.insert(stream, priority.urgency);
        self.bodies.admit(stream, priority);
    }

    /// See [`Scheduler::reprioritize`]; heads keep their place.
    pub fn reprioritize(&mut self, stream: StreamId, priority: Priority) {
        self.bodies.reprioritize(stream, priority);
    }

    /// The response is complete or given up.
    pub fn withdraw(&mut self, stream: StreamId) {
        self.head_sent(stream);
        self.bodies.withdraw(stream);
    }

    /// The next stream whose head is to be sent.
    #[must_use]
    pub fn next_head(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId> {
        self.heads.iter().map(|(_, stream)| *stream).find(|stream| !blocked.contains(stream))
    }

    /// The next stream of whose body a chunk is to be sent; only one whose head has gone.
    #[must_use]
    pub fn next_body(&self, blocked: &BTreeSet<StreamId>) -> Option<StreamId> {
        if self.heads.is_empty() {
            return self.bodies.next(blocked);
        }
        let held_back = self.heads.iter().map(|(_, stream)| stream).chain(blocked).copied().collect();
        self.bodies.next(&held_back)
    }

    pub fn head_sent(&mut self, stream: StreamId) {
        if let Some(urgency) = self.urgency_of.remove(&stream) {
            self.heads.remove(&(urgency, stream));
        }
    }

    pub fn body_sent(&mut self, stream: StreamId, bytes: usize) {
        self.bodies.sent(stream, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::SchedulerKind;
    use crate::scheduler::CHUNK_BYTES;

    fn order() -> Order {
        let mut order = Order::new(SchedulerKind::Rfc9218.build());
        for (stream, field) in [(0, "u=5"), (4, "u=1"), (8, "u=1")] {
            order.admit(stream, Priority::parse(field.as_bytes()));
        }
        order
    }

    #[test]
    fn heads_go_by_urgency_and_then_in_the_order_of_requests() {
        let (mut order, none) = (order(), BTreeSet::new());
        let mut heads = Vec::new();
        while let Some(stream) = order.next_head(&none) {
            order.head_sent(stream);
            heads.push(stream);
        }
        assert_eq!(heads, [4, 8, 0]);
        assert_eq!(order.next_body(&none), Some(4));
    }

    #[test]
    fn no_body_goes_before_its_head_and_others_need_not_wait_for_a_head_that_is_held_back() {
        let mut order = order();
        assert_eq!(order.next_body(&BTreeSet::new()), None);
        order.head_sent(8);
        let held_back = BTreeSet::from([4]);
        assert_eq!(order.next_head(&held_back), Some(0));
        assert_eq!(order.next_body(&held_back), Some(8));
    }

    #[test]
    fn what_is_withdrawn_has_neither_head_nor_body_left() {
        let (mut order, none) = (order(), BTreeSet::new());
        order.head_sent(4);
        order.body_sent(4, CHUNK_BYTES);
        for stream in [4, 8, 0] {
            order.withdraw(stream);
        }
        assert_eq!((order.next_head(&none), order.next_body(&none)), (None, None));
    }
}
