//! The server address of every recorded host, and the page to load first. Pure.

mod origins;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, header};
use serde::Serialize;
use sha2::{Digest, Sha256};
use url::Url;

use crate::matching::{Asked, HTTPS, Kind, MOST_REDIRECTS, Replay, Turns, redirect_target};
use crate::recording::{Recording, Response};
pub use origins::Unserved;
use origins::{Ports, is_served, named, ports_of};

/// Which hosts are to share an address, and so, for a browser, a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// Those that did when they were recorded; a host without a recorded address has one of its own.
    Address,
    /// None: every host has an address of its own.
    Host,
    /// All of them.
    One,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown grouping \"{0}\"; known are {known}", known = GroupBy::ALL.map(GroupBy::name).join(", "))]
pub struct UnknownGrouping(String);

impl GroupBy {
    /// The first is the default.
    pub const ALL: [Self; 3] = [Self::Address, Self::Host, Self::One];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Host => "host",
            Self::One => "one",
        }
    }
}

impl std::str::FromStr for GroupBy {
    type Err = UnknownGrouping;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| UnknownGrouping(name.to_owned()))
    }
}

/// Where the addresses come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Grouping {
    #[serde(rename = "recorded")]
    Recorded,
    #[serde(rename = "by host")]
    ByHost,
    /// Some hosts have a recorded address, the others one of their own.
    #[serde(rename = "recorded, else by host")]
    Mixed,
    /// One for all, whatever was recorded.
    #[serde(rename = "one")]
    One,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placement {
    pub hosts: BTreeMap<String, Ipv4Addr>,
    /// The ports of each of these hosts of which something was recorded; that of http stands for that of https.
    pub ports: Ports,
    /// Hosts that browsers look for on their own machine, whatever a resolver says.
    pub unserved: BTreeSet<Unserved>,
    /// Always https.
    pub start_url: String,
    pub grouping: Grouping,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlacementError {
    #[error(
        "no page to start with: no recorded URL leads to an HTML response of status 200; name one with --start-url"
    )]
    NoPage,
    #[error("the start URL \"{url}\" is not of a recorded host and port that can be served; these are {known}")]
    UnknownHost { url: String, known: String },
    #[error("the start URL \"{url}\" is not an http or https URL; give a whole one, such as https://example.org/")]
    BadUrl { url: String },
    #[error("none of the recorded hosts can be served: {unserved}; record the site under a name or a public address")]
    NoHost { unserved: String },
}

/// Hosts without a recorded address get one in here. The namespace has no way out, so the range is ours to choose. It must count as
/// public: browsers keep pages of public addresses from asking private ones, and recordings mix recorded addresses with these.
const BY_HOST_NETWORK: u8 = 11;

impl Placement {
    /// Every address to listen on, in ascending order.
    #[must_use]
    pub fn addresses(&self) -> BTreeSet<Ipv4Addr> {
        self.hosts.values().copied().collect()
    }

    /// The hosts that live at an address, in ascending order.
    pub fn hosts_at(&self, address: Ipv4Addr) -> impl Iterator<Item = &str> {
        self.hosts.iter().filter(move |(_, at)| **at == address).map(|(host, _)| host.as_str())
    }

    /// The ports to listen on at an address beside that of https, in ascending order.
    #[must_use]
    pub fn other_ports_at(&self, address: Ipv4Addr) -> BTreeSet<u16> {
        self.hosts_at(address)
            .filter_map(|host| self.ports.get(host))
            .flatten()
            .copied()
            .filter(|port| *port != HTTPS)
            .collect()
    }

    /// Every host and port that is served, as `host:port`.
    #[must_use]
    pub fn origins(&self) -> Vec<String> {
        let with_ports = |(host, ports): (&String, &BTreeSet<u16>)| {
            ports
                .iter()
                .chain([&HTTPS])
                .collect::<BTreeSet<_>>()
                .into_iter()
                .map(|port| format!("{host}:{port}"))
                .collect::<Vec<_>>()
        };
        self.ports.iter().flat_map(with_ports).collect()
    }
}

/// # Errors
/// [`PlacementError`] where there is no page to start with, or no host at all.
pub fn place(
    recording: &Recording,
    replay: &Replay,
    group_by: GroupBy,
    start_url: Option<&str>,
) -> Result<Placement, PlacementError> {
    let (ports, unserved) = ports_of(&recording.responses);
    if ports.is_empty() {
        let unserved = unserved.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        return Err(PlacementError::NoHost { unserved });
    }
    let (hosts, grouping) = addresses_of(&recording.responses, &ports, group_by);
    let start_url = match start_url {
        Some(wanted) => wanted_start(wanted, &ports)?,
        None => first_page(&recording.responses, &ports, replay).ok_or(PlacementError::NoPage)?,
    };
    Ok(Placement { hosts, ports, unserved, start_url, grouping })
}

fn addresses_of(responses: &[Response], ports: &Ports, group_by: GroupBy) -> (BTreeMap<String, Ipv4Addr>, Grouping) {
    let mut hosts: BTreeMap<String, Option<Ipv4Addr>> = BTreeMap::new();
    for response in responses {
        let address = match response.url.host() {
            // No name to resolve: the browser goes to this very address.
            Some(url::Host::Ipv4(address)) => Some(address),
            Some(url::Host::Domain(_)) => response.address.and_then(usable).filter(|_| group_by == GroupBy::Address),
            // IPv6 is off in the namespaces: such a host is led to an address of its own.
            Some(url::Host::Ipv6(_)) => None,
            None => continue,
        };
        let host = response.url.host_str().unwrap_or_default().to_owned();
        if !ports.contains_key(&host) {
            continue;
        }
        let known = hosts.entry(host).or_default();
        *known = known.or(address);
    }
    let recorded = hosts.values().flatten().count();
    let grouping = match recorded {
        _ if group_by == GroupBy::One => Grouping::One,
        _ if group_by == GroupBy::Host => Grouping::ByHost,
        0 => Grouping::ByHost,
        all if all == hosts.len() => Grouping::Recorded,
        _ => Grouping::Mixed,
    };
    let mut taken: HashSet<Ipv4Addr> = hosts.values().flatten().copied().collect();
    let mut shared = None;
    let placed = hosts
        .into_iter()
        .map(|(host, address)| {
            let address = address.unwrap_or_else(|| match group_by {
                GroupBy::One => *shared.get_or_insert_with(|| own_address(&host, &mut taken)),
                GroupBy::Address | GroupBy::Host => own_address(&host, &mut taken),
            });
            (host, address)
        })
        .collect();
    (placed, grouping)
}

/// A recorded address, unless it only tells of the recorder's own network: those of proxies, loopback and private networks.
fn usable(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V4(address) = address else { return None };
    let [first, second, ..] = address.octets();
    let foreign = first == 0
        || first >= 224
        || (first == 100 && (64..128).contains(&second))
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local();
    (!foreign).then_some(address)
}

/// The same host has the same address in every recording, but where two hosts (or a recorded address) would collide.
fn own_address(host: &str, taken: &mut HashSet<Ipv4Addr>) -> Ipv4Addr {
    let hash = Sha256::digest(host);
    let mut suffix = u32::from_be_bytes([0, hash[0], hash[1], hash[2]]);
    loop {
        let [_, b, c, d] = suffix.to_be_bytes();
        let address = Ipv4Addr::new(BY_HOST_NETWORK, b, c, d);
        if !matches!(d, 0 | 255) && taken.insert(address) {
            return address;
        }
        suffix = (suffix + 1) & 0x00ff_ffff;
    }
}

fn wanted_start(wanted: &str, ports: &Ports) -> Result<String, PlacementError> {
    let bad = || PlacementError::BadUrl { url: wanted.to_owned() };
    let url = Url::parse(wanted).map_err(|_| bad())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad());
    }
    if !is_served(&url, ports) {
        return Err(PlacementError::UnknownHost { url: wanted.to_owned(), known: named(ports) });
    }
    Ok(encrypted(url))
}

/// The first recorded URL from which recorded redirects, if any, lead to a page.
fn first_page(responses: &[Response], ports: &Ports, replay: &Replay) -> Option<String> {
    responses
        .iter()
        .filter(|response| response.method == "GET" && is_served(&response.url, ports))
        .find(|response| leads_to_page(&response.url, replay))
        .map(|response| encrypted(response.url.clone()))
}

fn leads_to_page(from: &Url, replay: &Replay) -> bool {
    let (headers, mut turns) = (HeaderMap::new(), Turns::default());
    let mut url = from.clone();
    for _ in 0..=MOST_REDIRECTS {
        let answer = replay.answer(&Asked::plain("GET", &url, &headers), &mut turns);
        if answer.kind != Kind::Exact {
            return false;
        }
        if answer.status == 200 {
            return is_html(&answer.headers) && !answer.body.is_empty();
        }
        let Some(next) = redirect_target(answer.status, &answer.headers, &url) else { return false };
        url = next;
    }
    false
}

fn is_html(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().to_ascii_lowercase().starts_with(b"text/html"))
}

fn encrypted(mut url: Url) -> String {
    if url.scheme() == "http" {
        // Cannot fail between the two. The usual port of http is that of https then, and any other stays.
        let _ = url.set_scheme("https");
    }
    url.set_fragment(None);
    url.to_string()
}

#[cfg(test)]
mod tests;
