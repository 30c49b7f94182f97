//! Test traffic: numbered packets over the emulated link, timed by the kernel where they arrive. One process has both ends, so there is one clock.

use std::io::IoSliceMut;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::{TimeSpec, TimeVal};

use crate::sandbox::error::SandboxError;
use crate::sandbox::namespace::Namespace;
use crate::sandbox::sys::{self, Urgency};
use eyelevel_definitions::networks::MTU_BYTES;

/// IP and UDP headers.
const HEADER_BYTES: usize = 28;
/// The smallest packet that has room for its number.
pub const LEAST_BYTES: usize = HEADER_BYTES + 4;
/// Marks a packet that asks for an answer, and the answer.
const PING: u32 = 1 << 31;
const PONG: u32 = 1 << 30;
/// Marks a packet that is there to be in the way of others.
const FILL: u32 = 1 << 29;
/// A receiver that has to wait for the processor must not lose packets; the kernel takes this much only where it is needed.
const BUFFER_BYTES: usize = 64 << 20;
/// Between two looks at what is due.
const TICK: Duration = Duration::from_micros(250);
/// A sender that was held up sends at most this much of what it missed; then its plan slips.
const CATCH_UP: Duration = Duration::from_millis(2);

/// What arrived at an end: the packet's number, and nanoseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub number: u32,
    pub at_ns: u64,
}

/// A packet as it was sent.
pub type Sent = Arrival;

/// One end of the link: it sends, notes what arrives, and answers pings.
pub struct End {
    socket: Arc<UdpSocket>,
    arrivals: Arc<Mutex<Vec<Arrival>>>,
    answers: Arc<Mutex<Vec<Arrival>>>,
    stop: Arc<AtomicBool>,
    receiver: Option<JoinHandle<()>>,
}

/// What to send: how many packets at once beforehand, and how large, then how many packets, how large, how many a second.
#[derive(Debug, Clone, Copy)]
pub struct Stream {
    pub fill: u32,
    pub fill_bytes: usize,
    pub packets: u32,
    pub ip_bytes: usize,
    pub per_second: f64,
}

/// Two ends that know each other: the client's and the server's.
///
/// # Errors
/// Where a socket cannot be had.
pub fn ends(client: &Namespace, server: &Namespace, address: Ipv4Addr) -> Result<(End, End), SandboxError> {
    let bound = |namespace: &Namespace, address: Ipv4Addr| {
        namespace.enter(|| UdpSocket::bind((address, 0)).map_err(SandboxError::at("a socket")))
    };
    let join = || -> Result<(UdpSocket, UdpSocket), SandboxError> {
        let (near, far) = (bound(client, Ipv4Addr::UNSPECIFIED)?, bound(server, address)?);
        let meet = |from: &UdpSocket, to: SocketAddr| from.connect(to).map_err(SandboxError::at("joining sockets"));
        let name = |of: &UdpSocket| of.local_addr().map_err(SandboxError::at("joining sockets"));
        meet(&near, name(&far)?)?;
        meet(&far, name(&near)?)?;
        Ok((near, far))
    };
    let (near, far) = join()?;
    Ok((End::new(near)?, End::new(far)?))
}

impl End {
    fn new(socket: UdpSocket) -> Result<Self, SandboxError> {
        let prepare = || -> nix::Result<()> {
            setsockopt(&socket, sockopt::ReceiveTimestampns, &true)?;
            setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES)?;
            // Often enough to hear that it shall stop.
            setsockopt(&socket, sockopt::ReceiveTimeout, &TimeVal::new(0, 50_000))
        };
        prepare().map_err(SandboxError::calling("a socket that times packets"))?;
        let (socket, stop) = (Arc::new(socket), Arc::new(AtomicBool::new(false)));
        let (arrivals, answers) = (Arc::<Mutex<Vec<Arrival>>>::default(), Arc::<Mutex<Vec<Arrival>>>::default());
        let receiver = {
            let (socket, stop) = (socket.clone(), stop.clone());
            let (arrivals, answers) = (arrivals.clone(), answers.clone());
            std::thread::spawn(move || receive(&socket, &stop, &arrivals, &answers))
        };
        Ok(Self { socket, arrivals, answers, stop, receiver: Some(receiver) })
    }

    /// Sends the packets numbered from 0 and returns what was sent when.
    #[must_use]
    pub fn send(&self, stream: Stream) -> Vec<Sent> {
        self.send_marked(stream, 0)
    }

    /// The same; the far end answers each packet with one as large.
    #[must_use]
    pub fn ping(&self, stream: Stream) -> Vec<Sent> {
        self.send_marked(stream, PING)
    }

    fn send_marked(&self, stream: Stream, mark: u32) -> Vec<Sent> {
        before_others();
        let mut payload = vec![0; stream.ip_bytes.clamp(LEAST_BYTES, MTU_BYTES) - HEADER_BYTES];
        let mut full = vec![0; stream.fill_bytes.clamp(LEAST_BYTES, MTU_BYTES) - HEADER_BYTES];
        full[..4].copy_from_slice(&FILL.to_le_bytes());
        for _ in 0..stream.fill {
            // One that is not sent is one less in the way.
            let _ = self.socket.send(&full);
        }
        let mut sent = Vec::with_capacity(stream.packets as usize);
        let mut start = Instant::now();
        for number in 0..stream.packets {
            let due = Duration::from_secs_f64(f64::from(number) / stream.per_second);
            while start.elapsed() < due {
                sleep(TICK);
            }
            start += start.elapsed().saturating_sub(due).saturating_sub(CATCH_UP);
            payload[..4].copy_from_slice(&(number | mark).to_le_bytes());
            let at_ns = now_ns();
            // A packet that the kernel did not take was not sent.
            if self.socket.send(&payload).is_ok() {
                sent.push(Sent { number, at_ns });
            }
        }
        sent
    }

    /// How many packets have arrived since the last [`End::take`].
    #[must_use]
    pub fn count(&self) -> usize {
        lock(&self.arrivals).len()
    }

    /// How many answers have.
    #[must_use]
    pub fn answered(&self) -> usize {
        lock(&self.answers).len()
    }

    /// What has arrived since the last time: packets, and answers.
    #[must_use]
    pub fn take(&self) -> (Vec<Arrival>, Vec<Arrival>) {
        (std::mem::take(&mut lock(&self.arrivals)), std::mem::take(&mut lock(&self.answers)))
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(receiver) = self.receiver.take() {
            let _ = receiver.join();
        }
    }
}

fn lock(list: &Mutex<Vec<Arrival>>) -> std::sync::MutexGuard<'_, Vec<Arrival>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Raises the priority of the measuring thread, so that a busy machine delays the emulation and not the measurement.
/// Without the right to do so, the network is measured again.
fn before_others() {
    let _ = sys::run_at_once(Urgency::Server);
}

fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn receive(socket: &UdpSocket, stop: &AtomicBool, arrivals: &Mutex<Vec<Arrival>>, answers: &Mutex<Vec<Arrival>>) {
    let (mut packet, mut control) = ([0; MTU_BYTES], nix::cmsg_space!(TimeSpec));
    while !stop.load(Ordering::Relaxed) {
        let (bytes, at) = {
            let mut parts = [IoSliceMut::new(&mut packet)];
            let Ok(message) = recvmsg::<()>(socket.as_raw_fd(), &mut parts, Some(&mut control), MsgFlags::empty())
            else {
                continue;
            };
            let time = message.cmsgs().into_iter().flatten().find_map(|part| match part {
                ControlMessageOwned::ScmTimestampns(at) => Some(Duration::from(at)),
                _ => None,
            });
            (message.bytes, time)
        };
        let (Some(number), Some(at)) = (packet[..bytes].first_chunk::<4>(), at) else { continue };
        let number = u32::from_le_bytes(*number);
        if number & FILL != 0 {
            continue;
        }
        let arrival =
            Arrival { number: number & !(PING | PONG), at_ns: u64::try_from(at.as_nanos()).unwrap_or(u64::MAX) };
        if number & PONG != 0 {
            lock(answers).push(arrival);
            continue;
        }
        if number & PING != 0 {
            packet[..4].copy_from_slice(&(arrival.number | PONG).to_le_bytes());
            // An answer that the kernel does not take is one that got lost.
            let _ = socket.send(&packet[..bytes]);
        }
        lock(arrivals).push(arrival);
    }
}
