"""Reads a study's votes, plays, sessions and exclusions from the database in one consistent transaction."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count

from analysis.models import AnalysisState
from analysis.snapshots import plays
from analysis.snapshots.verdicts import verdict_row
from conformance.exclusions import exclusions_of
from conformance.models import Verdict
from conformance.queries import judged_sessions
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.model.censoring import final, until
from eyelevel_core.model.metrics import CLIP_FIELDS, MetricValues
from eyelevel_kinds import KINDS
from ratings.models import Session, Trial, TrialRole, Vote

Row = tuple[Any, ...]
# has to be the first statement of its transaction
ISOLATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
# column of an export <- field of a vote
OWN = {
    "vote_id": "id",
    "session_id": "session_id",
    "study_sha256": "study_id",
    "trial_kind": "kind",
    "trial_kind_version": "kind_version",
    "position": "position",
    "context": "context",
    "site": "trial__stimulus__clip__site",
    "network": "trial__stimulus__clip__network",
    "clip_sha256": "clip_sha256",
    "replays": "replays",
    "answer_ms": "answer_ms",
    "language": "session__language",
    "received_at": "received_at",
    "role": "role",
    "repeats_position": "trial__repeats_position",
    "previous_clip_sha256": "previous_clip_sha256",
    "media_ms": "media_ms",
    "group": "session__fielding__group",
    "origin": "session__origin",
    "answered_at": "answered_at",
    "layout": "layout",
    "block": "trial__stimulus__block",
    "start_ms": "trial__stimulus__clip__start_ms",
    "duration_ms": "trial__stimulus__clip__duration_ms",
    "clip_sent_at": "trial__clip_sent_at",
}
TAKES = ("trial__stimulus__clip__take__", "trial__stimulus__clip__right_take__")
OF_TAKE = ("metrics", "outcome")
OF_TAKES = tuple(f"{take}{name}" for take in TAKES for name in OF_TAKE)
# what decides about a clip's metrics
SHOWN = ("delays_ms", "cut", "moving", "metrics", "start_ms", "duration_ms", "frame_rate")
NAMES = [column.name for column in export_columns()]
RECEIVED_AT = NAMES.index("received_at")


@dataclass(frozen=True)
class Rows:
    """Rows in the order of the columns of `columns`, sorted, so that the same votes are the same rows."""

    votes: list[Row]
    sessions: list[Row]
    exclusions: list[Row]
    verdicts: list[Row]
    plays: list[Row]
    # how many verdicts had been given in the study, and how many erasures there had been
    verdicts_given: int
    erasures: int


def read(study_sha256: str) -> Rows:
    """All that an analysis of the study reads, in one REPEATABLE READ, read-only transaction."""
    with _one_moment():
        votes = sorted(_votes(study_sha256), key=lambda row: (row[RECEIVED_AT], row[0]))
        sessions = sorted(_sessions(study_sha256))
        exclusions = sorted((str(session), reason) for session, reason in exclusions_of(study_sha256))
        verdicts = sorted(map(verdict_row, judged_sessions(study_sha256)), key=str)
        played = sorted(plays.play_rows(study_sha256), key=lambda row: (row[plays.RECEIVED_AT], row[0]))
        verdicts_given = Verdict.objects.filter(session__fielding__study=study_sha256).count()
        state = AnalysisState.objects.filter(study=study_sha256).first()
    return Rows(
        votes=votes,
        sessions=sessions,
        exclusions=exclusions,
        verdicts=verdicts,
        plays=played,
        verdicts_given=verdicts_given,
        erasures=state.erasures if state else 0,
    )


@contextmanager
def _one_moment() -> Iterator[None]:
    # durable: not within another transaction, which the statement could not change any more
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(ISOLATE)
        yield


def _votes(study_sha256: str) -> Iterator[Row]:
    asked = ("stacks", "data", "away", *(f"trial__stimulus__clip__{name}" for name in SHOWN))
    found = Vote.objects.filter(study=study_sha256).values_list(*asked, *OWN.values(), *OF_TAKES)
    for stacks, data, away, *others in found.iterator(chunk_size=5000):
        clip, rest = dict(zip(SHOWN, others, strict=False)), others[len(SHOWN) :]
        own = dict(zip(OWN, rest, strict=False))
        answer = {column.name: data.get(column.name) for column in KINDS[own["trial_kind"]].columns}
        left, right = rest[len(OWN) : -len(OF_TAKE)], rest[-len(OF_TAKE) :]
        cells = own | answer | shown(stacks, (left, right)[: len(stacks)], clip)
        cells["away"] = None if away is None else _json(away)
        yield tuple(str(value) if isinstance(value, UUID) else value for value in map(cells.get, NAMES))


def shown(stacks: Sequence[str], takes: Iterable[tuple[MetricValues, str]], clip: Mapping[str, Any]) -> dict[str, Any]:
    """What was to be seen: one stack, its take's metrics and delay, or those of the left and of the right one.

    `takes` are the metrics and outcome of each.

    Metrics are unknown that were not final when a take ended, and of a clip that was cut those after its end.
    """
    sides = ("",) if len(stacks) == 1 else ("left_", "right_")
    cells: dict[str, Any] = {"cut": _yes_or_no(clip["cut"]), "moving": _yes_or_no(clip["moving"])}
    for place, (side, stack, (values, outcome)) in enumerate(zip(sides, stacks, takes, strict=True)):
        delay_ms = clip["delays_ms"][place] if clip["delays_ms"] else None
        settled = outcome == "settled"
        of_take = final(values, settled=settled)
        if clip["cut"]:
            start_ms = clip["start_ms"] + (delay_ms or 0)
            of_take = until(clip["duration_ms"] - 1000 / clip["frame_rate"] - start_ms, of_take)
        on_frames = clip["metrics"][place] if clip["metrics"] else {}
        own = {"stack": stack, "delay_ms": delay_ms, "settled": _yes_or_no(settled), **of_take}
        own |= {column: on_frames.get(name) for name, column in CLIP_FIELDS.items()}
        cells |= {f"{side}{name}": value for name, value in own.items()}
    return cells


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _sessions(study_sha256: str) -> Iterator[Row]:
    """Those with a vote."""
    found = Session.objects.filter(votes__study=study_sha256, votes__erased_at=None).distinct()
    skipped = Trial.objects.filter(session__fielding__study=study_sha256, role=TrialRole.CONTROL, skipped=True)
    skipped_of = dict(skipped.order_by().values_list("session").annotate(Count("pk")))
    for session in found.select_related("person", "fielding").prefetch_related("control_answers"):
        person = getattr(session, "person", None)
        chosen = {answer.key: answer.choice for answer in session.control_answers.all()}
        yield (
            str(session.id),
            session.language,
            session.screen_width_px,
            session.screen_height_px,
            session.device_pixel_ratio,
            session.started_at,
            None if person is None else _json(person.answers),
            session.fielding.group,
            session.origin,
            session.completed_at,
            _json(chosen) if chosen else None,
            skipped_of.get(session.id, 0),
        )


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
