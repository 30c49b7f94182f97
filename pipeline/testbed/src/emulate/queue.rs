//! The drop-tail queue before a link, with its drops counted.

use std::sync::Arc;

use rattan_core::cells::bandwidth::BwType;
use rattan_core::cells::bandwidth::queue::{DropTailQueue, DropTailQueueConfig, PacketQueue};
use rattan_core::cells::{Packet, StdPacket};

use super::counters::Counters;
use eyelevel_definitions::networks::Queue;

/// The queue, which limits IP bytes and packets besides the packet that is on the wire.
pub struct CountedQueue {
    inner: DropTailQueue<StdPacket>,
    counters: Arc<Counters>,
}

impl CountedQueue {
    #[must_use]
    pub fn new(holds: Queue, counters: Arc<Counters>) -> Self {
        let config = DropTailQueueConfig::new(holds.packets, holds.bytes, BwType::NetworkLayer);
        Self { inner: DropTailQueue::new(config), counters }
    }
}

impl PacketQueue<StdPacket> for CountedQueue {
    type Config = DropTailQueueConfig;

    fn configure(&mut self, config: DropTailQueueConfig) {
        PacketQueue::<StdPacket>::configure(&mut self.inner, config);
    }

    fn enqueue(&mut self, packet: StdPacket) {
        let (before, flow) = (self.inner.length(), self.counters.flow_of(packet.as_slice()));
        self.inner.enqueue(packet);
        if self.inner.length() == before {
            self.counters.dropped_by_queue(flow);
        }
    }

    fn dequeue(&mut self) -> Option<StdPacket> {
        self.inner.dequeue()
    }

    fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    fn get_front_size(&self) -> Option<usize> {
        self.inner.get_front_size()
    }

    fn get_packet_size(&self, packet: &StdPacket) -> usize {
        packet.l3_length()
    }

    fn length(&self) -> usize {
        self.inner.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_dropped_and_counted() {
        let counters = Arc::new(Counters::default());
        let mut queue = CountedQueue::new(Queue { bytes: Some(3000), packets: None }, counters.clone());
        for _ in 0..3 {
            // 1500 IP bytes behind 14 of Ethernet.
            queue.enqueue(StdPacket::from_raw_buffer(&[0; 1514]));
        }
        assert_eq!(queue.length(), 2);
        assert_eq!(counters.report(0).drops_queue, 1);
    }
}
