//! A UDP relay between client and server that behaves like a path: the only place with the
//! emulation's sockets, threads and clocks. What happens to a datagram is decided by `link`.

use std::io::IoSliceMut;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use nix::sys::socket::{recvmsg, setsockopt, sockopt, ControlMessageOwned, MsgFlags, SockaddrIn};

use crate::link::{Fate, Link};
use crate::wire::Sent;

const LARGEST_DATAGRAM: usize = 65_535;
const STOP_POLL: Duration = Duration::from_millis(50);

/// Nanoseconds since the epoch, on the clock of the kernel's receive timestamps.
pub fn now_ns() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as u64)
}

type Release = (u64, Vec<u8>);

/// A running path; dropping it stops its threads.
pub struct Path {
    pub client_side: SocketAddr,
    sent: Arc<Mutex<Vec<Sent>>>,
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Path {
    /// Relays between whoever sends to `client_side` and `server`.
    pub fn start(server: SocketAddr, down: Link, up: Link) -> Result<Self> {
        let near_client = socket()?;
        let near_server = socket()?;
        near_server.connect(server).context("relay to server")?;
        let client_side = near_client.local_addr()?;
        let sent = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let client = Arc::new(Mutex::new(None));
        let (down_tx, down_rx) = mpsc::channel();
        let (up_tx, up_rx) = mpsc::channel();
        let threads = vec![
            spawn_intake(near_server.try_clone()?, stop.clone(), down, down_tx, {
                let sent = sent.clone();
                move |datagram, _| sent.lock().expect("no panic while held").push(datagram)
            }),
            spawn_intake(near_client.try_clone()?, stop.clone(), up, up_tx, {
                let client = client.clone();
                move |_, from| *client.lock().expect("no panic while held") = from
            }),
            thread::spawn(move || {
                release(&down_rx, |bytes| {
                    if let Some(to) = *client.lock().expect("no panic while held") {
                        let _ = near_client.send_to(bytes, to);
                    }
                });
            }),
            thread::spawn(move || {
                release(&up_rx, |bytes| {
                    let _ = near_server.send(bytes);
                });
            }),
        ];
        Ok(Self {
            client_side,
            sent,
            stop,
            threads,
        })
    }

    /// What the server has sent so far, in order.
    pub fn sent(&self) -> Vec<Sent> {
        self.sent.lock().expect("no panic while held").clone()
    }
}

impl Drop for Path {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn socket() -> Result<UdpSocket> {
    let socket = UdpSocket::bind("127.0.0.1:0").context("bind the relay")?;
    socket.set_read_timeout(Some(STOP_POLL))?;
    setsockopt(&socket, sockopt::ReceiveTimestampns, &true)?;
    // Best effort: the kernel caps it at net.core.rmem_max.
    setsockopt(&socket, sockopt::RcvBuf, &(4 << 20))?;
    Ok(socket)
}

fn spawn_intake(
    socket: UdpSocket,
    stop: Arc<AtomicBool>,
    mut link: Link,
    out: Sender<Release>,
    mut seen: impl FnMut(Sent, Option<SocketAddr>) + Send + 'static,
) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut buffer = vec![0u8; LARGEST_DATAGRAM];
        let mut last_ns = 0;
        while !stop.load(Ordering::Relaxed) {
            let Some((bytes, at_ns, from)) = receive(&socket, &mut buffer) else {
                continue;
            };
            last_ns = at_ns.max(last_ns);
            let fate = link.offer(last_ns, bytes);
            seen(
                Sent {
                    at_ns: last_ns,
                    bytes,
                    fate,
                },
                from,
            );
            if let Fate::Delivered { at_ns } = fate {
                if out.send((at_ns, buffer[..bytes].to_vec())).is_err() {
                    return;
                }
            }
        }
    })
}

/// One datagram with the kernel's time for it, or nothing for now.
fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> Option<(usize, u64, Option<SocketAddr>)> {
    let mut control = nix::cmsg_space!(nix::sys::time::TimeSpec);
    let mut parts = [IoSliceMut::new(buffer)];
    let message = recvmsg::<SockaddrIn>(
        socket.as_raw_fd(),
        &mut parts,
        Some(&mut control),
        MsgFlags::empty(),
    )
    .ok()?;
    let at_ns = message.cmsgs().ok()?.find_map(|c| match c {
        ControlMessageOwned::ScmTimestampns(t) => {
            Some(t.tv_sec() as u64 * 1_000_000_000 + t.tv_nsec() as u64)
        }
        _ => None,
    });
    let from = message
        .address
        .map(|a| SocketAddr::from((a.ip(), a.port())));
    Some((message.bytes, at_ns.unwrap_or_else(now_ns), from))
}

fn release(queue: &Receiver<Release>, mut send: impl FnMut(&[u8])) {
    while let Ok((at_ns, bytes)) = queue.recv() {
        let wait = Duration::from_nanos(at_ns.saturating_sub(now_ns()));
        let due = Instant::now() + wait;
        while let Some(left) = due
            .checked_duration_since(Instant::now())
            .filter(|d| !d.is_zero())
        {
            thread::sleep(left);
        }
        send(&bytes);
    }
}
