"""Site fidelity: the share of exact answers per stack, and the rule that excludes a site for all stacks."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from eyelevel_core.comparability.model import Replayed


@dataclass(frozen=True)
class SiteFidelity:
    """How requests begun before load were answered, over all takes of a site whose load event fired.

    Shares are fractions of exact answers, and None where nothing was counted. `worst_share` is the lowest share of any
    stack, unrounded. `unknown` counts takes whose load event never fired. `differing` counts takes with a content
    mismatch; None without fidelity.json. `reason` is None where the site is kept.
    """

    site: str
    takes: int
    unknown: int
    exact: int
    equivalent: int
    inexact: int
    missed: int
    share: float | None
    share_by_stack: Mapping[str, float | None]
    worst_share: float | None
    worst_stack: str | None
    differing: int | None
    kept: bool
    reason: str | None


def judge_sites(loads: Iterable[Replayed], *, min_exact: float, mismatched: Set[str] | None) -> list[SiteFidelity]:
    """One entry per site, sorted by name. A site is kept if every stack has at least `min_exact` exact answers.

    `loads` are takes of one cache state: first and second visits are judged apart, as they are compared apart. The
    bound applies to the unrounded share. A stack with an unknown share does not count; a site with no known share is
    excluded. `mismatched` are the paths of takes with a content mismatch, None where they are unknown.
    """
    sites: dict[str, list[Replayed]] = {}
    for load in loads:
        sites.setdefault(load.site, []).append(load)
    return [_judge(site, own, min_exact, mismatched) for site, own in sorted(sites.items())]


def _judge(site: str, loads: Sequence[Replayed], min_exact: float, mismatched: Set[str] | None) -> SiteFidelity:
    stacks = sorted({load.stack for load in loads})
    by_stack = {stack: _share(load for load in loads if load.stack == stack) for stack in stacks}
    known = {stack: share for stack, share in by_stack.items() if share is not None}
    worst = min(known, key=lambda name: known[name], default=None)
    unknown = sum(load.fidelity.exact is None for load in loads)
    reason = _reason(known, worst, min_exact, none_loaded=unknown == len(loads))
    return SiteFidelity(
        site=site,
        takes=len(loads),
        unknown=unknown,
        exact=sum(load.fidelity.exact or 0 for load in loads),
        equivalent=sum(load.fidelity.equivalent or 0 for load in loads),
        inexact=sum(load.fidelity.inexact or 0 for load in loads),
        missed=sum(load.fidelity.missed or 0 for load in loads),
        share=_share(loads),
        share_by_stack=by_stack,
        worst_share=None if worst is None else known[worst],
        worst_stack=worst,
        differing=None if mismatched is None else sum(load.path in mismatched for load in loads),
        kept=reason is None,
        reason=reason,
    )


def _reason(known: Mapping[str, float], worst: str | None, min_exact: float, *, none_loaded: bool) -> str | None:
    if worst is None and none_loaded:
        return "none of its takes reached the load event, so the content it was served is unknown"
    if worst is None:
        return "none of its takes requested anything from the servers before load, so nothing can be compared"
    if known[worst] < min_exact:
        share = _percent(known[worst], min_exact)
        return f"{share} of its requests were matched exactly with {worst}, below {min_exact:.1%}"
    return None


def _percent(share: float, bound: float) -> str:
    """The share with enough digits to differ from the bound: one at least, nine at most."""
    digits = next((n for n in range(1, 9) if f"{share:.{n}%}" != f"{bound:.{n}%}"), 9)
    return f"{share:.{digits}%}"


def _share(loads: Iterable[Replayed]) -> float | None:
    exact, other = 0, 0
    for load in loads:
        exact += load.fidelity.exact or 0
        others = (load.fidelity.equivalent, load.fidelity.inexact, load.fidelity.missed)
        other += sum(count or 0 for count in others)
    return exact / (exact + other) if exact + other else None
