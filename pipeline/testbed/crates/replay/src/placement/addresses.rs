//! The address of each recorded host.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use sha2::{Digest, Sha256};

use super::grouping::{GroupBy, Grouping};
use super::origins::Ports;
use crate::hosts;
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
    let mut address_of: BTreeMap<String, Option<IpAddr>> = BTreeMap::new();
    for response in responses {
        let address = match response.url.host() {
            // No name to resolve: the browser goes to this very address.
            Some(url::Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(url::Host::Domain(_)) => response.address.and_then(usable).filter(|_| group_by == GroupBy::Address),
            // IPv6 is off in the namespaces: such a host is led to an address of IPv4.
            Some(url::Host::Ipv6(address)) => usable(address.into()).filter(|_| group_by == GroupBy::Address),
            None => continue,
        };
        if !ports.contains_key(response.url.host_str().unwrap_or_default()) {
            continue;
        }
        let known = address_of.entry(hosts::name(&response.url).to_owned()).or_default();
        *known = known.or(address);
    }
    let recorded = address_of.values().flatten().count();
    let grouping = match recorded {
        _ if group_by == GroupBy::One => Grouping::One,
        _ if group_by == GroupBy::Host => Grouping::ByHost,
        0 => Grouping::ByHost,
        all if all == address_of.len() => Grouping::Recorded,
        _ => Grouping::Mixed,
    };
    let of_ipv4 = address_of.values().flatten().filter_map(|address| match address {
        IpAddr::V4(address) => Some(*address),
        IpAddr::V6(_) => None,
    });
    let mut taken: HashSet<Ipv4Addr> = of_ipv4.collect();
    let mut assigned: HashMap<String, Ipv4Addr> = HashMap::new();
    let mut assign = |key: String| *assigned.entry(key).or_insert_with_key(|key| own_address(key, &mut taken));
    let placed = ports.keys().map(|host| {
        let name = host.strip_suffix('.').unwrap_or(host);
        let address = match address_of.get(name).copied().flatten() {
            Some(IpAddr::V4(address)) => address,
            // Hosts that shared an address of IPv6 share one of IPv4.
            Some(IpAddr::V6(address)) => assign(address.to_string()),
            None if group_by == GroupBy::One => assign(String::new()),
            None => assign(name.to_owned()),
        };
        (host.clone(), address)
    });
    (placed.collect(), grouping)
}

/// A recorded address, unless it only tells of the recorder's own network: those of proxies, loopback and private networks. An address
/// of IPv4 that is written as one of IPv6 is one of IPv4.
fn usable(address: IpAddr) -> Option<IpAddr> {
    let address = address.to_canonical();
    let is_foreign = match address {
        IpAddr::V4(address) => tells_of_the_recorder(address),
        IpAddr::V6(address) => is_of_no_public_server(address),
    };
    (!is_foreign).then_some(address)
}

fn tells_of_the_recorder(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    first == 0
        || first >= 224
        || (first == 100 && (64..128).contains(&second))
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
}

fn is_of_no_public_server(address: Ipv6Addr) -> bool {
    address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
}

/// The same key, mostly a host, has the same address in every recording, but where two (or a recorded address) would collide.
pub fn own_address(key: &str, taken: &mut HashSet<Ipv4Addr>) -> Ipv4Addr {
    let hash = Sha256::digest(key);
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
