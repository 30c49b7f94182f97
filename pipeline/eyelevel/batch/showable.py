"""Which takes clips may show: those whose page came. What is left out is told, setting by setting. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from eyelevel.batch.takes import Take

LUCKIER = (
    "Of a setting with runs that Chromium gave up, clips show the luckier ones: medoid and quantiles are of the runs "
    "that came."
)


@dataclass(frozen=True)
class Showable:
    """The takes that may be shown; by digest, why another may not; and what a person should know."""

    takes: Sequence[Take]
    why_not: Mapping[str, str]
    warnings: Sequence[str]


def showable(takes: Sequence[Take]) -> Showable:
    """Second visits are let be, as no clip shows one."""
    why_not = {take.digest: f"Chromium gave the navigation up ({take.given_up})" for take in _given_up(takes)}
    warnings = list(_told(takes, why_not))
    if why_not:
        warnings.append(LUCKIER)
    return Showable([take for take in takes if take.digest not in why_not], why_not, warnings)


def _given_up(takes: Sequence[Take]) -> Iterator[Take]:
    """The last thing that such a film shows is the browser's own page of complaint."""
    return (take for take in takes if take.cache == "cold" and take.given_up is not None)


def _told(takes: Sequence[Take], why_not: Mapping[str, str]) -> Iterator[str]:
    """A sentence per setting and reason, and one for a setting of which nothing is left; `takes` are in their order."""
    cold = (take for take in takes if take.cache == "cold")
    for (site, network, stack), own in groupby(cold, key=lambda take: (*take.scene, take.stack)):
        setting, runs = f"{site}, {network}, {stack}", list(own)
        left: dict[str, list[int]] = {}
        for take in runs:
            if why := why_not.get(take.digest):
                left.setdefault(why, []).append(take.run)
        for why, numbers in left.items():
            shown = ", ".join(map(str, numbers))
            yield f"{setting}: no clip shows run {shown} (of {len(runs)} with a take), for {why}."
        if sum(map(len, left.values())) == len(runs):
            yield f"{setting} has no clip at all, for none of its runs may be shown."
