"""Finds addresses that a replay cannot serve: those of loopback, and those of no single machine. Pure.

The rule is that of `why_unserved` in testbed/crates/replay/src/placement/origins.rs; testbed/cases/unservable.json
holds both to the same cases.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

SCHEMES = {"http", "https"}


def split(url: str) -> SplitResult | None:
    """The parts of a complete http or https URL; None for anything else."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError where it is no number
    except ValueError:
        return None
    return parts if parts.scheme in SCHEMES and parts.hostname else None


def is_loopback(host: str) -> bool:
    """Whether browsers take this host for the machine that they run on (RFC 6761, section 6.3; RFC 1122, 3.2.1.3)."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and address.is_loopback


def is_no_machine(host: str) -> bool:
    """Whether this host is an address that no single machine can have: unspecified, multicast or reserved."""
    address = _address(host)
    if isinstance(address, IPv4Address):
        return address.packed[0] == 0 or address.packed[0] >= 224
    return address is not None and (address.is_unspecified or address.is_multicast)


def is_served(host: str) -> bool:
    """Whether a replay can serve this host."""
    return not is_loopback(host) and not is_no_machine(host)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    """The address that the host is; an IPv4 address within an IPv6 one (RFC 4291, section 2.5.5.2) counts as itself."""
    try:
        found = ip_address(host)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def why_not(url: str) -> str | None:
    """One sentence with the cure where the page itself could not be replayed; None where it could."""
    parts = split(url)
    if parts is None:
        return f"{url} is not an http or https URL; give a complete one, such as https://example.org/."
    if is_loopback(parts.hostname or ""):
        return (
            f"{url} is on this machine's loopback, and a replay has a loopback of its own, so it could not serve it. "
            "Let the server listen on another address of this machine (an extra one: "
            "ip addr add 192.0.2.1/32 dev lo, as root), and record from that address."
        )
    if is_no_machine(parts.hostname or ""):
        return (
            f"{url} is not the address of one machine, so a replay could not serve it; record the page under its "
            "name, or from the server's own address."
        )
    return None


def unserved(urls: Iterable[str]) -> list[str]:
    """Hosts (with their ports) of these URLs that a replay cannot serve, in order, each once."""
    found: dict[str, None] = {}
    for url in urls:
        parts = split(url)
        if parts is not None and not is_served(parts.hostname or ""):
            found[parts.netloc.rpartition("@")[2]] = None
    return list(found)
