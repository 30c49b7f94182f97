"""What leaves: unfaithful sites, scenes of stacks that differ in more than they say, takes of other pages."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from eyelevel.parity.model import Parity, Replayed, ServedOtherwise, Unlike
from eyelevel.parity.scope import SiteFidelity, judge_sites

T = TypeVar("T", bound=Replayed)


@dataclass(frozen=True)
class TakeLeft(Generic[T]):
    """A take that was not served what most of its scene were."""

    load: T
    served: ServedOtherwise


@dataclass(frozen=True)
class Leaving(Generic[T]):
    """What stays and what leaves, in the order of the takes.

    `sites` says of each whether it was replayed faithfully: one that was not leaves in every arm. Of the others,
    `comparable` are the takes of scenes that stay, `kept` those of them that were served alike.

    `unlike` has a row per take that contradicts its scene; all stacks of such a scene leave, for nothing tells which
    of two takes is the wrong one. `otherwise` are the takes that leave for what they were served.
    """

    sites: Sequence[SiteFidelity]
    comparable: Sequence[T]
    kept: Sequence[T]
    unlike: Sequence[Unlike]
    otherwise: Sequence[TakeLeft[T]]


def leave(loads: Sequence[T], parity: Parity | None, *, cache: str, min_exact: float) -> Leaving[T]:
    """Split takes, all of visits of one `cache`. Without fidelity.json nothing is known but how sites were replayed.

    `min_exact` is the share of requests that every stack must have matched exactly.
    """
    served_otherwise = None if parity is None else parity.served_otherwise.keys()
    sites = judge_sites(loads, min_exact=min_exact, served_otherwise=served_otherwise)
    faithful = {row.site for row in sites if row.kept}
    loads = [load for load in loads if load.site in faithful]
    if parity is None:
        return Leaving(sites, loads, loads, [], [])
    there = {(load.site, load.network) for load in loads}
    unlike = [row for row in parity.unlike if row.cache == cache and (row.site, row.network) in there]
    gone = {(row.site, row.network) for row in unlike}
    comparable = [load for load in loads if (load.site, load.network) not in gone]
    otherwise = [
        TakeLeft(load, parity.served_otherwise[load.path])
        for load in comparable
        if load.path in parity.served_otherwise
    ]
    left = {row.load.path for row in otherwise}
    return Leaving(sites, comparable, [load for load in comparable if load.path not in left], unlike, otherwise)


def unjudged(loads: Sequence[Replayed], parity: Parity | None) -> str | None:
    """What a person should know where it is not known whether takes were served alike; None where it is."""
    if parity is None:
        return (
            "The batch has no fidelity.json: whether its takes were served alike, by stacks that differ in no more "
            "than their definitions, is unknown. Start capture again, which makes it anew."
        )
    missing = [load.path for load in loads if load.path not in parity.takes]
    if not missing:
        return None
    return (
        f"fidelity.json says nothing yet of {len(missing)} of {len(loads)} takes (such as {missing[0]}), as capture "
        "has not ended: whether they were served what the others were is unknown."
    )


def failed_requests(loads: Sequence[Replayed], parity: Parity | None) -> str | None:
    """What a person should know of takes that stay though the network failed some of their requests."""
    failed = [load for load in loads if parity is not None and load.path in parity.network_failed]
    if not failed:
        return None
    counts = Counter(load.stack for load in failed)
    each = ", ".join(f"{stack} {count}" for stack, count in sorted(counts.items()))
    return (
        f"In some takes ({each}; such as {failed[0].path}) the network failed requests begun before load. That is an "
        "outcome of network and stack, so they stay, though they may show less of the page; fidelity.json has the URLs."
    )
