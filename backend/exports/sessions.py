"""The file sessions.csv: a row per used session, with a column for each question about the person."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.snapshots.columns import SESSIONS, VERDICTS
from eyelevel_core.study.design import Design
from eyelevel_core.tables import Column
from eyelevel_kinds import KINDS
from eyelevel_stats.conformance import RULES, broken_column
from eyelevel_stats.straight_lining import same_answer_share

SESSIONS_CSV = "sessions.csv"
# columns of votes and plays from which the file is computed
OF_VOTES = ("session_id", "role", "trial_kind", *dict.fromkeys(kind.columns[0].name for kind in KINDS.values()))
OF_PLAYS = ("session_id", "off_speed", "off_speed_ms", "stall_count", "frames_dropped")
PERSON, CONTROL = "person_", "control_"
Columns = Mapping[str, Sequence[Any]]
AS_STORED = (
    *("session_id", "group", "origin", "language", "started_at", "completed_at"),
    *("screen_width_px", "screen_height_px", "device_pixel_ratio", "skipped_controls"),
)
OF_VERDICT = ("accepted", *map(broken_column, RULES), "reasons")
SENSITIVITY = (
    Column(
        "same_answer_share",
        "number",
        None,
        "share of the main answers that equal the most frequent one of their kind; straight-lining; excludes nobody",
    ),
    Column("plays", "integer", None, "plays of the session"),
    Column("plays_off_speed", "integer", None, "plays off true speed by more than a frame; excludes nobody"),
    Column("plays_speed_unknown", "integer", None, "plays whose speed is unknown: the browser reported too few frames"),
    Column("plays_stalled", "integer", None, "plays with a stall of any length; R2 considers only long ones"),
    Column("plays_dropped", "integer", None, "plays with dropped frames; excludes nobody"),
)


def session_columns(design: Design) -> tuple[Column, ...]:
    """The columns of sessions.csv in a study with these questions."""
    stored = {column.name: column for column in (*VERDICTS, *SESSIONS)}
    return (
        *(stored[name] for name in AS_STORED),
        Column("duration_s", "number", "s", "time from consent to completion, by the server's clock"),
        Column("votes", "integer", None, "votes of the session, training included"),
        *(
            Column(
                PERSON + question.key,
                "string",
                None,
                "key of the choice in a question about the person; empty: no answer",
            )
            for question in design.questions
        ),
        *(
            Column(
                CONTROL + question.key,
                "string",
                None,
                f"key of the choice in a control question; the right one is {question.right}",
            )
            for question in design.controls.questions
        ),
        *(stored[name] for name in OF_VERDICT),
        *SENSITIVITY,
    )


def session_rows(
    sessions: Columns, verdicts: Columns, votes: Columns, plays: Columns, design: Design
) -> Iterator[dict[str, Any]]:
    """Yields a row per session that has one of these votes, by column; all arguments are columns as in snapshots."""
    verdict_of = dict(zip(verdicts["session_id"], _rows(verdicts), strict=True))
    given = Counter(votes["session_id"])
    answers, watched = _answers(votes), _watched(plays)
    for row in _rows(sessions):
        session = row["session_id"]
        if session not in given:
            continue
        person, control = json.loads(row["answers"] or "{}"), json.loads(row["control_answers"] or "{}")
        yield {
            **{name: row[name] for name in AS_STORED},
            "duration_s": (row["completed_at"] - row["started_at"]).total_seconds(),
            "votes": given[session],
            **{PERSON + question.key: person.get(question.key) for question in design.questions},
            **{CONTROL + question.key: control.get(question.key) for question in design.controls.questions},
            **{name: verdict_of[session][name] for name in OF_VERDICT},
            "same_answer_share": same_answer_share(answers[session]),
            **{name: watched[session][name] for name in (column.name for column in SENSITIVITY[1:])},
        }


def _answers(votes: Columns) -> dict[str, list[tuple[str, Any]]]:
    """The main answers of each session, with their kinds."""
    answers: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    answer_of = {name: votes[kind.columns[0].name] for name, kind in KINDS.items()}
    places = zip(votes["session_id"], votes["role"], votes["trial_kind"], strict=True)
    for number, (session, role, kind) in enumerate(places):
        if role == "main":
            answers[session].append((kind, answer_of[kind][number]))
    return answers


def _watched(plays: Columns) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for session, off, off_ms, stalls, dropped in zip(*(plays[name] for name in OF_PLAYS), strict=True):
        counts[session].update(
            plays=1,
            plays_off_speed=int(off == "yes"),
            plays_speed_unknown=int(off_ms is None),
            plays_stalled=int((stalls or 0) > 0),
            plays_dropped=int((dropped or 0) > 0),
        )
    return counts


def _rows(columns: Columns) -> Iterator[dict[str, Any]]:
    return (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
