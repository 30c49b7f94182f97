"""The votes about each clip: counts of each answer, and their mean."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from eyelevel_kinds import KINDS
from eyelevel_kinds.shape import TrialKind
from eyelevel_stats.columns import Columns
from eyelevel_stats.opinion import Opinion, opinions
from eyelevel_stats.rows.study import AnswerCount, ClipVotesRow
from eyelevel_stats.votes import rows_of_role

# training and repeats are not further opinions about the clip
ROLES = ("main", "identical", "control")
# answers of scales with more values, such as the positions of a slider, are not listed one by one
MOST_ANSWERS = 20


def clip_votes(columns: Columns) -> dict[str, tuple[ClipVotesRow, ...]]:
    """Returns, by the clip's digest, a row per role and kind in which the clip has votes.

    `columns` are those of the contract export-columns, with the rows of the sessions that are used.
    """
    rows_of: defaultdict[str, list[ClipVotesRow]] = defaultdict(list)
    for role in ROLES:
        for kind in KINDS.values():
            for clip, row in _rows(columns, kind=kind, role=role):
                rows_of[clip].append(row)
    return {clip: tuple(rows) for clip, rows in sorted(rows_of.items())}


def _rows(columns: Columns, *, kind: TrialKind, role: str) -> Iterator[tuple[str, ClipVotesRow]]:
    """Yields the row of each clip with votes of this kind in this role."""
    votes = list(rows_of_role(columns, role, kind.name, ("clip_sha256", "session_id", kind.columns[0].name)))
    clips, sessions, answers = ([vote[place] for vote in votes] for place in range(3))
    means = {} if kind.scale is None else opinions(clips, sessions, answers, scale=kind.scale)
    people: defaultdict[str, set[str]] = defaultdict(set)
    counts: defaultdict[str, Counter[Any]] = defaultdict(Counter)
    for clip, session, answer in votes:
        people[clip].add(session)
        counts[clip][answer] += 1
    for clip, counted in counts.items():
        yield clip, row_of(kind, role, len(people[clip]), counted, means.get(clip))


def row_of(kind: TrialKind, role: str, participants: int, answers: Counter[Any], mean: Opinion | None) -> ClipVotesRow:
    """Builds the row of a clip's votes of a kind in a role; `answers` counts them, `mean` is that of participants."""
    return ClipVotesRow(
        kind=kind.name,
        role=role,
        n=participants,
        votes=answers.total(),
        mean=None if mean is None else mean.mos,
        ci_low=None if mean is None else mean.ci_low,
        ci_high=None if mean is None else mean.ci_high,
        answers=tuple(AnswerCount(str(answer), answers[answer]) for answer in _listed(kind)),
    )


def _listed(kind: TrialKind) -> Sequence[Any]:
    """Returns the answers that are counted one by one; none on a scale with more than MOST_ANSWERS."""
    if kind.scale is None:
        return ("left", "none", "right")
    if kind.columns[0].type == "integer" and kind.scale[1] - kind.scale[0] < MOST_ANSWERS:
        return range(int(kind.scale[0]), int(kind.scale[1]) + 1)
    return ()
