"""Finds addresses that a replay cannot serve: those of loopback. Pure."""

from collections.abc import Iterable
from ipaddress import ip_address
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
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


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
    return None


def unserved(urls: Iterable[str]) -> list[str]:
    """Hosts (with their ports) of these URLs that a replay cannot serve, in order, each once."""
    found: dict[str, None] = {}
    for url in urls:
        parts = split(url)
        if parts is not None and is_loopback(parts.hostname or ""):
            found[parts.netloc.rpartition("@")[2]] = None
    return list(found)
