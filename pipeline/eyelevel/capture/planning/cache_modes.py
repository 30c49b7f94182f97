"""Cache modes: what of a first visit the filmed visit starts with."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CacheMode:
    """`visits` are the page loads that a take needs.

    `first_packet` is the transport of the filmed visit's first packet over a stack that discovers QUIC; None where the
    mode does not decide it. `own_network`: the first visit goes over the run's network, because what the browser
    remembers of it is kept; elsewhere it goes over a quick network. `same_browser`: one browser makes both visits, in
    one run of the testbed; elsewhere the first visit leaves a profile for another browser.
    """

    visits: int
    first_packet: str | None
    own_network: bool = False
    same_browser: bool = False


MODES: Mapping[str, CacheMode] = {
    "cold": CacheMode(1, "tcp"),
    "http": CacheMode(2, "tcp"),
    "altsvc": CacheMode(2, "quic"),
    "tickets": CacheMode(2, None, own_network=True, same_browser=True),
    "all": CacheMode(2, None, own_network=True),
}
# the network of a first visit, unless what it remembers of the network is kept
FILLED_OVER = "DSL"
VISITS = {name: mode.visits for name, mode in MODES.items()}
