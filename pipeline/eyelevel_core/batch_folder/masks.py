"""Reads and writes the files of motion masks: beside a recording, and under their digest in a batch folder."""

import json
import re
from pathlib import Path

from eyelevel_core.batch_folder.files import read_object, write_atomically
from eyelevel_core.batch_folder.folder import MASKS
from eyelevel_core.batch_folder.takes import TAKE
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.device import DESKTOP, Device, Viewport
from eyelevel_core.model.mask import Mask, contradictions

CONTRACT = "mask.1"
# a take's folder is BATCH/takes/SITE/NETWORK/STACK/RUN
BATCH_ABOVE = 5
DIGEST = re.compile(r"[0-9a-f]{64}")
# extensions of recordings, which the names of the files beside a recording do not contain
ENDS = (".warc.gz", ".warc")


def stem_of(recording: Path) -> str:
    """The recording's name without its ending, with which the names of the files beside it begin."""
    return next((recording.name.removesuffix(end) for end in ENDS if recording.name.endswith(end)), recording.name)


def mask_name(recording: Path, viewport: Viewport, device: Device = DESKTOP) -> str:
    """The name of a recording's mask, beside it: garden.mask-1280x720.json for garden.warc.gz.

    `viewport` is the page's size. The name of a device other than a desktop stands before it, as in mask-phone-412x823.
    """
    of = "" if device.name == DESKTOP.name else f"{device.name}-"
    return f"{stem_of(recording)}.mask-{of}{viewport.width_px}x{viewport.height_px}.json"


def read_mask(path: Path) -> Mask:
    """Returns the mask in this file.

    Raise ContractError where the file is not a mask, contradicts itself, or is named by another mask's digest.
    """
    value = read_object(path)
    check(value, CONTRACT, source=str(path))
    mask = Mask.of(value)
    for words in contradictions(mask):
        raise ContractError(f"{path}: {words}; remove the file and let eyelevel probe make it again.")
    if DIGEST.fullmatch(path.stem) and path.stem != mask.digest:
        raise ContractError(
            f"{path} is not the mask that its name says: its digest is {mask.digest}. It was changed after takes were "
            "captured with it; restore it."
        )
    return mask


def mask_of_take(folder: Path) -> Mask | None:
    """Returns the mask with which a take was captured; None for a take without a mask, or outside a batch.

    Raise ContractError where the batch lacks the mask that the take names.
    """
    if not (folder / TAKE).is_file():
        return None
    digest = read_object(folder / TAKE).get("provenance", {}).get("mask_digest")
    if digest is None:
        return None
    path = folder.resolve().parents[BATCH_ABOVE - 1] / MASKS / f"{digest}.json"
    if not path.is_file():
        raise ContractError(f"{path} is missing, the motion mask that {folder / TAKE} names; give it with --mask.")
    return read_mask(path)


def masks_of_batch(folder: Path) -> dict[str, Path]:
    """The files in a batch's folder of masks, by digest."""
    return {path.stem: path for path in sorted(folder.glob("*.json"))}


def write_mask(mask: Mask, path: Path) -> None:
    value = mask.as_json()
    check(value, CONTRACT, source=str(path))
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
