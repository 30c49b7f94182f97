//! A delay that differs from packet to packet.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rattan_core::cells::{Cell, Egress, Ingress, Packet, StdPacket};
use rattan_core::error::Error;
use rattan_core::metal::timer::Timer;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::loss::{Fixed, Numbers, draws};

/// How much more than the least the n-th TCP or UDP packet of a direction is delayed: evenly distributed from 0 to `most_ms`.
#[derive(Debug, Clone)]
pub struct Jitter {
    numbers: Numbers,
    most_ms: f64,
}

impl Jitter {
    #[must_use]
    pub fn new(seed: u64, direction: &str, most_ms: f64) -> Self {
        Self { numbers: Numbers::new("eyelevel jitter 1", seed, direction), most_ms }
    }

    pub fn next_ms(&mut self) -> f64 {
        self.numbers.draw() as f64 / 18_446_744_073_709_551_616.0 * self.most_ms
    }
}

/// A cell of the emulation that delays packets by a least time and a [`Jitter`]. None overtakes another: it waits behind it.
pub struct JitterCell {
    ingress: Arc<JitterIngress>,
    egress: JitterEgress,
}

/// Where packets enter the cell.
pub struct JitterIngress {
    sender: mpsc::UnboundedSender<StdPacket>,
}

/// Where they leave it.
pub struct JitterEgress {
    receiver: mpsc::UnboundedReceiver<StdPacket>,
    timer: Timer,
    least: Duration,
    jitter: Jitter,
    latest: Option<Instant>,
}

impl JitterCell {
    /// # Errors
    /// Where a timer cannot be had.
    pub fn new(least: Duration, jitter: Jitter) -> Result<Self, Error> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let egress = JitterEgress { receiver, timer: Timer::new()?, least, jitter, latest: None };
        Ok(Self { ingress: Arc::new(JitterIngress { sender }), egress })
    }
}

impl Ingress<StdPacket> for JitterIngress {
    fn enqueue(&self, packet: StdPacket) -> Result<(), Error> {
        self.sender.send(packet).map_err(|_| Error::ChannelError("the emulation has stopped".to_owned()))
    }
}

#[async_trait]
impl Egress<StdPacket> for JitterEgress {
    async fn dequeue(&mut self) -> Option<StdPacket> {
        let mut packet = self.receiver.recv().await?;
        let more_ms = if draws(packet.as_slice()) { self.jitter.next_ms() } else { 0.0 };
        let alone = packet.get_timestamp() + self.least + Duration::from_secs_f64(more_ms / 1e3);
        let due = self.latest.map_or(alone, |latest| latest.max(alone));
        self.latest = Some(due);
        self.timer.sleep_until(due).await.ok()?;
        packet.delay_until(due);
        Some(packet)
    }
}

impl Cell<StdPacket> for JitterCell {
    type IngressType = JitterIngress;
    type EgressType = JitterEgress;
    type ControlInterfaceType = Fixed;

    fn sender(&self) -> Arc<JitterIngress> {
        self.ingress.clone()
    }

    fn receiver(&mut self) -> &mut JitterEgress {
        &mut self.egress
    }

    fn into_receiver(self) -> JitterEgress {
        self.egress
    }

    fn control_interface(&self) -> Arc<Fixed> {
        Arc::new(Fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_is_even_and_the_same_for_the_same_seed() {
        let drawn = |seed| {
            let mut jitter = Jitter::new(seed, "down", 8.0);
            (0..10_000).map(|_| jitter.next_ms()).collect::<Vec<f64>>()
        };
        let first = drawn(1);
        assert_eq!(first, drawn(1));
        assert_ne!(first, drawn(2));
        let mean = first.iter().sum::<f64>() / 10_000.0;
        let low = first.iter().filter(|ms| **ms < 2.0).count();
        assert!((3.9..4.1).contains(&mean) && (2_350..2_650).contains(&low), "{mean} {low}");
        assert!(first.iter().all(|ms| (0.0..=8.0).contains(ms)));
    }

    #[tokio::test]
    async fn no_packet_overtakes_another_and_each_is_due_when_it_leaves() {
        let mut frame = vec![0; 54];
        (frame[12], frame[23]) = (0x08, 17);
        let mut cell = JitterCell::new(Duration::from_millis(1), Jitter::new(1, "up", 5.0)).unwrap();
        let begun = Instant::now();
        for n in 0..20 {
            frame[53] = n;
            cell.sender().enqueue(StdPacket::from_raw_buffer(&frame)).unwrap();
        }
        let mut latest = begun;
        for n in 0..20 {
            let packet = cell.receiver().dequeue().await.unwrap();
            assert_eq!(packet.as_slice()[53], n);
            let due = packet.get_timestamp();
            assert!(due >= latest && due >= begun + Duration::from_millis(1) && due <= Instant::now());
            latest = due;
        }
        assert!(latest > begun + Duration::from_millis(4), "the slowest of 20 decides: {:?}", latest - begun);
    }
}
