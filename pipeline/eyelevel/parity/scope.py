"""Which sites stay: one that was not replayed faithfully leaves in every arm. Pure."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from eyelevel.parity.model import Replayed


@dataclass(frozen=True)
class SiteFidelity:
    """Requests begun before load, over all takes of a site whose load event came; shares are None where there are none.

    `worst_share` is the share of exact matches of the stack where it is lowest. `differing` counts takes that were
    not served what most takes of their scene were, by fidelity.json; None where there is none.
    """

    site: str
    takes: int
    unknown: int
    exact: int
    inexact: int
    missed: int
    share: float | None
    worst_share: float | None
    worst_stack: str | None
    differing: int | None
    kept: bool
    reason: str | None


def judge_sites(
    loads: Iterable[Replayed], *, min_exact: float, served_otherwise: Set[str] | None
) -> list[SiteFidelity]:
    """One entry per site, in order. A site is kept if every stack has at least that share of exact matches.

    A stack without any take whose load event came has an unknown share, and is judged by the others; a site of
    which nothing is known leaves.
    """
    sites: dict[str, list[Replayed]] = {}
    for load in loads:
        sites.setdefault(load.site, []).append(load)
    return [_judge(site, own, min_exact, served_otherwise) for site, own in sorted(sites.items())]


def _judge(site: str, loads: Sequence[Replayed], min_exact: float, served_otherwise: Set[str] | None) -> SiteFidelity:
    stacks = sorted({load.stack for load in loads})
    of_stack = {stack: _share([load for load in loads if load.stack == stack]) for stack in stacks}
    shares = {stack: share for stack, share in of_stack.items() if share is not None}
    worst = min(shares, key=lambda name: shares[name], default=None)
    reason = _reason(None if worst is None else shares[worst], worst, min_exact)
    return SiteFidelity(
        site=site,
        takes=len(loads),
        unknown=sum(load.fidelity.exact is None for load in loads),
        exact=sum(load.fidelity.exact or 0 for load in loads),
        inexact=sum(load.fidelity.inexact or 0 for load in loads),
        missed=sum(load.fidelity.missed or 0 for load in loads),
        share=_share(loads),
        worst_share=None if worst is None else shares[worst],
        worst_stack=worst,
        differing=None if served_otherwise is None else sum(load.path in served_otherwise for load in loads),
        kept=reason is None,
        reason=reason,
    )


def _reason(worst_share: float | None, worst: str | None, min_exact: float) -> str | None:
    if worst_share is None:
        return "no take of it reached its load event, so that nothing is known of what it was served"
    if worst_share < min_exact:
        return f"{worst_share:.1%} of its requests were matched exactly with {worst}, below {min_exact:.1%}"
    return None


def _share(loads: Iterable[Replayed]) -> float | None:
    exact, other = 0, 0
    for load in loads:
        exact += load.fidelity.exact or 0
        other += (load.fidelity.inexact or 0) + (load.fidelity.missed or 0)
    return exact / (exact + other) if exact + other else None
