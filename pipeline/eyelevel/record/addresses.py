"""Finds addresses that a replay cannot serve: loopback, and those that are not of a single machine. Pure.

The rule is that of `why_unserved` in testbed/crates/replay/src/placement/origins.rs; testbed/cases/unservable.json
holds both to the same cases.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

SCHEMES = {"http", "https"}


def split(url: str) -> SplitResult | None:
    """Returns the parts of a complete http or https URL; None for anything else."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError if it is not a number
    except ValueError:
        return None
    return parts if parts.scheme in SCHEMES and parts.hostname else None


def is_loopback(host: str) -> bool:
    """Returns whether a host means the browser's own machine (RFC 6761, section 6.3; RFC 1122, 3.2.1.3)."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def is_no_machine(host: str) -> bool:
    """Returns whether a host is an address that no single machine can have: unspecified, multicast or reserved."""
    address = _address(host)
    if isinstance(address, IPv4Address):
        return address.packed[0] == 0 or address.packed[0] >= 224
    return address is not None and (address.is_unspecified or address.is_multicast)


def is_served(host: str) -> bool:
    """Returns whether a replay can serve this host."""
    return not is_loopback(host) and not is_no_machine(host)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that the host is; an IPv4 address within an IPv6 one (RFC 4291, section 2.5.5.2) counts as itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


def why_not(url: str) -> str | None:
    """Returns why a page could not be replayed, with the cure, as a sentence; None if it could."""
    parts = split(url)
    if parts is None:
        return f"{url} is not an http or https URL; give a complete one, such as https://example.org/."
    if is_loopback(parts.hostname or ""):
        return (
            f"{url} is on this machine's loopback. A replay could not serve it, because it has its own loopback. Let "
            "the server listen on another address of this machine (an extra one: ip addr add 192.0.2.1/32 dev lo, as "
            "root), and record from that address."
        )
    if is_no_machine(parts.hostname or ""):
        return (
            f"{url} is not the address of a single machine, so a replay could not serve it; record the page under its "
            "name, or from the server's own address."
        )
    return None


def unserved(urls: Iterable[str]) -> list[str]:
    """Returns the hosts (with their ports) of these URLs that a replay cannot serve, in order, each once."""
    hosts: dict[str, None] = {}
    for url in urls:
        parts = split(url)
        if parts is not None and not is_served(parts.hostname or ""):
            hosts[parts.netloc.rpartition("@")[2]] = None
    return list(hosts)
