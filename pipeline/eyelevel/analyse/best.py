"""The set of metrics that may agree best with people, which takes a bootstrap."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console

from eyelevel.analyse.long_table.scores import ScoreVotes
from eyelevel.report.words import listed
from eyelevel_stats.agreement.best import BestSet
from eyelevel_stats.agreement.clips import ALL, ClipVote

T = TypeVar("T")


def clip_votes(votes: ScoreVotes) -> Iterator[ClipVote]:
    """The votes of a long table as metrics are compared with; all stimuli belong to one network."""
    sites = votes.sites or [""] * len(votes.stimuli)
    for person, stimulus, score in zip(
        votes.person.tolist(), votes.stimulus.tolist(), votes.score.tolist(), strict=True
    ):
        yield ClipVote(votes.participants[person], votes.stimuli[stimulus], sites[stimulus] or "", "", score)


def best_sentence(best: BestSet) -> str:
    """What the set says, in a sentence; `network` is named where it is one of several."""
    place = "" if best.network == ALL else f" on {best.network}"
    if best.names is None:
        return f"No set of best metrics{place}: {best.why}."
    behind = [row.metric for row in best.rows if row.best == "no"]
    worse = f"; {listed(behind)} {'agrees' if len(behind) == 1 else 'agree'} less well" if behind else ""
    if len(best.names) == 1:
        return f"{best.names[0]} agrees best with people{place}{worse}."
    return f"The votes do not decide which of {listed(list(best.names))} agrees best with people{place}{worse}."


def best_sentences(sets: Sequence[BestSet]) -> list[str]:
    """A sentence per set; where no network has one, the first says why."""
    if all(one.names is None for one in sets):
        return [best_sentence(one) for one in sets[:1]]
    return [best_sentence(one) for one in sets]


def with_patience(compute: Callable[[], Sequence[T]]) -> Sequence[T]:
    """The result of work that takes a while, which is announced on stderr."""
    console = Console(stderr=True)
    words = "Computing which metrics agree best with people, by bootstrap (2,000 draws) ..."
    if not console.is_terminal:
        console.print(words, soft_wrap=True, highlight=False)
        return compute()
    with console.status(words):
        return compute()
