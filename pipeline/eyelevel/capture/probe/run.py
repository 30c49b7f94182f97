"""Probes a recording: films its loads and learns the mask."""

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

from eyelevel.capture.campaign import Site
from eyelevel.capture.probe.loads import Prober, numbers, read_load
from eyelevel.disk import room
from eyelevel.errors import BadInputError
from eyelevel.motion.learning import learn
from eyelevel_core.batch_folder.masks import read_mask
from eyelevel_core.model.mask import LOADS, RULES, Mask
from eyelevel_core.model.take import Viewport

# (what happens, steps done, steps in all)
Tell = Callable[[str, int, int], None]


def probe(prober: Prober, site: Site, viewport: Viewport, *, tell: Tell) -> Mask:
    """The mask of a recording; a probe that was interrupted continues with its next load.

    Raise PageFailedError where the page cannot be loaded.
    """
    steps = 3 * LOADS  # each film is made, and looked through twice
    folders = []
    for number in numbers():
        tell(f"load {number} of {LOADS}", number - 1, steps)
        folders.append(prober.load(site, viewport, number))
    prober.loader.worker.drop()
    read = [read_load(folder) for folder in folders]
    done = iter(range(LOADS + 1, steps + 1))
    tell("learning", LOADS, steps)
    with room(prober.scratch):
        mask = learn(
            site.digest,
            viewport,
            [load for _, load in read],
            start_url=read[0][0],
            start_url_given=site.start_url is not None,
            seen=lambda: tell("learning", next(done), steps),
        )
    shutil.rmtree(prober.folder(site, viewport), ignore_errors=True)
    return mask


def found(path: Path, site: Site, viewport: Viewport) -> Mask | None:
    """The mask in this file; None where there is none, it is of another recording, page or viewport, or other rules.

    Raise ContractError where the file is no mask.
    """
    if not path.is_file():
        return None
    mask = read_mask(path)
    return mask if belongs(mask, site, viewport) and mask.rules == RULES else None


def belongs(mask: Mask, site: Site, viewport: Viewport) -> bool:
    """Whether the mask is of this recording, page and viewport; a site that names no page has the recording's own."""
    same_page = not mask.start_url_given if site.start_url is None else site.start_url == mask.start_url
    return same_page and (mask.recording, mask.viewport) == (site.digest, viewport)


def is_writable(folder: Path) -> bool:
    """Whether its owner means files to be written here: root can write to a read-only folder, and should not."""
    return os.access(folder, os.W_OK) and bool(folder.stat().st_mode & stat.S_IWUSR)


def check_writable(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not is_writable(folder):
        raise BadInputError(f"{folder} is read-only; give another folder for the masks with --out.")
