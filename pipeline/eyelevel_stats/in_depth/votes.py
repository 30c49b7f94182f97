"""Converts the vote columns of an export to the inputs of the tables in depth."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from eyelevel_core.contracts import short
from eyelevel_core.model.metrics import KEYS, LABELS, METRIC_OF, MetricValues
from eyelevel_kinds import KINDS
from eyelevel_stats.agreement.clip_scores import ClipVote, Metrics
from eyelevel_stats.agreement.signs import SideVote
from eyelevel_stats.columns import Columns
from eyelevel_stats.descriptive.order import OrderedVote
from eyelevel_stats.observations import Rating
from eyelevel_stats.pairs.observations import SameVote
from eyelevel_stats.straight_lining import Answer
from eyelevel_stats.votes import rows_of_role


def clip_votes(ratings: Iterable[Rating]) -> Iterator[ClipVote]:
    """Converts ratings to clip votes, with readable names of clips."""
    return (ClipVote(vote.participant, clip_name(vote), vote.site, vote.network, vote.score) for vote in ratings)


def clip_name(vote: Rating) -> str:
    """Returns site, network, stack, and the start of the clip's digest; for a stimulus without a network, its name."""
    if not vote.network:
        return vote.clip_sha256
    return f"{vote.site} {vote.network} {vote.stack} {short(vote.clip_sha256)}"


def metrics_by_label(ratings: Iterable[Rating], metrics: Mapping[str, MetricValues]) -> Metrics:
    """Returns each metric that any rated clip has, by its label."""
    names = {vote.clip_sha256: clip_name(vote) for vote in ratings}
    values = {
        LABELS[key]: {name: metrics.get(clip, {}).get(METRIC_OF[key].field) for clip, name in names.items()}
        for key in KEYS
    }
    return {label: of_clip for label, of_clip in values.items() if any(value is not None for value in of_clip.values())}


def ordered_votes(columns: Columns) -> list[OrderedVote]:
    """Returns the main ratings with their places in the session."""
    fields = ("session_id", "position", "clip_sha256", "context", "score")
    return [OrderedVote(*row) for row in rows_of_role(columns, "main", "rate", fields)]


def main_answers(columns: Columns) -> dict[str, list[Answer]]:
    """Returns the main answers of each participant, with their kinds."""
    answers_of: dict[str, list[Answer]] = defaultdict(list)
    for name, kind in KINDS.items():
        for participant, answer in rows_of_role(columns, "main", name, ("session_id", kind.columns[0].name)):
            answers_of[participant].append((name, answer))
    return answers_of


def same_votes(columns: Columns) -> list[SameVote]:
    """Returns the votes about pairs of one stack; two sides with equal metrics count as one take."""
    fields = ("session_id", "network", "left_stack", "choice", *_sides())
    return [
        SameVote(session, network, stack, choice, one_take=_same(values))
        for session, network, stack, choice, *values in rows_of_role(columns, "identical", "compare", fields)
    ]


def _sides() -> list[str]:
    return [f"{side}_{METRIC_OF[key].field}" for key in ("fvc", "si", "vc85", "lvc") for side in ("left", "right")]


def _same(values: Sequence[Any]) -> bool | None:
    """Two runs of a stack never have the same four metrics to the last digit."""
    pairs = [(left, right) for left, right in zip(values[::2], values[1::2], strict=True)]
    if any(left is None or right is None for left, right in pairs):
        return None
    return all(left == right for left, right in pairs)


def side_votes(columns: Columns) -> Iterator[tuple[str, list[SideVote]]]:
    """Yields, by label, the answers to pairs with the values of each metric that any of them has."""
    for key in KEYS:
        field = METRIC_OF[key].field
        fields = ("session_id", "clip_sha256", "network", f"left_{field}", f"right_{field}", "choice")
        votes = [SideVote(*row) for row in rows_of_role(columns, "main", "compare", fields)]
        if any(vote.left is not None for vote in votes):
            yield LABELS[key], votes


def group_of(columns: Columns) -> dict[str, str]:
    """Returns the group of each participant; participants of unknown groups are omitted."""
    pairs = zip(columns["session_id"], columns.get("group", [None] * len(columns["session_id"])), strict=True)
    return {session: group for session, group in pairs if group}
