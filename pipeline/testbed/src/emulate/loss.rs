//! Random loss that only TCP and UDP packets draw from, the same for the same seed.

use std::sync::Arc;

use async_trait::async_trait;
use rattan_core::cells::{Cell, ControlInterface, Egress, Ingress, Packet, StdPacket};
use rattan_core::error::Error;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::counters::Counters;

/// The n-th draw of a direction is a function of seed, direction and n alone.
///
/// key = SHA-256("eyelevel loss 1" | seed as 8 bytes, little endian | name of the direction);
/// the n-th packet (from 0) is lost where the first 8 bytes of SHA-256(key | n as 8 bytes, little endian), read as a
/// little-endian number, are below loss * 2^64.
#[derive(Debug, Clone)]
pub struct Draws {
    draws: Numbers,
    threshold: u64,
}

impl Draws {
    /// `loss` from 0 to below 1.
    #[must_use]
    pub fn new(seed: u64, direction: &str, loss: f64) -> Self {
        // 2^64 as a float; the product is below it, as loss is below 1.
        let threshold = (loss * 18_446_744_073_709_551_616.0) as u64;
        Self { draws: Numbers::new("eyelevel loss 1", seed, direction), threshold }
    }

    /// Whether the next packet is lost.
    pub fn lost(&mut self) -> bool {
        self.draws.draw() < self.threshold
    }
}

/// 64 random bits for each packet of a direction, the same for the same seed: see [`Draws`], and likewise for other purposes.
#[derive(Debug, Clone)]
pub struct Numbers {
    key: [u8; 32],
    next: u64,
}

impl Numbers {
    #[must_use]
    pub fn new(purpose: &str, seed: u64, direction: &str) -> Self {
        let mut key = Sha256::new();
        key.update(purpose);
        key.update(seed.to_le_bytes());
        key.update(direction.as_bytes());
        Self { key: key.finalize().into(), next: 0 }
    }

    /// Those of the next packet.
    pub fn draw(&mut self) -> u64 {
        let index = self.next;
        self.next += 1;
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(index.to_le_bytes());
        let drawn: [u8; 32] = hash.finalize().into();
        u64::from_le_bytes(*drawn.first_chunk::<8>().expect("32 bytes have a first 8"))
    }
}

const ETHERNET_HEADER_BYTES: usize = 14;
const ETHERTYPE_IPV4: [u8; 2] = [0x08, 0x00];
const PROTOCOL_TCP: u8 = 6;
const PROTOCOL_UDP: u8 = 17;

/// Whether an Ethernet frame carries TCP or UDP over IPv4. ARP and ICMP never draw, for they differ from run to run.
#[must_use]
pub fn draws(frame: &[u8]) -> bool {
    frame.get(12..14) == Some(&ETHERTYPE_IPV4[..])
        && matches!(frame.get(ETHERNET_HEADER_BYTES + 9), Some(&(PROTOCOL_TCP | PROTOCOL_UDP)))
}

/// A cell of the emulation that applies [`Draws`].
pub struct LossCell {
    ingress: Arc<LossIngress>,
    egress: LossEgress,
}

/// Where packets enter the cell.
pub struct LossIngress {
    sender: mpsc::UnboundedSender<StdPacket>,
}

/// Where those that are not lost leave it.
pub struct LossEgress {
    receiver: mpsc::UnboundedReceiver<StdPacket>,
    draws: Draws,
    counters: Arc<Counters>,
}

impl LossCell {
    #[must_use]
    pub fn new(draws: Draws, counters: Arc<Counters>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self { ingress: Arc::new(LossIngress { sender }), egress: LossEgress { receiver, draws, counters } }
    }
}

impl Ingress<StdPacket> for LossIngress {
    fn enqueue(&self, packet: StdPacket) -> Result<(), Error> {
        self.sender.send(packet).map_err(|_| Error::ChannelError("the emulation has stopped".to_owned()))
    }
}

#[async_trait]
impl Egress<StdPacket> for LossEgress {
    async fn dequeue(&mut self) -> Option<StdPacket> {
        let packet = self.receiver.recv().await?;
        if draws(packet.as_slice()) && self.draws.lost() {
            self.counters.dropped_by_loss(self.counters.flow_of(packet.as_slice()));
            return None;
        }
        Some(packet)
    }
}

/// Nothing of our own cells changes while they run.
pub struct Fixed;

impl ControlInterface for Fixed {
    type Config = ();

    fn set_config(&self, (): ()) -> Result<(), Error> {
        Ok(())
    }
}

impl Cell<StdPacket> for LossCell {
    type IngressType = LossIngress;
    type EgressType = LossEgress;
    type ControlInterfaceType = Fixed;

    fn sender(&self) -> Arc<LossIngress> {
        self.ingress.clone()
    }

    fn receiver(&mut self) -> &mut LossEgress {
        &mut self.egress
    }

    fn into_receiver(self) -> LossEgress {
        self.egress
    }

    fn control_interface(&self) -> Arc<Fixed> {
        Arc::new(Fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost_indexes(seed: u64, direction: &str, loss: f64, packets: usize) -> Vec<usize> {
        let mut draws = Draws::new(seed, direction, loss);
        (0..packets).filter(|_| draws.lost()).collect()
    }

    fn frame(ethertype: [u8; 2], protocol: u8) -> Vec<u8> {
        let mut frame = vec![0; 54];
        frame[12..14].copy_from_slice(&ethertype);
        frame[23] = protocol;
        frame
    }

    #[test]
    fn the_same_seed_loses_the_same_packets() {
        let first = lost_indexes(7, "down", 0.03, 10_000);
        assert_eq!(first, lost_indexes(7, "down", 0.03, 10_000));
        assert_ne!(first, lost_indexes(8, "down", 0.03, 10_000));
        assert_ne!(first, lost_indexes(7, "up", 0.03, 10_000));
    }

    #[test]
    fn the_first_lost_packets_of_a_seed_never_change() {
        // Computed apart from this code, with Python's hashlib, from the formula in the documentation of `Draws`.
        assert_eq!(lost_indexes(1, "down", 0.030_464_028_249_291, 200), vec![31, 104, 107, 118]);
    }

    #[test]
    fn as_many_are_lost_as_the_network_says() {
        let lost = lost_indexes(1, "down", 0.03, 100_000).len();
        // Five standard deviations of a binomial distribution are 270.
        assert!((2_730..=3_270).contains(&lost), "{lost}");
        assert_eq!(lost_indexes(1, "down", 0.0, 10_000), Vec::<usize>::new());
    }

    #[test]
    fn only_tcp_and_udp_draw() {
        assert!(draws(&frame([0x08, 0x00], 6)));
        assert!(draws(&frame([0x08, 0x00], 17)));
        assert!(!draws(&frame([0x08, 0x00], 1)));
        assert!(!draws(&frame([0x08, 0x06], 6)));
        assert!(!draws(&[0; 13]));
    }

    #[tokio::test]
    async fn icmp_passes_without_using_up_a_draw() {
        let counters = Arc::new(Counters::default());
        let mut expected = Draws::new(3, "up", 0.5);
        let mut cell = LossCell::new(Draws::new(3, "up", 0.5), counters);
        for _ in 0..40 {
            cell.sender().enqueue(StdPacket::from_raw_buffer(&frame([0x08, 0x00], 1))).unwrap();
            assert!(cell.receiver().dequeue().await.is_some());
            cell.sender().enqueue(StdPacket::from_raw_buffer(&frame([0x08, 0x00], 6))).unwrap();
            assert_eq!(cell.receiver().dequeue().await.is_none(), expected.lost());
        }
    }
}
