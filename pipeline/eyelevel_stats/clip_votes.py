"""The votes about one clip: how many people answered what, and their mean."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel_kinds import KINDS
from eyelevel_kinds.shape import TrialKind
from eyelevel_stats.opinion import opinions

# practice and second askings are no further opinions about the clip
ROLES = ("main", "identical", "control")
# more answers than these are no list that a person reads, such as the places of a slider
MOST_ANSWERS = 20


@dataclass(frozen=True)
class AnswerCount:
    """`answer` as an export writes it: a score, or left, right or none."""

    answer: str
    votes: int


@dataclass(frozen=True)
class ClipVotesRow:
    """The votes about a clip of one kind of trial in one role; n counts participants.

    `mean` with its 95 % interval (Student's t over participants, cut at the ends of the scale) is in the unit of the
    kind's scale; None where answers are words. `answers` has a row per answer of the scale, also where nobody gave it;
    it is empty where a scale has more than MOST_ANSWERS.
    """

    kind: str
    role: str
    n: int
    votes: int
    mean: float | None
    ci_low: float | None
    ci_high: float | None
    answers: tuple[AnswerCount, ...]


def clip_votes(columns: Mapping[str, Sequence[Any]]) -> tuple[ClipVotesRow, ...]:
    """A row per kind and role, in their order.

    `columns` are those of the contract export-columns, with the rows of one clip and of the sessions that are used.
    """
    return tuple(
        _row(kind, role, found)
        for role in ROLES
        for kind in KINDS.values()
        if (found := list(_answers(columns, kind=kind, role=role)))
    )


def _answers(columns: Mapping[str, Sequence[Any]], *, kind: TrialKind, role: str) -> Iterable[tuple[str, Any]]:
    names = ("role", "trial_kind", "session_id", kind.columns[0].name)
    rows = zip(*(columns[name] for name in names), strict=True)
    return ((session, answer) for own, name, session, answer in rows if (own, name) == (role, kind.name))


def _row(kind: TrialKind, role: str, found: Sequence[tuple[str, Any]]) -> ClipVotesRow:
    sessions, answers = [session for session, _ in found], [answer for _, answer in found]
    own = None
    if kind.scale is not None:
        own = opinions([role] * len(found), sessions, answers, scale=kind.scale)[role]
    return ClipVotesRow(
        kind=kind.name,
        role=role,
        n=len(set(sessions)),
        votes=len(found),
        mean=None if own is None else own.mos,
        ci_low=None if own is None else own.ci_low,
        ci_high=None if own is None else own.ci_high,
        answers=_counts(kind, answers),
    )


def _counts(kind: TrialKind, answers: Sequence[Any]) -> tuple[AnswerCount, ...]:
    if kind.scale is None:
        named: Sequence[Any] = ("left", "none", "right")
    elif kind.columns[0].type == "integer" and kind.scale[1] - kind.scale[0] < MOST_ANSWERS:
        named = range(int(kind.scale[0]), int(kind.scale[1]) + 1)
    else:
        return ()
    counted = Counter(answers)
    return tuple(AnswerCount(str(answer), counted[answer]) for answer in named)
