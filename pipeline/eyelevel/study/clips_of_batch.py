"""Reader of the clips of a batch folder that participants may see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.assignment.clip import Clip
from eyelevel_core.contracts import check, parse_json, sha256_of_bytes
from eyelevel_core.model.batch import Clip as ListedClip
from eyelevel_core.model.device import DESKTOP


@dataclass(frozen=True)
class Batch:
    """A batch: the digest of its manifest, the name of its campaign, and its clips.

    `sizes` has width and height of the page in CSS pixels, by the digest of the clip.
    """

    sha256: str
    campaign: str
    clips: Sequence[Clip]
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def read_batch(folder: Path) -> Batch:
    """Reads the batch in a folder; raises BadInputError or ContractError."""
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
    devices = {site["name"]: site.get("device", DESKTOP.name) for site in manifest["sites"]}
    shown = [clip for clip in manifest["clips"] if clip.get("audience", "participant") == "participant"]
    clips = [_clip(clip, si_ms, devices[clip["site"]]) for clip in shown]
    own_sizes = {clip["sha256"]: ListedClip.of(clip).own_size for clip in manifest["clips"]}
    sizes = {sha256: (size.width_px, size.height_px) for sha256, size in own_sizes.items()}
    return Batch(sha256_of_bytes(data), manifest["campaign"]["name"], clips, sizes)


def _clip(clip: Mapping[str, Any], si_ms: Mapping[str, float | None], device: str) -> Clip:
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
        device=device,
    )
