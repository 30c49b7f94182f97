"""Columns that the report's tables share."""

from dataclasses import dataclass
from typing import Any, ClassVar

from eyelevel.compare.columns import NEW, REFERENCE
from eyelevel_core.tables import derived, part

EVENT = "event as named in the paper; onLoad is plt_ms, onContentLoaded is dcl_ms"
CACHE = "cache mode of the visits: cold corresponds to the paper's disabled cache, all to its enabled cache"
STACK = "protocol stack"


@dataclass(frozen=True)
class Of:
    """A row with a computed result."""

    of: Any = part()


@dataclass(frozen=True)
class AtConfiguration(Of):
    """It begins with a configuration, which is empty for all of them together."""

    configuration: ClassVar[str | None] = derived(
        "of.configuration.name",
        "configuration C01 to C12, numbered as in the paper; empty if the row covers all configurations",
    )
    rtt_ms: ClassVar[float | None] = derived(
        "of.configuration.rtt_ms", "round-trip time of the configuration", head="RTT, ms", shown="ms"
    )
    loss: ClassVar[float | None] = derived(
        "of.configuration.loss", "packet loss of the configuration, 0 to 1", shown="share"
    )


@dataclass(frozen=True)
class OfCell(Of):
    """It begins with the cell of a pair: configuration, event and cache."""

    new_stack: ClassVar[str] = derived("of.pair.new", NEW)
    reference_stack: ClassVar[str] = derived("of.pair.reference", REFERENCE)
    configuration: ClassVar[str] = derived(
        "of.configuration.name", "configuration C01 to C12, numbered as in the paper"
    )
    rtt_ms: ClassVar[float] = derived(
        "of.configuration.rtt_ms", "round-trip time of the configuration", head="RTT, ms", shown="ms"
    )
    loss: ClassVar[float] = derived("of.configuration.loss", "packet loss of the configuration, 0 to 1", shown="share")
    event: ClassVar[str] = derived("of.event", EVENT)
    cache: ClassVar[str] = derived("of.cache", CACHE)
