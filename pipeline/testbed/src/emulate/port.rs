//! One end of the emulated link: a network interface, read and written as raw frames.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use async_trait::async_trait;
use rattan_core::cells::{Cell, Egress, Ingress, Packet, StdPacket};
use rattan_core::error::Error;
use rattan_core::metal::io::af_packet::{AfPacketDriver, AfPacketReceiver, AfPacketSender};
use rattan_core::metal::io::common::{InterfaceDriver, InterfaceReceiver, InterfaceSender};
use rattan_env::VethCell;
use tokio::io::unix::AsyncFd;
use tokio::time::Instant;

use super::counters::Counters;
use super::loss::Fixed;
use super::watch::Watch;
use crate::sandbox::sys;
use eyelevel_wire::Way;

/// Room for some thousand full packets, far more than any sender here has in flight at once.
const CAPTURE_BUFFER_BYTES: usize = 8 << 20;

/// A cell of the emulation that reads packets from an interface and writes packets to it.
pub struct Port {
    ingress: Arc<PortIngress>,
    egress: PortEgress,
}

/// Where packets leave the emulation.
pub struct PortIngress {
    sender: Arc<AfPacketSender>,
    counters: Arc<Counters>,
    watch: Option<Arc<Watch>>,
}

/// Where packets enter it.
pub struct PortEgress {
    readable: AsyncFd<OwnedFd>,
    receiver: AfPacketReceiver,
    counters: Arc<Counters>,
    watch: Option<Arc<Watch>>,
}

impl Port {
    /// `entering` counts what the interface brings, `leaving` what is sent through it; at the server's end `watch` sees both. Needs a
    /// tokio runtime around it.
    ///
    /// # Errors
    /// Where no AF_PACKET socket can be had.
    pub fn open(
        interface: Arc<VethCell>,
        entering: Arc<Counters>,
        leaving: Arc<Counters>,
        watch: Option<Arc<Watch>>,
    ) -> Result<Self, Error> {
        let mut drivers = AfPacketDriver::bind_cell(interface)?;
        let driver = drivers.pop().expect("the AF_PACKET driver has one socket for an interface");
        let socket = sys::duplicate(driver.raw_fd())?;
        sys::prepare_capture(&socket, CAPTURE_BUFFER_BYTES)?;
        Ok(Self {
            ingress: Arc::new(PortIngress { sender: driver.sender(), counters: leaving, watch: watch.clone() }),
            egress: PortEgress {
                readable: sys::watch(socket)?,
                receiver: driver.into_receiver(),
                counters: entering,
                watch,
            },
        })
    }

    /// The socket, to ask it for the packets it missed.
    ///
    /// # Errors
    /// Where this process has no descriptor left.
    pub fn socket(&self) -> std::io::Result<OwnedFd> {
        self.egress.readable.get_ref().try_clone()
    }
}

impl Ingress<StdPacket> for PortIngress {
    fn enqueue(&self, packet: StdPacket) -> Result<(), Error> {
        let (bytes, due) = (packet.l3_length(), packet.get_timestamp());
        if let Some(watch) = &self.watch {
            watch.passed(Instant::now(), Way::Up, packet.as_slice());
        }
        // The router above ends the whole emulation at most errors; a packet that got stuck is counted instead.
        match self.sender.send(packet) {
            Ok(()) => self.counters.left(bytes, Instant::now().duration_since(due)),
            Err(_) => self.counters.failed_to_send(),
        }
        Ok(())
    }
}

#[async_trait]
impl Egress<StdPacket> for PortEgress {
    async fn dequeue(&mut self) -> Option<StdPacket> {
        loop {
            let mut ready = self.readable.readable().await.ok()?;
            // Anything else: a broadcast or the like, an interface that is going down, or nothing there after all.
            if let Ok(Ok(Some(packet))) = ready.try_io(|_| self.receiver.receive()) {
                self.counters.entered(packet.l3_length());
                if let Some(watch) = &self.watch {
                    watch.passed(packet.get_timestamp(), Way::Down, packet.as_slice());
                }
                return Some(packet);
            }
        }
    }
}

impl Cell<StdPacket> for Port {
    type IngressType = PortIngress;
    type EgressType = PortEgress;
    type ControlInterfaceType = Fixed;

    fn sender(&self) -> Arc<PortIngress> {
        self.ingress.clone()
    }

    fn receiver(&mut self) -> &mut PortEgress {
        &mut self.egress
    }

    fn into_receiver(self) -> PortEgress {
        self.egress
    }

    fn control_interface(&self) -> Arc<Fixed> {
        Arc::new(Fixed)
    }
}
