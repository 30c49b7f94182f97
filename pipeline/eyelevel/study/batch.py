"""The clips of a batch, and which of them a block of trials shows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_contracts import check, sha256_of_bytes
from eyelevel_kinds import KINDS


@dataclass(frozen=True)
class Clip:
    """A clip for participants; `stacks` are left, then right for a pair, `purpose` is study, identical or control."""

    sha256: str
    kind: str
    purpose: str
    site: str
    network: str
    stacks: tuple[str, ...]
    medoid: bool
    duration_ms: float

    @property
    def arm(self) -> str:
        """What is asked about: a stack, or the two of a pair in either order."""
        return " / ".join(sorted(self.stacks))


@dataclass(frozen=True)
class Batch:
    sha256: str
    campaign: str
    clips: Sequence[Clip]


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
    clips = [_clip(clip) for clip in manifest["clips"] if clip.get("audience", "participant") == "participant"]
    return Batch(sha256_of_bytes(data), manifest["campaign"]["name"], clips)


def shown(block: Mapping[str, Any], networks: Sequence[str], clips: Sequence[Clip]) -> list[Clip]:
    """The clips that the main trials of a written-out block show in a context with these networks."""
    return [clip for clip in clips if clip.network in networks and _wanted(block, clip)]


def _wanted(block: Mapping[str, Any], clip: Clip) -> bool:
    kind = KINDS[block["kind"]]
    if clip.purpose != "study" or clip.kind != kind.clip_kind or (block["clips"] == "medoid" and not clip.medoid):
        return False
    if clip.network not in block.get("networks", [clip.network]) or clip.site not in block.get("sites", [clip.site]):
        return False
    return kind.chooses(block, clip.stacks)


def _clip(clip: Mapping[str, Any]) -> Clip:
    return Clip(
        sha256=clip["sha256"],
        kind=clip["kind"],
        purpose=clip.get("purpose", "study"),
        site=clip["site"],
        network=clip["network"],
        stacks=tuple(clip["stacks"]),
        # a batch from before there were roles shows one run of each setting
        medoid=clip.get("role", "medoid") == "medoid",
        duration_ms=clip["duration_ms"],
    )
