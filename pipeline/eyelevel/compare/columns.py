"""Columns that several tables of the report have, and rows about pairs of stacks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from eyelevel.compare.model import Load, Pair
from eyelevel_core.model.metrics import COMPARED, METRIC_OF
from eyelevel_core.tables import derived, part
from eyelevel_stats.arms import holm

SITE, NETWORK, STACK = "site of the campaign", "emulated network", "protocol stack"
RUN, TAKE = "number of the run", "folder of the take in the batch"
METRIC = ", ".join(f"{key} {METRIC_OF[key].name}" for key in COMPARED)
NEW, REFERENCE = "new stack of the pair", "reference stack of the pair"
HIGH = "upper end of the same interval"
HOLM = "p_value with Holm's correction over all rows"

R = TypeVar("R", bound=Any)


@dataclass(frozen=True)
class OfPair:
    """A row about a pair, whose first columns are both stacks."""

    pair: Pair = part()
    new_stack: ClassVar[str] = derived("pair.new", NEW)
    reference_stack: ClassVar[str] = derived("pair.reference", REFERENCE)


def tests_of(
    loads: Sequence[Load],
    pairs: Iterable[Pair],
    figures: Iterable[str],
    test: Callable[[Sequence[Load], str, Pair, str], R | None],
) -> list[R]:
    """Returns the rows of `test` for each pair, network and figure, from the takes of both stacks on that network.

    The rows have a `p_value`; their `p_adjusted` is corrected by Holm among all rows.
    """
    networks = dict.fromkeys(load.network for load in loads)
    rows = [
        row
        for pair in pairs
        for network in networks
        for figure in figures
        if (row := test(_of(loads, network, pair), network, pair, figure)) is not None
    ]
    adjusted = holm([row.p_value for row in rows])
    return [replace(row, p_adjusted=p) for row, p in zip(rows, adjusted, strict=True)]


def _of(loads: Iterable[Load], network: str, pair: Pair) -> list[Load]:
    return [load for load in loads if load.network == network and load.stack in (pair.new, pair.reference)]
