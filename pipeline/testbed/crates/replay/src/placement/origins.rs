//! The recorded hosts with their ports, and which of them cannot be served.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use serde::Serialize;
use url::Url;

use crate::ports::{HTTPS, port_of};
use crate::recording::Response;

/// A recorded host and port that cannot be served.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Unserved {
    pub host: String,
    pub port: u16,
    pub reason: &'static str,
}

impl std::fmt::Display for Unserved {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{} ({})", self.host, self.port, self.reason)
    }
}

/// Ports by host.
pub type Ports = BTreeMap<String, BTreeSet<u16>>;

/// The recorded ports of each host that can be served, and what cannot be.
pub fn ports_of(responses: &[Response]) -> (Ports, BTreeSet<Unserved>) {
    let (mut ports, mut unserved) = (Ports::new(), BTreeSet::new());
    for url in responses.iter().map(|response| &response.url) {
        let (Some(host), port) = (url.host(), port_of(url)) else { continue };
        let name = url.host_str().unwrap_or_default().to_owned();
        match why_unserved(&host) {
            Some(reason) => {
                unserved.insert(Unserved { host: name, port, reason });
            }
            None => {
                ports.entry(name).or_default().insert(port);
            }
        }
    }
    (ports, unserved)
}

/// Browsers trust hosts of the own machine: they do not ask them for https where a page of http would be upgraded, and resolve their
/// names themselves.
fn why_unserved(host: &url::Host<&str>) -> Option<&'static str> {
    const OWN: &str = "of the browser's own machine";
    const NO_ONE: &str = "not the address of one machine";
    let of_ipv4 = |address: Ipv4Addr| match address.octets() {
        [127, ..] => Some(OWN),
        [0 | 224.., ..] => Some(NO_ONE),
        _ => None,
    };
    match host {
        url::Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            (name == "localhost" || name.ends_with(".localhost")).then_some(OWN)
        }
        url::Host::Ipv4(address) => of_ipv4(*address),
        url::Host::Ipv6(address) => match address.to_ipv4_mapped() {
            Some(address) => of_ipv4(address),
            None if address.is_loopback() => Some(OWN),
            None => (address.is_unspecified() || address.is_multicast()).then_some(NO_ONE),
        },
    }
}

/// `host`, and `host:port` where the port is not that of https.
pub fn named(ports: &Ports) -> String {
    let name = |host: &str, port: u16| if port == HTTPS { host.to_owned() } else { format!("{host}:{port}") };
    ports.iter().flat_map(|(host, ports)| ports.iter().map(|port| name(host, *port))).collect::<Vec<_>>().join(", ")
}

/// Whether something was recorded of the host and port of this URL, and they can be served.
pub fn is_served(url: &Url, ports: &Ports) -> bool {
    url.host_str().and_then(|host| ports.get(host)).is_some_and(|ports| ports.contains(&port_of(url)))
}
