"""The clips of a batch's folder."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.assignment.selection import Candidate
from eyelevel_core.contracts import check, sha256_of_bytes


@dataclass(frozen=True)
class Batch:
    sha256: str
    campaign: str
    clips: Sequence[Candidate]


def read_batch(folder: Path) -> Batch:
    """The batch in a folder; raises BadInputError or ContractError."""
    path = folder / "manifest.json"
    try:
        data = path.read_bytes()
        manifest = json.loads(data)
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}); name the folder of a batch.") from error
    except ValueError as error:
        raise BadInputError(f"{path} is no JSON: {error}.") from error
    check(manifest, "batch.1", source=str(path))
    clips = [_candidate(clip) for clip in manifest["clips"] if clip.get("audience", "participant") == "participant"]
    return Batch(sha256_of_bytes(data), manifest["campaign"]["name"], clips)


def _candidate(clip: Mapping[str, Any]) -> Candidate:
    return Candidate(
        sha256=clip["sha256"],
        kind=clip["kind"],
        site=clip["site"],
        network=clip["network"],
        run=clip["run"],
        stacks=tuple(clip["stacks"]),
        takes=tuple(clip["takes"]),
        duration_ms=clip["duration_ms"],
        purpose=clip.get("purpose", "study"),
        role=clip.get("role"),
    )
