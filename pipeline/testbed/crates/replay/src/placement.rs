//! The server address of every recorded host, and the page to load first. Pure.

mod addresses;
mod grouping;
mod origins;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use http::HeaderMap;
use serde::Serialize;
use url::Url;

use crate::matching::{Asked, Kind, MOST_REDIRECTS, Replay, Turns, redirect_target};
use crate::page_type::is_page;
use crate::ports::HTTPS;
use crate::recording::{Recording, Response};
use addresses::addresses_of;
pub use grouping::{GroupBy, Grouping, UnknownGrouping};
pub use origins::Unserved;
use origins::{Ports, is_served, named, ports_of};

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
    #[error("the start URL \"{url}\" is not of a recorded host and port that can be served, which are {known}")]
    UnknownHost { url: String, known: String },
    #[error("the start URL \"{url}\" is not an http or https URL; give a complete one, such as https://example.org/")]
    BadUrl { url: String },
    #[error("none of the recorded hosts can be served: {unserved}; record the site under a name or a public address")]
    NoHost { unserved: String },
}

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
            return is_page(&answer.headers) && !answer.body.is_empty();
        }
        let Some(next) = redirect_target(answer.status, &answer.headers, &url) else { return false };
        url = next;
    }
    false
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
