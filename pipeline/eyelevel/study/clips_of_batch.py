"""Reads the clips of a batch folder that participants may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.assignment.clip import Clip
from eyelevel_core.contracts import check, parse_json, sha256_of_bytes


@dataclass(frozen=True)
class Batch:
    """A batch by the digest of its manifest, with the name of its campaign.

    `sizes` has width and height in pixels by the digest of a clip.
    """

    sha256: str
    campaign: str
    clips: Sequence[Clip]
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def read_batch(folder: Path) -> Batch:
    """The batch in a folder; raises BadInputError or ContractError."""
    path = folder / "manifest.json"
    try:
        data = path.read_bytes()
        manifest = parse_json(data)
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror}); give the folder of a batch.") from error
    except ValueError as error:
        raise BadInputError(f"{path} is not JSON: {error}.") from error
    check(manifest, "batch.1", source=str(path))
    si_ms = {take["digest"]: take["metrics"]["si_ms"] for take in manifest["takes"]}
    clips = [_clip(clip, si_ms) for clip in manifest["clips"] if clip.get("audience", "participant") == "participant"]
    sizes = {clip["sha256"]: (clip["width_px"], clip["height_px"]) for clip in manifest["clips"]}
    return Batch(sha256_of_bytes(data), manifest["campaign"]["name"], clips, sizes)


def _clip(clip: Mapping[str, Any], si_ms: Mapping[str, float | None]) -> Clip:
    return Clip(
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
        si_ms=tuple(si_ms.get(take) for take in clip["takes"]),
        delays_ms=tuple(clip.get("delays_ms", ())),
        moving=clip.get("moving"),
    )
