"""Table of noise ceilings: the largest agreement of any metric with the MOS of these votes (definition E9)."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from eyelevel_stats.agreement.ceiling import split_half
from eyelevel_stats.agreement.clip_scores import ClipVote, clip_scores
from eyelevel_stats.agreement.people import Ceiling, People
from eyelevel_stats.agreement.scope import by_network, site_count, sites_known, why_nothing
from eyelevel_stats.agreement.shares import ends
from eyelevel_stats.rows.metrics import CeilingRow


def ceilings(votes: Iterable[ClipVote], *, seed: int = 0) -> tuple[CeilingRow, ...]:
    """Computes a row for all networks together, then for each if there are several.

    With fewer than 10 clips, or 5 sites where sites are known, values are None. The same seed gives the same draws.
    """
    all_votes = tuple(votes)
    clips = clip_scores(all_votes)
    known = sites_known(clips)
    rows = []
    for network, network_clips in by_network(clips):
        among = {clip.stimulus for clip in network_clips}
        of_network = [vote for vote in all_votes if vote.stimulus in among]
        people = len({vote.participant for vote in of_network})
        row = CeilingRow(network, len(network_clips), site_count(network_clips) if known else None, people)
        why = why_nothing(network_clips, known=known)
        if why is not None:
            rows.append(replace(row, why=str(why)))
            continue
        lower = split_half(of_network, rng=np.random.default_rng(seed))
        rows.append(_filled(replace(row, lower_ceiling=lower), People(network_clips, known=known, seed=seed)))
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
