"""Site fidelity: exact answers per stack, and the gates that exclude a site for all stacks (see visible.py)."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from eyelevel_core.comparability.model import Replayed
from eyelevel_core.comparability.visible import Gates, all_gates, reason
from eyelevel_core.model.replay_check import ReplayCheck


@dataclass(frozen=True)
class SiteFidelity:
    """Counts of answers to requests begun before load, over all takes of a site whose load event fired.

    Shares are fractions of exact answers, and None where nothing was counted; they exclude nothing. `worst_share` is
    the lowest share of any stack. `gates` are those of the site's replay check, by stack; empty without one. `unknown`
    counts takes whose load event never fired. `differing` counts takes with a content mismatch; None without
    fidelity.json. `reason` is None where the site is kept.
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
    gates: tuple[Gates, ...]
    kept: bool
    reason: str | None

    @property
    def absent(self) -> int | None:
        """The number of needed requests that were missed or failed, for the stack with most; None without a check."""
        return max((len(gates.absent) for gates in self.gates), default=None)

    @property
    def painted_share(self) -> float | None:
        """The share of the viewport that was missed or inexact, for the stack with most; None without a check."""
        return max((gates.painted_share for gates in self.gates), default=None)

    @property
    def similarity(self) -> float | None:
        """The lowest SSIM beside the recorded screenshot; None without a check or a screenshot."""
        return min((gates.similarity for gates in self.gates if gates.similarity is not None), default=None)


def judge_sites(
    loads: Iterable[Replayed], *, checks: Mapping[str, ReplayCheck], mismatched: Set[str] | None
) -> list[SiteFidelity]:
    """Returns one entry per site, sorted by name. A site is kept if its replay check passes all gates over every stack.

    `loads` are takes of one cache mode: first and second visits are checked and compared separately. `checks` are by
    site; a site without one is kept (see `unchecked`). A site is excluded if none of its takes loaded or requested
    anything, and if its page could not be checked; the latter has an entry even without takes. `mismatched` are the
    paths of takes with a content mismatch, None where they are unknown.
    """
    sites: dict[str, list[Replayed]] = {site: [] for site, check in checks.items() if check.failure is not None}
    for load in loads:
        sites.setdefault(load.site, []).append(load)
    return [_judge(site, site_loads, checks.get(site), mismatched) for site, site_loads in sorted(sites.items())]


def unchecked(sites: Iterable[SiteFidelity]) -> str | None:
    """Returns a warning about sites that are kept without a replay check; None without such a site."""
    names = [row.site for row in sites if row.kept and not row.gates]
    if not names:
        return None
    return (
        f"{', '.join(names)} has no replay check, so it is unknown what a viewer would miss there. Capture makes "
        "the check before the first run, unless --no-probe is given."
    )


def _judge(
    site: str, loads: Sequence[Replayed], check: ReplayCheck | None, mismatched: Set[str] | None
) -> SiteFidelity:
    stacks = sorted({load.stack for load in loads})
    by_stack = {stack: _share(load for load in loads if load.stack == stack) for stack in stacks}
    known = {stack: share for stack, share in by_stack.items() if share is not None}
    worst = min(known, key=lambda name: known[name], default=None)
    unknown = sum(load.fidelity.exact is None for load in loads)
    lacking = None if check is None else reason(check)
    why = lacking if not loads else _nothing(worst, none_loaded=unknown == len(loads)) or lacking
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
        gates=() if check is None else tuple(all_gates(check)),
        kept=why is None,
        reason=why,
    )


def _nothing(worst: str | None, *, none_loaded: bool) -> str | None:
    if worst is None and none_loaded:
        return "none of its takes reached the load event, so the content it was served is unknown"
    if worst is None:
        return "none of its takes requested anything from the servers before load, so nothing can be compared"
    return None


def _share(loads: Iterable[Replayed]) -> float | None:
    exact, other = 0, 0
    for load in loads:
        exact += load.fidelity.exact or 0
        counts = (load.fidelity.equivalent, load.fidelity.inexact, load.fidelity.missed)
        other += sum(count or 0 for count in counts)
    return exact / (exact + other) if exact + other else None
