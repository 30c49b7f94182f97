"""What takes resampling: noise ceilings, and the set of metrics that may agree best with people."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from eyelevel.analyse.announced import announced
from eyelevel.analyse.long_table.scores import ScoreVotes
from eyelevel.report.words import listed
from eyelevel_stats.agreement.best import BestSet, best_sets
from eyelevel_stats.agreement.ceilings import ceilings
from eyelevel_stats.agreement.clip_scores import ClipVote, Metrics
from eyelevel_stats.rows.metrics import NO, CeilingRow
from eyelevel_stats.rows.words import ALL

WORDS = "Computing noise ceilings and the best metrics, by resampling ..."


@dataclass(frozen=True)
class Resampled:
    """A row and a set for all networks, then for each where there is more than one; without metrics there is no set."""

    ceilings: tuple[CeilingRow, ...]
    best: tuple[BestSet, ...]


def resampled(
    votes: Iterable[ClipVote], metrics: Metrics, *, seed: int, higher_is_better: Collection[str] = ()
) -> Resampled:
    """Takes half a minute for a million votes, and is announced on stderr."""
    with announced(WORDS):
        kept = tuple(votes)
        best = best_sets(kept, metrics, higher_is_better=higher_is_better, seed=seed) if metrics else ()
        return Resampled(ceilings(kept, seed=seed), best)


def clip_votes(votes: ScoreVotes) -> Iterator[ClipVote]:
    """The votes of a long table as metrics are compared with; all stimuli belong to one network."""
    sites = votes.sites or [""] * len(votes.stimuli)
    for person, stimulus, score in zip(
        votes.person.tolist(), votes.stimulus.tolist(), votes.score.tolist(), strict=True
    ):
        yield ClipVote(votes.participants[person], votes.stimuli[stimulus], sites[stimulus] or "", "", score)


def best_sentence(best: BestSet) -> str:
    """What the set says, in a sentence; its network is named where it is one of several."""
    place = "" if best.network == ALL else f" on {best.network}"
    if best.names is None:
        return f"No set of best metrics{place}: {best.why}."
    behind = [row.metric for row in best.rows if row.best == NO]
    worse = f"; {listed(behind)} {'agrees' if len(behind) == 1 else 'agree'} less well" if behind else ""
    if len(best.names) == 1:
        return f"{best.names[0]} agrees best with people{place}{worse}."
    return f"The votes do not decide which of {listed(list(best.names))} agrees best with people{place}{worse}."


def best_sentences(sets: Sequence[BestSet]) -> list[str]:
    """A sentence per set; where no network has one, the first says why."""
    if all(one.names is None for one in sets):
        return [best_sentence(one) for one in sets[:1]]
    return [best_sentence(one) for one in sets]
