"""Votes of a study, in the columns of an export."""

import json
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc
from django.db.models import QuerySet
from django.db.models.fields.json import KT

from analysis.snapshots.copying import copied
from analysis.snapshots.parquet import TYPES, schema_of
from analysis.snapshots.shown import clip_cells
from eyelevel_core.contracts.columns import export_columns
from eyelevel_kinds import KINDS
from ratings.models import Vote
from stimuli.models import Clip

# column of an export <- field of a vote
OWN = {
    "vote_id": "id",
    "session_id": "session_id",
    "study_sha256": "study_id",
    "trial_kind": "kind",
    "trial_kind_version": "kind_version",
    "position": "position",
    "context": "context",
    "clip_sha256": "clip_sha256",
    "replays": "replays",
    "answer_ms": "answer_ms",
    "language": "session__language",
    "received_at": "received_at",
    "role": "role",
    "repeats_position": "trial__repeats_position",
    "previous_clip_sha256": "previous_clip_sha256",
    "media_ms": "media_ms",
    "away": "away",
    "group": "session__fielding__group",
    "origin": "session__origin",
    "answered_at": "answered_at",
    "layout": "layout",
    "block": "trial__stimulus__block",
    "clip_sent_at": "trial__clip_sent_at",
}
ANSWERS = [column.name for column in dict.fromkeys(column for kind in KINDS.values() for column in kind.columns)]
CLIP = "clip"
COLUMNS = {column.name: column for column in export_columns()}
# columns of the clip, with one value for all votes about it
OF_CLIP = [name for name in COLUMNS if name not in OWN and name not in ANSWERS]
SCHEMA = schema_of(export_columns())


def votes_of(study_sha256: str) -> QuerySet[Vote]:
    return Vote.objects.filter(study=study_sha256)


def vote_batches(votes: QuerySet[Vote], clips: "Clips") -> Iterator[pa.RecordBatch]:
    """Yields these votes in the order of their arrival."""
    answers = {f"answer_{name}": KT(f"data__{name}") for name in ANSWERS}
    fields = (*OWN.values(), *answers, "trial__stimulus__clip")
    rows = votes.annotate(**answers).order_by("received_at", "id").values_list(*fields)
    types = {name: TYPES[COLUMNS[name].type] for name in (*OWN, *ANSWERS)}
    for batch in copied(rows, types | {CLIP: pa.int64()}):
        about = clips.rows(batch.column(CLIP))
        columns = {name: batch.column(name) for name in types} | dict(zip(OF_CLIP, about.columns, strict=True))
        columns["away"] = sorted_json(columns["away"])
        yield pa.RecordBatch.from_arrays([columns[name] for name in COLUMNS], schema=SCHEMA)


class Clips:
    """Columns that all votes about the same clip share, as Arrow columns, for the clips of a study."""

    def __init__(self, clips: Iterable[Clip]) -> None:
        shown = list(clips)
        self._number = {clip.pk: number for number, clip in enumerate(shown)}
        cells = [clip_cells(clip) for clip in shown]
        arrays = [pa.array([row.get(name) for row in cells], TYPES[COLUMNS[name].type]) for name in OF_CLIP]
        self._table = pa.RecordBatch.from_arrays(arrays, OF_CLIP)

    def rows(self, keys: pa.Array) -> pa.RecordBatch:
        """The row of each key."""
        encoded = keys.dictionary_encode()
        numbers = pa.array([self._number[key] for key in encoded.dictionary.to_pylist()], pa.int64())
        return self._table.take(pc.take(numbers, encoded.indices))


def sorted_json(texts: pa.Array) -> pa.Array:
    """JSON texts with sorted keys, as in files; PostgreSQL sorts keys by length. Equal texts are parsed once."""
    encoded = texts.dictionary_encode()
    values = [
        json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False) for text in encoded.dictionary.to_pylist()
    ]
    return pc.take(pa.array(values, pa.string()), encoded.indices)
