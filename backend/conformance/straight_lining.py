"""Straight-lining: similarity of each session's answers, for sensitivity analyses; excludes nobody."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from eyelevel_kinds import KINDS
from eyelevel_stats.straight_lining import same_answer_share
from ratings.models import TrialRole, Vote
from ratings.tombstones import living


def same_answer_shares(sessions: Collection[UUID]) -> dict[UUID, float | None]:
    """Share of equal answers per session, for those of these sessions that answered a main trial."""
    answers: dict[UUID, list[tuple[str, Any]]] = defaultdict(list)
    votes = Vote.objects.filter(session__in=sessions, role=TrialRole.MAIN)
    for session, kind, data in votes.values_list("session", "kind", "data"):
        answers[session].append((kind, living(data)[KINDS[kind].columns[0].name]))
    return {session: same_answer_share(given) for session, given in answers.items()}
