"""Files that lie beside a recording: its motion mask and its volatile parameters."""

import os
import stat
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.loads.site import Site
from eyelevel.volatile.beside import place_beside, volatile_beside
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask


def found(path: Path, site: Site, viewport: Viewport) -> Mask | None:
    """The mask in this file; None where there is none, it is of another recording, page or viewport, or other rules.

    Raise ContractError where the file is no mask.
    """
    if not path.is_file():
        return None
    mask = read_mask(path)
    return mask if belongs(mask, site, viewport) and mask.rules == RULES else None


def belongs(mask: Mask, site: Site, viewport: Viewport) -> bool:
    """Whether the mask is of this recording, page, size of the page and device.

    A site that names no page has the recording's own.
    """
    same_page = not mask.start_url_given if site.start_url is None else site.start_url == mask.start_url
    return same_page and (mask.recording, mask.viewport, mask.device) == (
        site.digest, site.device.film(viewport), site.device.name
    )  # fmt: skip


def is_writable(folder: Path) -> bool:
    """Whether its owner means files to be written here: root can write to a read-only folder, and should not."""
    return os.access(folder, os.W_OK) and bool(folder.stat().st_mode & stat.S_IWUSR)


def check_writable(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not is_writable(folder):
        raise BadInputError(f"{folder} is read-only; give another folder for the masks with --out.")


def place_of(site: Site) -> Path:
    """Where the file lies beside the recording."""
    return place_beside(site.recording)


def found_beside(site: Site) -> Path | None:
    """The file beside the recording; None where there is none. Raise as `volatile_beside` does."""
    return volatile_beside(site.recording, site.digest)
