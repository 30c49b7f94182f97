"""Columns that the report's tables share."""

from dataclasses import dataclass
from typing import Any, ClassVar

from eyelevel.compare.columns import NEW, REFERENCE
from eyelevel_core.tables import derived, part

EVENT = "the paper's name; onLoad is plt_ms, onContentLoaded dcl_ms"
CACHE = "cache state of the visits: cold is the paper's cache disabled, all enabled"
STACK = "the stack"


@dataclass(frozen=True)
class Of:
    """A row with a computed result."""

    of: Any = part()


@dataclass(frozen=True)
class AtConfiguration(Of):
    """It begins with a configuration, which is empty for all of them together."""

    configuration: ClassVar[str | None] = derived("of.configuration.name", "C01 to C12 in the order of the paper")
    rtt_ms: ClassVar[float | None] = derived("of.configuration.rtt_ms", "its round trip", head="RTT, ms", shown="ms")
    loss: ClassVar[float | None] = derived("of.configuration.loss", "its loss, 0 to 1", shown="share")


@dataclass(frozen=True)
class OfCell(Of):
    """It begins with the cell of a pair: configuration, event and cache."""

    new_stack: ClassVar[str] = derived("of.pair.new", NEW)
    reference_stack: ClassVar[str] = derived("of.pair.reference", REFERENCE)
    configuration: ClassVar[str] = derived("of.configuration.name", "C01 to C12 in the order of the paper")
    rtt_ms: ClassVar[float] = derived("of.configuration.rtt_ms", "its round trip", head="RTT, ms", shown="ms")
    loss: ClassVar[float] = derived("of.configuration.loss", "its loss, 0 to 1", shown="share")
    event: ClassVar[str] = derived("of.event", EVENT)
    cache: ClassVar[str] = derived("of.cache", CACHE)
