"""Plays of a study, with their playback telemetry, in the columns of an export."""

import json
from collections.abc import Callable, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc
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
SPELLS = ("stalls", "hidden", "unfocused", "pauses")
WINDOWS = [f"{thing}_{name}" for thing in ("window", "screen") for name in ("width_px", "height_px")]
# column <- path in the evidence
OF_EVIDENCE = {
    "evidence_version": "version",
    **{
        name: name
        for name in (
            *("complete", "off_speed", "frame_callback", "media_ms", "wall_ms", "off_speed_ms", "device_pixel_ratio"),
            *("zoom", "refresh_hz", *SPELLS),
        )
    },
    **{f"shown_{name}": f"shown__{name}" for name in ("width_px", "height_px", "scale", "device_scale")},
    **{name: name.replace("_", "__", 1) for name in WINDOWS},
}
# integers of the evidence
WHOLE = [*WINDOWS, "evidence_version"]
COLUMNS = {column.name: column for column in play_columns()}
SCHEMA = schema_of(play_columns())


def plays_of(study_sha256: str) -> QuerySet[Play]:
    """All plays of the sessions with a vote; a session without one is only in the file of verdicts."""
    voted = Exists(Vote.objects.filter(session=OuterRef("trial__session")))
    return Play.objects.filter(voted, trial__session__fielding__study=study_sha256)


def play_batches(plays: QuerySet[Play]) -> Iterator[pa.RecordBatch]:
    """Yields these plays in the order of their arrival."""
    reported = {f"evidence_{name}": KT(f"evidence__{path}") for name, path in OF_EVIDENCE.items()}
    rows = plays.annotate(**reported).order_by("received_at", "id").values_list(*OWN.values(), *reported)
    types = {name: TYPES[COLUMNS[name].type] for name in (*OWN, *OF_EVIDENCE)}
    # an integer may be written as 1.0, and fractions of a pixel are truncated
    types |= {"replay": pa.bool_(), **dict.fromkeys(WHOLE, pa.float64())}
    for batch in copied(rows, types):
        columns = {name: batch.column(name) for name in types}
        columns["replay"] = pc.if_else(columns["replay"], yes_or_no(True), yes_or_no(False))
        for name in ("complete", "off_speed", "frame_callback"):
            columns[name] = pc.if_else(pc.equal(columns[name], "true"), yes_or_no(True), yes_or_no(False))
        for name in WHOLE:
            columns[name] = pc.cast(pc.trunc(columns[name]), pa.int64())
        columns["stall_count"] = _of_each(columns["stalls"], lambda text: len(json.loads(text)), pa.int64())
        columns["longest_stall_ms"] = _of_each(columns["stalls"], _longest_ms, pa.float64())
        both = pc.binary_join_element_wise(columns["hidden"], columns["unfocused"], "\n")
        columns["away_ms"] = _of_each(both, _away_ms, pa.float64())
        columns |= {name: sorted_json(columns[name]) for name in SPELLS}
        yield pa.RecordBatch.from_arrays([columns[name] for name in COLUMNS], schema=SCHEMA)


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
