"""Selects the takes that clips may show, and reports the others with a reason. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.comparability.exclusion import Selection, content_unknown, failed_requests, select
from eyelevel_core.comparability.model import Findings
from eyelevel_core.comparability.sites import unchecked
from eyelevel_core.model.replay_check import ReplayCheck

OTHERWISE = "its content does not match that of most takes of its scene (fidelity.json lists the answers)"
LUCKIER = (
    "If the navigation of some runs failed, clips show the luckier runs: medoid and quantiles are those of the runs "
    "whose page loaded."
)


@dataclass(frozen=True)
class Showable:
    """Takes that clips may show, reasons for the others by digest, and warnings."""

    takes: Sequence[FilmedTake]
    why_not: Mapping[str, str]
    warnings: Sequence[str]


def showable(takes: Sequence[FilmedTake], findings: Findings | None, *, checks: Mapping[str, ReplayCheck]) -> Showable:
    """Excludes the takes that a comparison excludes, and takes without a page.

    Repeat visits are kept, because no clip shows them. `checks` are the replay checks by site, `findings` the content
    of fidelity.json.
    """
    cold = [take for take in takes if take.cache == "cold"]
    left = select(cold, findings, cache="cold", checks=checks)
    sites = {row.site: row.reason for row in left.sites if row.reason is not None}
    scenes = _scenes(left)
    failed = {
        take.digest: f"its navigation failed ({take.take.given_up})"
        for take in left.kept
        # such a film ends with the browser's error page
        if take.take.given_up is not None
    }
    by_take = {**{row.load.digest: OTHERWISE for row in left.mismatched}, **failed}
    why_not = {
        **{take.digest: why for take in cold if (why := sites.get(take.site) or scenes.get(take.scene))},
        **by_take,
    }
    remarks = (
        unchecked(left.sites),
        content_unknown(cold, findings),
        failed_requests([take for take in cold if take.digest not in why_not], findings),
    )
    warnings = [
        *(f"{site}: no clip shows it, because {why}." for site, why in sites.items()),
        *(f"{', '.join(scene)}: no clip shows it, because {why}." for scene, why in scenes.items()),
        *_sentences(left.comparable, by_take),
        *([LUCKIER] if failed else ()),
        *(words for words in remarks if words),
    ]
    return Showable([take for take in takes if take.digest not in why_not], why_not, warnings)


def _scenes(left: Selection[FilmedTake]) -> dict[tuple[str, str], str]:
    """The scenes whose takes contradict each other, each with its first reason."""
    reasons: dict[tuple[str, str], str] = {}
    for row in left.settings_mismatches:
        why = f"{row.take} and {row.than} differ in more than their stacks' definitions: {row.how[0]}"
        reasons.setdefault((row.site, row.network), why)
    return reasons


def _sentences(takes: Sequence[FilmedTake], why_not: Mapping[str, str]) -> Iterator[str]:
    """A sentence per setting and reason, and one per setting without any clip; `takes` are in their order."""
    for (site, network, stack), group in groupby(takes, key=lambda take: (*take.scene, take.stack)):
        setting, runs = f"{site}, {network}, {stack}", list(group)
        left: dict[str, list[int]] = {}
        for take in runs:
            if why := why_not.get(take.digest):
                left.setdefault(why, []).append(take.run)
        for why, numbers in left.items():
            shown = ", ".join(map(str, numbers))
            yield f"{setting}: no clip shows run {shown} (of {len(runs)} with a take), because {why}."
        if sum(map(len, left.values())) == len(runs):
            yield f"{setting} has no clip, because none of its runs may be shown."
