"""Read a study's votes, sessions and exclusions from the database, all at one moment."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from analysis.models import AnalysisState
from analysis.verdicts import verdict_row
from conformance.rows import judged_sessions
from conformance.waiting import why_left_out, without_verdict
from eyelevel_contracts.columns import export_columns
from ratings.models import Exclusion, Session, Vote

Row = tuple[Any, ...]
METRICS = ("fvc_ms", "si_ms", "vc85_ms", "lvc_ms", "plt_ms")
UNKNOWN: Row = (None,) * len(METRICS)
OWN = (
    *("id", "session_id", "study_id", "kind", "kind_version", "position", "context", "stacks", "clip_sha256"),
    *("data", "replays", "answer_ms", "received_at"),
)
CLIP = "trial__stimulus__clip__"
OF_CLIP = (
    *(f"{CLIP}site", f"{CLIP}network"),
    *(f"{CLIP}take__{name}" for name in METRICS),
    *(f"{CLIP}right_take__{name}" for name in METRICS),
)
RECEIVED_AT = [column.name for column in export_columns()].index("received_at")


@dataclass(frozen=True)
class Rows:
    """Rows in the order of the columns in `analysis.columns`, sorted, so that the same votes are the same rows."""

    votes: list[Row]
    sessions: list[Row]
    exclusions: list[Row]
    verdicts: list[Row]
    # how many erasures there had been in the study
    erasures: int


def read(study_sha256: str) -> Rows:
    """All that an analysis of the study reads, in one REPEATABLE READ, read-only transaction."""
    with _one_moment():
        votes = sorted(_votes(study_sha256), key=lambda row: (row[RECEIVED_AT], row[0]))
        sessions = sorted(_sessions(study_sha256))
        excluded = Exclusion.objects.filter(session__fielding__study=study_sha256).values_list("session_id", "rule")
        waiting = [
            (session.id, why_left_out(session)) for session in without_verdict().filter(fielding__study=study_sha256)
        ]
        exclusions = sorted((str(session), rule) for session, rule in [*excluded, *waiting])
        verdicts = sorted(map(verdict_row, judged_sessions(study_sha256)), key=str)
        state = AnalysisState.objects.filter(study=study_sha256).first()
    return Rows(
        votes=votes,
        sessions=sessions,
        exclusions=exclusions,
        verdicts=verdicts,
        erasures=state.erasures if state else 0,
    )


@contextmanager
def _one_moment() -> Iterator[None]:
    if connection.in_atomic_block:
        raise RuntimeError("a snapshot needs a transaction of its own")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _votes(study_sha256: str) -> Iterator[Row]:
    found = Vote.objects.filter(study=study_sha256).values_list(*OWN, "session__language", *OF_CLIP)
    for own in found.iterator(chunk_size=5000):
        yield _vote_row(*own)


def _vote_row(  # noqa: PLR0917 - one argument per column of the query
    vote_id: UUID,
    session_id: UUID,
    study: str,
    kind: str,
    kind_version: int,
    position: int,
    context: str,
    stacks: list[str],
    clip_sha256: str,
    data: dict[str, Any],
    replays: int,
    answer_ms: float,
    received_at: datetime,
    language: str,
    site: str,
    network: str,
    *metrics: float | None,
) -> Row:
    is_pair = len(stacks) == 2
    left, right = metrics[: len(METRICS)], metrics[len(METRICS) :]
    return (
        *(str(vote_id), str(session_id), study, kind, kind_version, position, context, site, network),
        *((None, *stacks) if is_pair else (stacks[0], None, None)),
        *(clip_sha256, data.get("score"), data.get("choice"), data.get("sureness"), replays, answer_ms),
        *(language, received_at),
        *(UNKNOWN + left + right if is_pair else left + UNKNOWN + UNKNOWN),
    )


def _sessions(study_sha256: str) -> Iterator[Row]:
    """Those with a vote; whether a session is finished is left out, as finishing changes no vote."""
    found = Session.objects.filter(votes__study=study_sha256, votes__erased_at=None).distinct()
    for session in found.select_related("person"):
        person = getattr(session, "person", None)
        yield (
            str(session.id),
            session.language,
            session.screen_width_px,
            session.screen_height_px,
            session.device_pixel_ratio,
            session.started_at,
            None if person is None else json.dumps(person.answers, sort_keys=True, ensure_ascii=False),
        )
