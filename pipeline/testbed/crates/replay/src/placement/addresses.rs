//! The address of each recorded host.

use std::collections::{BTreeMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};

use sha2::{Digest, Sha256};

use super::grouping::{GroupBy, Grouping};
use super::origins::Ports;
use crate::recording::Response;

/// Hosts without a recorded address get one in here. The namespace has no way out, so the range is ours to choose. It must count as
/// public: browsers keep pages of public addresses from asking private ones, and recordings mix recorded addresses with these.
pub const BY_HOST_NETWORK: u8 = 11;

/// The address of each of the hosts with `ports`.
pub fn addresses_of(
    responses: &[Response],
    ports: &Ports,
    group_by: GroupBy,
) -> (BTreeMap<String, Ipv4Addr>, Grouping) {
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
pub fn own_address(host: &str, taken: &mut HashSet<Ipv4Addr>) -> Ipv4Addr {
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
