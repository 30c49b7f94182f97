"""Cache modes: the state that a filmed visit keeps from a first visit."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class CacheMode:
    """A cache mode; `visits` is the number of page loads that a take needs.

    `first_packet` is the transport of the filmed visit's first packet over a stack that discovers QUIC; None if the
    mode does not determine it. `own_network`: the first visit goes over the run's network, because the browser's memory
    of it is kept; otherwise it goes over a fast network. `same_browser`: one browser makes both visits, in one run of
    the testbed; otherwise the first visit leaves a profile for another browser.
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
# the network of a first visit, unless the browser's memory of the network is kept
FILLED_OVER = "DSL"
VISITS = {name: mode.visits for name, mode in MODES.items()}
