"""Exports for the tests of `eyelevel analyse`: votes as rows, votes.csv, study.json and manifest.json."""

import json
from pathlib import Path
from uuid import UUID

from eyelevel.study.clips_of_batch import read_batch
from eyelevel_core.assignment.freeze import freeze
from eyelevel_core.assignment.selection import select_for
from eyelevel_core.contracts import canonical_json
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.study.file import read_study_file
from eyelevel_core.tables import csv_text

REPOSITORY = Path(__file__).resolve().parents[3]
NAMES = [column.name for column in export_columns()]
STUDY = "5" * 64


def rate(number: int, *, participant: int, stack: str, score: int, **changes: object) -> dict[str, object]:
    return {
        "vote_id": UUID(int=number),
        "session_id": UUID(int=1000 + participant),
        "study_sha256": STUDY,
        "trial_kind": "rate",
        "trial_kind_version": 2,
        "position": 1,
        "context": "work",
        "site": "garden",
        "network": "DSL",
        "stack": stack,
        "clip_sha256": ("a" if stack == "QUIC" else "b") * 64,
        "score": score,
        "replays": 0,
        "answer_ms": 1234.5,
        "language": "en",
        "received_at": "2026-01-02T03:04:05Z",
        "si_ms": 800 if stack == "QUIC" else 1200.5,
        **changes,
    }


def compare(number: int, *, participant: int, choice: str) -> dict[str, object]:
    fields = rate(number, participant=participant, stack="", score=0, trial_kind="compare", si_ms=None)
    return {
        **fields,
        "score": None,
        "stack": None,
        "left_stack": "TCP+",
        "right_stack": "QUIC",
        "choice": choice,
        "sureness": 4,
    }


VOTES = [
    rate(1, participant=1, stack="QUIC", score=6),
    rate(2, participant=2, stack="QUIC", score=4),
    rate(3, participant=1, stack="TCP+", score=2),
    compare(4, participant=1, choice="right"),
]


def text_of(votes: list[dict[str, object]]) -> str:
    return csv_text(NAMES, ([vote.get(name) for name in NAMES] for vote in votes))


PLAN = """
plan:
  hypotheses:
    - key: H1
      says: QUIC is rated higher than TCP+.
      kind: rate
      pair: [TCP+, QUIC]
      networks: pooled
      expects: higher
"""


def frozen(plan: str) -> bytes:
    """study.json of the demo with this plan."""
    batch = read_batch(REPOSITORY / "fixtures" / "sample-batch")
    text = (REPOSITORY / "fixtures" / "study-demo.yaml").read_text(encoding="utf-8").partition("\nplan:")[0] + plan
    file = read_study_file(text, source="study-demo.yaml")
    return canonical_json(freeze(file, select_for(file, list(batch.clips)), batch=batch.sha256))


def in_the_field(folder: Path, votes: list[dict[str, object]], *, plan: str) -> Path:
    """An export of a study that was in the field."""
    folder.mkdir(exist_ok=True)
    manifest: dict[str, object] = {"contract": "eyelevel/export/1", "study_sha256": STUDY, "snapshot_sha256": "2" * 64}
    manifest |= {"method_version": 7, "origin": "all", "collecting": True, "files": {}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "votes.csv").write_text(text_of(votes), newline="")
    (folder / "study.json").write_bytes(frozen(plan))
    return folder
