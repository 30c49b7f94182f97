"""Table of noise ceilings: how well any metric could agree with the MOS of these votes (definition E9)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from eyelevel_stats.agreement.ceiling import split_half
from eyelevel_stats.agreement.clips import ClipVote, clip_scores
from eyelevel_stats.agreement.people import Ceiling, People
from eyelevel_stats.agreement.scope import by_network, sites_known, why_nothing
from eyelevel_stats.agreement.shares import ends


@dataclass(frozen=True)
class CeilingRow:
    """The ceilings of the clips of one network, or of all; what cannot be said is None, and `why` has the reasons."""

    network: str
    clips: int
    sites: int | None
    participants: int
    reliability: float | None = None
    reliability_ci_low: float | None = None
    reliability_ci_high: float | None = None
    ceiling: float | None = None
    ceiling_spearman: float | None = None
    lower_ceiling: float | None = None
    reliability_centred: float | None = None
    reliability_centred_ci_low: float | None = None
    reliability_centred_ci_high: float | None = None
    ceiling_centred: float | None = None
    why: str | None = None


COLUMNS = {
    "network": 'network of the clips; "all": clips of all networks together',
    "clips": "clips with votes",
    "sites": "sites of these clips; empty where sites are unknown",
    "participants": "participants with votes on these clips",
    "reliability": "1 - mean squared standard error of MOS / variance of MOS over clips",
    "reliability_ci_low": "lower end of the 95 % interval of reliability: Student's t with the standard error of a "
    "bootstrap over sites, or over clips where sites are unknown",
    "reliability_ci_high": "upper end of the same interval",
    "ceiling": "root of reliability: the largest |Pearson| that is expected of any metric; empty where the interval of "
    "reliability contains 0",
    "ceiling_spearman": "mean rank correlation of MOS with 1,000 simulated repetitions of it, by its standard error",
    "lower_ceiling": "mean Pearson correlation of the MOS of two random halves of the participants, over 200 splits; "
    "empty where no split has 10 clips with votes in both halves",
    "reliability_centred": "reliability of MOS centred within site and network",
    "reliability_centred_ci_low": "lower end of the 95 % interval of reliability_centred by the same bootstrap",
    "reliability_centred_ci_high": "upper end of the same interval",
    "ceiling_centred": "root of reliability_centred; empty where its interval contains 0",
    "why": "why cells of this row are empty: fewer than 10 clips or 5 sites, unknown sites, noise as large as the "
    "differences",
}


def ceilings(votes: Iterable[ClipVote], *, seed: int = 0) -> tuple[CeilingRow, ...]:
    """A row for all networks together, then for each where there is more than one.

    With fewer than 10 clips, or 5 sites where sites are known, there is no figure. The same seed gives the same draws.
    """
    kept = tuple(votes)
    clips = clip_scores(kept)
    known = sites_known(clips)
    rows = []
    for network, own in by_network(clips):
        among = {clip.stimulus for clip in own}
        of_network = [vote for vote in kept if vote.stimulus in among]
        people = len({vote.participant for vote in of_network})
        row = CeilingRow(network, len(own), len({clip.site for clip in own}) if known else None, people)
        why = why_nothing(own, known=known)
        if why is not None:
            rows.append(replace(row, why=why))
            continue
        lower = split_half(of_network, rng=np.random.default_rng(seed))
        rows.append(_filled(replace(row, lower_ceiling=lower), People(own, known=known, seed=seed)))
    return tuple(rows)


def _filled(row: CeilingRow, people: People) -> CeilingRow:
    reliable, low, high, value = _of(people.raw)
    centred, centred_low, centred_high, centred_value = _of(people.centred)
    return replace(
        row,
        reliability=reliable,
        reliability_ci_low=low,
        reliability_ci_high=high,
        ceiling=value,
        ceiling_spearman=people.spearman_ceiling,
        reliability_centred=centred,
        reliability_centred_ci_low=centred_low,
        reliability_centred_ci_high=centred_high,
        ceiling_centred=centred_value,
        why="; ".join(people.reasons()) or None,
    )


def _of(ceiling: Ceiling | None) -> tuple[float | None, float | None, float | None, float | None]:
    if ceiling is None:
        return None, None, None, None
    return ceiling.reliability, *ends(ceiling.interval), ceiling.value
