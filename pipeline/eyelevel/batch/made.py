"""Index of the clips that were made, and from what, so that a resumed build makes none twice."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import get_args

from PIL import __version__ as pillow

from eyelevel.batch.encode import RECIPE
from eyelevel.batch.looked_at import TOLERANCES
from eyelevel.batch.panel import DRAWING
from eyelevel.batch.planar import TO_PLANAR
from eyelevel.batch.planned import Plan
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.files import write_atomically
from eyelevel_core.batch_folder.folder import Audience
from eyelevel_core.contracts import sha256_of_file, sha256_of_json
from eyelevel_core.model.record import Record

AUDIENCES: tuple[Audience, ...] = get_args(Audience)
# x264's quantizers; the next one is tried if a clip differs from its film
QUANTIZERS = (16, 10, 4)


def key(plan: Plan, ffmpeg: str) -> str:
    """Returns the digest of everything that determines a clip's bytes: takes, timing, recipe and encoder.

    It includes the tolerances of the comparison with the film, because this determines the quantizer.
    """
    what: dict[str, object] = {
        "takes": [take.digest for take in plan.takes],
        "timing": asdict(plan.timing),
        "recipe": [TO_PLANAR, *RECIPE],
        "quantizers": QUANTIZERS,
        "tolerances": TOLERANCES,
        "ffmpeg": ffmpeg,
    }
    if plan.delay_frames:
        what["held_back"] = plan.delay_frames
    if plan.audience == "researcher":
        what["panel"] = {"drawing": DRAWING, "role": plan.role, "pillow": pillow}
    return sha256_of_json(what)


@dataclass(frozen=True)
class MadeClip(Record):
    """A clip's file. `measured` has the metrics of each take as the clip shows them, None for researchers' clips.

    `by_colours` are the fields that agree only in the clip's colours; `ssim` is that of a pair's last pictures.
    """

    quantizer: int
    measured: tuple[Mapping[str, float | None], ...] | None
    by_colours: tuple[str, ...] | None
    ssim: float | None
    sha256: str
    bytes: int


class MadeClips:
    """Finished clips by key, saved after each clip; a file that is missing or has other bytes does not count."""

    def __init__(self, folder: BatchFolder) -> None:
        self._folder = folder
        self._made: dict[str, MadeClip] = {}
        # without it, clips are made again: slower, not wrong
        with suppress(FileNotFoundError, ValueError, TypeError, AttributeError):
            known = json.loads(folder.clip_index.read_text())
            self._made = {key: MadeClip.of(entry) for key, entry in known.items()}

    def find(self, key: str) -> MadeClip | None:
        clip = self._made.get(key)
        if clip is None:
            return None
        paths = (self._folder.root / self._folder.clip_path(audience, clip.sha256) for audience in AUDIENCES)
        exists = any(path.is_file() and sha256_of_file(path) == clip.sha256 for path in paths)
        return clip if exists else None

    def save(self, key: str, clip: MadeClip) -> None:
        self._made[key] = clip
        written = {name: clip.as_json() for name, clip in self._made.items()}
        write_atomically(self._folder.clip_index, json.dumps(written, sort_keys=True, indent=1).encode())
