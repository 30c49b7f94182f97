"""Plays of a study, with their playback telemetry, in the columns of an export."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.fields.json import KT

from analysis.snapshots.copying import copied
from analysis.snapshots.parquet import TYPES, schema_of
from analysis.snapshots.verdicts import yes_or_no
from analysis.snapshots.votes import sorted_json
from eyelevel_core.contracts.columns import play_columns
from eyelevel_stats.conformance import Spell, covered_ms
from ratings.models import Play, Vote

# column of an export <- field of a play
OWN = {
    "play_id": "id",
    "session_id": "trial__session_id",
    "study_sha256": "trial__session__fielding__study_id",
    "position": "trial__position",
    "role": "trial__role",
    "trial_kind": "trial__kind",
    "clip_sha256": "trial__stimulus__clip__sha256",
    "group": "trial__session__fielding__group",
    "origin": "trial__session__origin",
    "replay": "replay",
    "started_at": "started_at",
    "ended_at": "ended_at",
    "received_at": "received_at",
    "frames_presented": "frames_presented",
    "frames_dropped": "frames_dropped",
}
EVIDENCE = "evidence"
SPELLS = ("stalls", "hidden", "unfocused", "pauses")
WINDOWS = [f"{thing}_{name}" for thing in ("window", "screen") for name in ("width_px", "height_px")]
# column <- path in the evidence
OF_EVIDENCE = {
    "evidence_version": "version",
    **{
        name: name
        for name in (
            *("complete", "off_speed", "frame_callback", "media_ms", "wall_ms", "off_speed_ms", "device_pixel_ratio"),
            *("zoom", "refresh_hz"),
        )
    },
    **{f"shown_{name}": f"shown__{name}" for name in ("width_px", "height_px", "scale", "device_scale")},
    **{name: name.replace("_", "__", 1) for name in WINDOWS},
}
# integers of the evidence
WHOLE = [*WINDOWS, "evidence_version"]
YES_OR_NO = ("complete", "off_speed", "frame_callback")
COLUMNS = {column.name: column for column in play_columns()}
SCHEMA = schema_of(play_columns())


def plays_of(study_sha256: str) -> QuerySet[Play]:
    """All plays of the sessions with a vote; a session without one is only in the file of verdicts."""
    voted = Exists(Vote.objects.filter(session=OuterRef("trial__session")))
    return Play.objects.filter(voted, trial__session__fielding__study=study_sha256)


def play_batches(plays: QuerySet[Play]) -> Iterator[pa.RecordBatch]:
    """Yields these plays in the order of their arrival."""
    spells = {f"evidence_{name}": KT(f"evidence__{name}") for name in SPELLS}
    rows = plays.annotate(**spells).order_by("received_at", "id").values_list(*OWN.values(), *spells, "evidence")
    types = {name: TYPES[COLUMNS[name].type] for name in (*OWN, *SPELLS)} | {"replay": pa.bool_()}
    for batch in copied(rows, types | {EVIDENCE: pa.string()}):
        columns = {name: batch.column(name) for name in types} | _of_evidence(batch.column(EVIDENCE))
        for name in ("replay", *YES_OR_NO):
            columns[name] = pc.if_else(columns[name], yes_or_no(True), yes_or_no(False))
        for name in WHOLE:
            columns[name] = pc.cast(pc.trunc(columns[name]), pa.int64())
        columns["stall_count"] = _of_each(columns["stalls"], lambda text: len(json.loads(text)), pa.int64())
        columns["longest_stall_ms"] = _of_each(columns["stalls"], _longest_ms, pa.float64())
        both = pc.binary_join_element_wise(columns["hidden"], columns["unfocused"], "\n")
        columns["away_ms"] = _of_each(both, _away_ms, pa.float64())
        columns |= {name: sorted_json(columns[name]) for name in SPELLS}
        yield pa.RecordBatch.from_arrays([columns[name] for name in COLUMNS], schema=SCHEMA)


def _of_evidence(texts: pa.Array) -> dict[str, pa.Array]:
    """The columns of OF_EVIDENCE; null if there is no evidence. To look each up in PostgreSQL takes twice as long."""
    lines = pa.ListArray.from_arrays([0, len(texts)], pc.fill_null(texts, "{}"))
    parsed = pyarrow.json.read_json(
        pa.BufferReader(pc.binary_join(lines, "\n")[0].as_buffer()),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=_form(), unexpected_field_behavior="ignore"),
    ).combine_chunks()
    return {name: _at(parsed, path.split("__")) for name, path in OF_EVIDENCE.items()}


@cache
def _form() -> pa.Schema:
    """The schema of the evidence, as far as columns need it."""
    fields: dict[str, Any] = {}
    for name, path in OF_EVIDENCE.items():
        outer, _, inner = path.partition("__")
        field = pa.field(inner or outer, _type_in_evidence(name))
        fields[outer] = [*fields.get(outer, ()), field] if inner else field
    return pa.schema([pa.field(outer, pa.struct(of)) if isinstance(of, list) else of for outer, of in fields.items()])


def _type_in_evidence(name: str) -> pa.DataType:
    if name in YES_OR_NO:
        return pa.bool_()
    # an integer may be written as 1.0, and fractions of a pixel are truncated
    return pa.float64() if name in WHOLE else TYPES[COLUMNS[name].type]


def _at(table: pa.Table, path: Sequence[str]) -> pa.Array:
    outer, *inner = path
    column = table.column(outer).combine_chunks()
    return pc.struct_field(column, inner) if inner else column


def _of_each(texts: pa.Array, value_of: Callable[[str], float], value_type: pa.DataType) -> pa.Array:
    """Apply a function to each text, once for equal texts; null stays null."""
    encoded = texts.dictionary_encode()
    return pc.take(pa.array(map(value_of, encoded.dictionary.to_pylist()), value_type), encoded.indices)


def _longest_ms(stalls: str) -> float:
    return float(max((stall["ms"] for stall in json.loads(stalls)), default=0))


def _away_ms(hidden_and_unfocused: str) -> float:
    hidden, unfocused = map(json.loads, hidden_and_unfocused.split("\n"))
    return float(covered_ms(_spells(hidden) + _spells(unfocused)))


def _spells(stored: list[Mapping[str, float]]) -> tuple[Spell, ...]:
    return tuple(Spell(at_ms=spell["at_ms"], ms=spell["ms"]) for spell in stored)
