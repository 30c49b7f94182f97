//! The listening sockets of one site, and their life.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde::Serialize;
use tokio::sync::{mpsc, watch};

use eyelevel_definitions::stacks::Transport;
use eyelevel_replay::site::Site;

use super::error::ServeError;
use super::log::{Log, Presented, Served};
use super::serving::Serving;
use super::shared::{Life, Shared};
use super::{quic, tcp};
use crate::certs::Authority;

/// The time for connections to write their last line into the log.
const FAREWELL: Duration = Duration::from_secs(2);

/// The data with which a client finds the servers.
#[derive(Debug, Clone, Serialize)]
pub struct Announcement {
    /// Base64, as `--ignore-certificate-errors-spki-list` takes it.
    pub spki: String,
    pub hosts: BTreeMap<String, Ipv4Addr>,
    pub start_url: String,
    pub addresses: Vec<Ipv4Addr>,
    /// The one that stands for 443; other recorded ports are as recorded.
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
    /// Binds every address of the site, at the port given and at other recorded ports. Needs a tokio runtime.
    ///
    /// # Errors
    /// [`ServeError`]; nothing stays bound then.
    pub fn bind(site: Site, serving: &Serving) -> Result<Self, ServeError> {
        let Serving { carried: stack, scheduling, mut port, series, .. } = *serving;
        let Site { digest, replay, placement, .. } = site;
        let authority = Authority::new(&digest);
        let (mut listeners, mut presented) = (Vec::new(), Vec::new());
        for address in placement.addresses() {
            // Both transports show the same certificates.
            let shown = authority.identity(&placement, address)?;
            let (hosts, chain_bytes) = (placement.hosts_at(address).count(), shown.chain_bytes());
            presented.push(Presented { address, hosts, certificates: shown.chain.len(), chain_bytes });
            let mut listen = |mut port: u16| -> Result<u16, ServeError> {
                if let Some(side) = stack.side(Transport::Tcp) {
                    let at = SocketAddr::from((address, port));
                    let identity = authority.identity(&placement, address)?;
                    let listener = tcp::Listener::bind(at, identity, &side, stack.resumption())?;
                    port = listener.port();
                    listeners.push(Listener::Tcp(listener));
                }
                if stack.transport == Transport::Quic {
                    let at = SocketAddr::from((address, port));
                    let listener = quic::Listener::bind(at, authority.identity(&placement, address)?, stack)?;
                    port = listener.port();
                    listeners.push(Listener::Quic(listener));
                }
                Ok(port)
            };
            port = listen(port)?;
            for other in placement.other_ports_at(address).into_iter().filter(|other| *other != port) {
                listen(other)?;
            }
        }
        let announcement = Announcement {
            spki: BASE64.encode(&authority.spki_sha256()),
            hosts: placement.hosts.clone(),
            start_url: placement.start_url.clone(),
            addresses: placement.addresses().into_iter().collect(),
            port,
        };
        let (log, alt_svc) = (Log::new(Instant::now()), stack.alt_svc);
        let shared = Arc::new(Shared { replay, turns: Mutex::default(), scheduling, log, alt_svc, series });
        Ok(Self { shared, listeners, presented, announcement })
    }

    #[must_use]
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    /// Answers until `stop` completes, then ends all connections and reports what was served.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Served {
        let (stop_sender, stop_receiver) = watch::channel(false);
        let (alive, mut all_gone) = mpsc::channel(1);
        for listener in self.listeners {
            let life = Life::new(stop_receiver.clone(), alive.clone());
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
