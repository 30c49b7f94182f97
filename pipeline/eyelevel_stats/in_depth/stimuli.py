"""Votes about stimuli of any source, in the columns of an export: their scale and metrics."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from eyelevel_stats.agreement.clip_scores import ClipScore, Metrics
from eyelevel_stats.agreement.signs import SideVote
from eyelevel_stats.columns import Columns
from eyelevel_stats.observations import Comparison
from eyelevel_stats.pairs.observations import PairVote
from eyelevel_stats.prediction.choice import MOST_FITS, fits_of_choice
from eyelevel_stats.votes import comparisons_of

# the tables in depth for such votes, which do not need network, context, group, order, Speed Index or plan
TABLES = frozenset(
    {"reliability", "sos", "subjects", "subject-clips", "straight-lining", "mappings", "pair-components", "worths"}
    | {"leaderboard", "noise-ceilings", "best-metrics", "metric-differences", "signs", "jod", "detection"}
)
PARTS = ("agreement of participants", "metrics against people", "comparisons")


@dataclass(frozen=True)
class Stimuli:
    """The scale of the scores, and the values of each metric by stimulus.

    In the columns, `stack` and `clip_sha256` have the name of the stimulus, and `network` is empty. Larger values are
    better for metrics in `higher_is_better`, and, in the search for the best metrics, for those in `rising`. `sided`:
    it is known which stimulus was left. `long_too`: also compute tables that take many minutes.
    """

    scale: tuple[float, float]
    metrics: Metrics
    higher_is_better: Collection[str] = ()
    rising: Collection[str] = ()
    sided: bool = True
    long_too: bool = False

    def has_mappings(self, clips: Collection[ClipScore]) -> bool:
        """Whether mappings from these metrics to the scores of the clips are computed."""
        fits = fits_of_choice(len({clip.site for clip in clips}), len(self.metrics))
        return self.long_too or fits <= MOST_FITS


def side_votes(columns: Columns, metrics: Metrics) -> Iterator[tuple[str, list[SideVote]]]:
    """Yields, by metric, the answers to pairs with the values of both stimuli, if there are any."""
    votes = comparisons_of(columns)
    for name, values in metrics.items() if votes else ():
        yield name, [_side_vote(vote, values) for vote in votes]


def _side_vote(vote: Comparison, values: Mapping[str, float | None]) -> SideVote:
    a, b = sorted((vote.left_stack, vote.right_stack))
    choice = vote.choice
    if a != vote.left_stack and choice != "none":
        choice = "left" if choice == "right" else "right"
    return SideVote(vote.participant, f"{a}\n{b}", "", values.get(a), values.get(b), choice)


def metric_votes(
    votes: Collection[PairVote], metrics: Metrics, *, higher_is_better: Collection[str]
) -> Iterator[tuple[str, list[PairVote]]]:
    """Yields, by metric, the votes with its values in place of the Speed Index, for which smaller is better."""
    for name, values in metrics.items():
        # for a metric with larger better values, the ratio is that of the better side to the worse one
        swapped = name in higher_is_better
        yield name, [_with(vote, values, swapped=swapped) for vote in votes]


def _with(vote: PairVote, values: Mapping[str, float | None], *, swapped: bool) -> PairVote:
    left, right = values.get(vote.left_stack), values.get(vote.right_stack)
    if swapped:
        left, right = right, left
    return vote._replace(left_si_ms=left, right_si_ms=right)
