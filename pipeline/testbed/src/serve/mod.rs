//! The servers of one recording in the present network namespace.

mod exchange;
mod quic;
mod report;
mod tcp;
mod tls;
mod updates;

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::HeaderValue;
use serde::Serialize;
use tokio::sync::{mpsc, watch};

pub use quic::binding;
pub use report::{Connection, Log, Presented, Request, Served, TransportState};

use crate::certs::{Authority, CertificateError};
use crate::plan::Plan;
use crate::replay::Replay;
use crate::scheduler::Scheduling;
use crate::stacks::{Stack, Transport};

/// How long connections may take to write their last line into the log.
const FAREWELL: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "cannot listen on {address} ({reason}); is the address on an interface of this namespace, and the port free?"
    )]
    Bind { address: SocketAddr, reason: io::Error },
    #[error("cannot set {option} on the server's socket: {reason}")]
    Option { option: &'static str, reason: io::Error },
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
    #[error("cannot set up QUIC: {0}")]
    Quic(String),
}

/// Where the servers listen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listen {
    /// 0 lets the kernel choose one port for all addresses.
    pub port: u16,
}

/// What every connection needs; one for the process.
pub(crate) struct Shared {
    pub replay: Replay,
    pub scheduling: Scheduling,
    pub log: Log,
    /// What answers over TCP say of QUIC.
    pub alt_svc: Option<HeaderValue>,
}

/// A connection's share in the end of all: it is told when to stop, and the servers wait until it is dropped.
#[derive(Clone)]
pub(crate) struct Life {
    stop: watch::Receiver<bool>,
    _alive: mpsc::Sender<()>,
}

impl Life {
    pub async fn ended(&mut self) {
        // An error means that the servers are gone, which is an end as well.
        let _ = self.stop.wait_for(|stop| *stop).await;
    }
}

/// What a client needs to find the servers.
#[derive(Debug, Clone, Serialize)]
pub struct Announcement {
    /// Base64, as `--ignore-certificate-errors-spki-list` takes it.
    pub spki: String,
    pub hosts: BTreeMap<String, Ipv4Addr>,
    pub start_url: String,
    pub addresses: Vec<Ipv4Addr>,
    pub port: u16,
}

/// Servers that listen but do not answer yet.
pub struct Servers {
    shared: Arc<Shared>,
    listeners: Vec<Listener>,
    presented: Vec<Presented>,
    announcement: Announcement,
}

enum Listener {
    Tcp(tcp::Listener),
    Quic(quic::Listener),
}

impl Servers {
    /// Binds every planned address. Needs a tokio runtime.
    ///
    /// # Errors
    /// [`ServeError`]; nothing stays bound then.
    pub fn bind(
        recording_digest: &str,
        replay: Replay,
        plan: &Plan,
        stack: &'static Stack,
        scheduling: Scheduling,
        listen: Listen,
    ) -> Result<Self, ServeError> {
        let authority = Authority::new(recording_digest);
        let mut port = listen.port;
        let (mut listeners, mut presented) = (Vec::new(), Vec::new());
        for address in plan.addresses() {
            // Both transports show the same certificates.
            let shown = authority.identity(plan, address)?;
            let (hosts, chain_bytes) = (plan.hosts_at(address).count(), shown.chain_bytes());
            presented.push(Presented { address, hosts, certificates: shown.chain.len(), chain_bytes });
            if stack.has_tcp() {
                let at = SocketAddr::from((address, port));
                let listener = tcp::Listener::bind(at, authority.identity(plan, address)?, stack)?;
                port = listener.port();
                listeners.push(Listener::Tcp(listener));
            }
            if stack.transport == Transport::Quic {
                let at = SocketAddr::from((address, port));
                let listener = quic::Listener::bind(at, authority.identity(plan, address)?, stack)?;
                port = listener.port();
                listeners.push(Listener::Quic(listener));
            }
        }
        let announcement = Announcement {
            spki: base64(&authority.spki_sha256()),
            hosts: plan.hosts.clone(),
            start_url: plan.start_url.clone(),
            addresses: plan.addresses().into_iter().collect(),
            port,
        };
        let service = format!("h3=\":{port}\"; ma=86400");
        let alt_svc = stack.alt_svc.then(|| service.parse().expect("digits and plain letters"));
        let shared = Arc::new(Shared { replay, scheduling, log: Log::new(Instant::now()), alt_svc });
        Ok(Self { shared, listeners, presented, announcement })
    }

    #[must_use]
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// Answers until `stop` completes, then ends all connections and tells what was served.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Served {
        let (stop_sender, stop_receiver) = watch::channel(false);
        let (alive, mut all_gone) = mpsc::channel(1);
        for listener in self.listeners {
            let life = Life { stop: stop_receiver.clone(), _alive: alive.clone() };
            let shared = Arc::clone(&self.shared);
            match listener {
                Listener::Tcp(listener) => tokio::spawn(listener.serve(shared, life)),
                Listener::Quic(listener) => tokio::spawn(listener.serve(shared, life)),
            };
        }
        drop((alive, stop_receiver));
        stop.await;
        let _ = stop_sender.send(true);
        let _ = tokio::time::timeout(FAREWELL, all_gone.recv()).await;
        self.shared.log.served(self.presented)
    }
}

/// RFC 4648, section 4; too little to ask a library for.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .flat_map(|group| {
            let word =
                group.iter().fold(0_usize, |word, byte| word << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
            (0..4).map(
                move |digit| {
                    if digit <= group.len() { char::from(ALPHABET[word >> (18 - 6 * digit) & 63]) } else { '=' }
                },
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_is_that_of_the_rfc() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(super::base64(plain.as_bytes()), coded);
        }
    }
}
