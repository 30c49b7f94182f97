//! A link that sends when its trace says so, as Mahimahi's does: each chance carries up to a full packet's bytes, of one packet or of
//! several small ones; what a chance does not use is lost. (The library's own replay of traces divides by the rate, which is often 0.)

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rattan_core::cells::bandwidth::queue::PacketQueue;
use rattan_core::cells::{Cell, Egress, Ingress, Packet, StdPacket};
use rattan_core::error::Error;
use rattan_core::metal::timer::Timer;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::loss::Fixed;
use super::queue::CountedQueue;
use eyelevel_definitions::networks::{MTU_BYTES, Trace};

/// The waiting packets, and the position in the trace.
struct Sender {
    trace: Trace,
    start: Instant,
    next_chance: u64,
    queue: CountedQueue,
    /// The packet on the link, and how many of its bytes have not been sent.
    on_link: Option<(StdPacket, usize)>,
}

impl Sender {
    fn due(&self) -> Instant {
        self.start + Duration::from_millis(self.trace.at_ms(self.next_chance))
    }

    fn is_idle(&self) -> bool {
        self.on_link.is_none() && self.queue.is_empty()
    }

    fn accept(&mut self, packet: StdPacket) {
        if self.is_idle() {
            // Unused chances are lost.
            let since_ms = packet.get_timestamp().duration_since(self.start).as_secs_f64() * 1e3;
            self.next_chance = self.next_chance.max(self.trace.first_from(since_ms));
        }
        if self.on_link.is_none() && self.queue.is_empty() {
            let bytes = packet.l3_length();
            self.on_link = Some((packet, bytes));
        } else {
            self.queue.enqueue(packet);
        }
    }

    /// What the next chance, which is now, completes.
    fn take_chance(&mut self) -> Vec<StdPacket> {
        let (due, mut left) = (self.due(), MTU_BYTES);
        self.next_chance += 1;
        let mut sent = Vec::new();
        while let Some((packet, unsent)) = self.on_link.as_mut() {
            // Read from the interface before this chance was, but there only after it.
            if packet.get_timestamp() > due {
                break;
            }
            let now = left.min(*unsent);
            (left, *unsent) = (left - now, *unsent - now);
            if *unsent > 0 {
                break;
            }
            sent.extend(self.on_link.take().map(|(mut packet, _)| {
                packet.delay_until(due);
                packet
            }));
            self.on_link = self.queue.dequeue().map(|packet| {
                let bytes = packet.l3_length();
                (packet, bytes)
            });
        }
        sent
    }
}

/// A cell of the emulation: the link of one direction.
pub struct TraceCell {
    ingress: Arc<TraceIngress>,
    egress: TraceEgress,
}

/// Where packets enter the cell.
pub struct TraceIngress {
    sender: mpsc::UnboundedSender<StdPacket>,
}

/// Where they leave it.
pub struct TraceEgress {
    receiver: mpsc::UnboundedReceiver<StdPacket>,
    timer: Timer,
    sender: Sender,
    ready: VecDeque<StdPacket>,
}

impl TraceCell {
    /// The trace starts now.
    ///
    /// # Errors
    /// Where a timer cannot be had.
    pub fn new(trace: Trace, queue: CountedQueue) -> Result<Self, Error> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let sending = Sender { trace, start: Instant::now(), next_chance: 0, queue, on_link: None };
        let egress = TraceEgress { receiver, timer: Timer::new()?, sender: sending, ready: VecDeque::new() };
        Ok(Self { ingress: Arc::new(TraceIngress { sender }), egress })
    }
}

impl Ingress<StdPacket> for TraceIngress {
    fn enqueue(&self, packet: StdPacket) -> Result<(), Error> {
        self.sender.send(packet).map_err(|_| Error::ChannelError("the emulation has stopped".to_owned()))
    }
}

#[async_trait]
impl Egress<StdPacket> for TraceEgress {
    async fn dequeue(&mut self) -> Option<StdPacket> {
        loop {
            if let Some(packet) = self.ready.pop_front() {
                return Some(packet);
            }
            if self.sender.is_idle() {
                let packet = self.receiver.recv().await?;
                self.sender.accept(packet);
            }
            let due = self.sender.due();
            tokio::select! {
                biased;
                Some(packet) = self.receiver.recv() => self.sender.accept(packet),
                _ = self.timer.sleep_until(due) => self.ready.extend(self.sender.take_chance()),
            }
        }
    }
}

impl Cell<StdPacket> for TraceCell {
    type IngressType = TraceIngress;
    type EgressType = TraceEgress;
    type ControlInterfaceType = Fixed;

    fn sender(&self) -> Arc<TraceIngress> {
        self.ingress.clone()
    }

    fn receiver(&mut self) -> &mut TraceEgress {
        &mut self.egress
    }

    fn into_receiver(self) -> TraceEgress {
        self.egress
    }

    fn control_interface(&self) -> Arc<Fixed> {
        Arc::new(Fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::counters::Counters;
    use super::*;
    use eyelevel_definitions::networks::Queue;

    fn sender(text: &str, holds: usize) -> (Sender, Arc<Counters>) {
        let counters = Arc::new(Counters::default());
        let queue = CountedQueue::new(Queue { bytes: Some(holds), packets: None }, counters.clone());
        // A little ago, so that packets made now come after the first chances.
        let start = Instant::now();
        (Sender { trace: Trace::from_text(text).unwrap(), start, next_chance: 0, queue, on_link: None }, counters)
    }

    fn packet(sender: &Sender, at_ms: u64, ip_bytes: usize) -> StdPacket {
        let mut packet = StdPacket::from_raw_buffer(&vec![0; ip_bytes + 14]);
        packet.delay_until(sender.start + Duration::from_millis(at_ms));
        packet
    }

    fn left_at(sender: &Sender, packets: &[StdPacket]) -> Vec<u128> {
        packets.iter().map(|packet| packet.get_timestamp().duration_since(sender.start).as_millis()).collect()
    }

    #[test]
    fn a_chance_carries_a_full_packet_or_several_small_ones() {
        let (mut link, _) = sender("10\n20\n30\n", 100_000);
        for bytes in [1000, 1000, 500, 500] {
            let packet = packet(&link, 1, bytes);
            link.accept(packet);
        }
        let sent = link.take_chance();
        assert_eq!(left_at(&link, &sent), vec![10]);
        let sent = link.take_chance();
        assert_eq!(left_at(&link, &sent), vec![20, 20, 20]);
        assert!(link.is_idle());
    }

    #[test]
    fn a_chance_that_nobody_takes_is_gone_and_the_trace_goes_round() {
        let (mut link, _) = sender("10\n20\n30\n", 100_000);
        let late = packet(&link, 21, 1500);
        link.accept(late);
        let sent = link.take_chance();
        assert_eq!(left_at(&link, &sent), vec![30]);
        let later = packet(&link, 65, 1500);
        link.accept(later);
        let sent = link.take_chance();
        assert_eq!(left_at(&link, &sent), vec![70]);
    }

    #[test]
    fn what_the_queue_cannot_hold_is_dropped() {
        let (mut link, counters) = sender("10\n", 3000);
        for _ in 0..4 {
            let packet = packet(&link, 1, 1500);
            link.accept(packet);
        }
        assert_eq!(counters.report(0).drops_queue, 1);
    }
}
