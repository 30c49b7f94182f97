"""Files beside a recording: its motion mask and its volatile parameters."""

import os
import stat
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.loads.site import Site
from eyelevel.volatile.beside import place_beside, volatile_beside
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask


def matching_mask(path: Path, site: Site, viewport: Viewport) -> Mask | None:
    """Returns the mask in a file; None if missing, made by other rules, or of another recording, page or viewport.

    Raises ContractError if the file is not a mask.
    """
    if not path.is_file():
        return None
    mask = read_mask(path)
    return mask if belongs(mask, site, viewport) and mask.rules == RULES else None


def belongs(mask: Mask, site: Site, viewport: Viewport) -> bool:
    """Returns whether the mask belongs to this recording, page, page size and device.

    A site without a URL has the recording's start page.
    """
    same_page = not mask.start_url_given if site.start_url is None else site.start_url == mask.start_url
    return same_page and (mask.recording, mask.viewport, mask.device) == (
        site.digest, site.device.film(viewport), site.device.name
    )  # fmt: skip


def is_writable(folder: Path) -> bool:
    """Returns whether the folder is writable, also by its mode, as root can write to any folder."""
    return os.access(folder, os.W_OK) and bool(folder.stat().st_mode & stat.S_IWUSR)


def check_writable(folder: Path) -> None:
    """Creates the folder if it is missing; raises BadInputError if it is read-only."""
    folder.mkdir(parents=True, exist_ok=True)
    if not is_writable(folder):
        raise BadInputError(f"{folder} is read-only; give another folder for the masks with --out.")


def place_of(site: Site) -> Path:
    """Returns the path of the volatile parameters' file beside the recording."""
    return place_beside(site.recording)


def found_beside(site: Site) -> Path | None:
    """Returns the volatile parameters' file beside the recording, or None; raises as `volatile_beside` does."""
    return volatile_beside(site.recording, site.digest)
