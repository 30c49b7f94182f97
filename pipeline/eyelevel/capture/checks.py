"""The replay check of each site of a campaign, made before the first run."""

from collections.abc import Callable, Mapping
from pathlib import Path

from eyelevel.capture.check.run import by_way
from eyelevel.capture.masks import SiteMask
from eyelevel.capture.stacks import Stack
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.take import Viewport

# (site) -> its check, made now
Check = Callable[[str], ReplayCheck]


def checks(
    batch: BatchFolder,
    page_seeds: Mapping[str, int],
    *,
    viewport: Viewport,
    stacks: Mapping[str, Stack],
    volatile: Mapping[str, Path],
    masks: Mapping[str, SiteMask],
    make: Check | None,
) -> dict[str, ReplayCheck]:
    """By site: the check in the batch folder where it is of this seed, viewport, mask and file, else what `make` makes.

    `page_seeds` are the seeds of the runs' pages by site. A check that is made is stored in the batch folder. `make` is
    None where none is to be made; a site without a check is then not in it.
    """
    found = batch.replay_checks()
    ways = [stack.name for stack in by_way(stacks)]
    for site, seed in page_seeds.items():
        file, mask = volatile.get(site), masks.get(site)
        digests = None if file is None else sha256_of_file(file), None if mask is None else mask.digest
        known = found.get(site)
        if known is not None and _made_by(known) == (seed, viewport, *digests, ways):
            continue
        if make is not None:
            found[site] = make(site)
            batch.write_check(site, found[site])
    return found


def _made_by(check: ReplayCheck) -> tuple[int, Viewport, str | None, str | None, list[str]]:
    stacks = [load.stack for load in check.loads]
    return check.page_seed, check.viewport, check.volatile_sha256, check.mask_digest, stacks
