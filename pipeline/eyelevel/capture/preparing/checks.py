"""Replay checks of the sites of a campaign, before its first run."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from eyelevel.loads.site import Site, SiteMask
from eyelevel.replay.check import by_way
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.comparability.unserved import origin_of
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.replay_check import ReplayCheck

# (site) -> a new check of it
Check = Callable[[str], ReplayCheck]


def checks(
    batch: BatchFolder,
    page_seeds: Mapping[str, int],
    *,
    sites: Iterable[Site],
    viewport: Viewport,
    stacks: Mapping[str, Stack],
    volatile: Mapping[str, Path],
    masks: Mapping[str, SiteMask],
    make: Check | None,
    expect: Callable[[int], None] = lambda _: None,
) -> dict[str, ReplayCheck]:
    """Returns the checks by site: the one in the batch folder if it is valid, else a new one.

    A stored check is valid for the same recording, page seed, size, device, mask and volatile parameters, and for the
    same page if the campaign names one; a page that could not be checked is tried again. `make` makes a new check,
    which is stored in the batch folder; if it is None, sites without a stored check are left out. `page_seeds` are
    those of the runs by site. `viewport` is the size of pages on a desktop. `expect` gets the number of checks to make.
    """
    checks_by_site = batch.replay_checks()
    ways = [stack.name for stack in by_way(stacks)]
    by_name = {listed.name: listed for listed in sites}

    def holds(site: str, seed: int) -> bool:
        file, mask, known = volatile.get(site), masks.get(site), checks_by_site.get(site)
        digests = None if file is None else sha256_of_file(file), None if mask is None else mask.digest
        if known is None or known.failure is not None or not _is_of(known, by_name[site]):
            return False
        device = by_name[site].device
        return _made_by(known) == (seed, device.page(viewport), device.name, *digests, ways)

    lacking = [site for site, seed in page_seeds.items() if not holds(site, seed)]
    if make is not None:
        expect(len(lacking))
        for site in lacking:
            checks_by_site[site] = make(site)
            batch.write_check(site, checks_by_site[site])
    return checks_by_site


def _is_of(check: ReplayCheck, site: Site) -> bool:
    same_page = site.start_url is None or _page(site.start_url) == _page(check.start_url or "")
    return check.recording == site.digest and same_page


def _page(url: str) -> tuple[str, str, str]:
    """The page's identity; a campaign may name it without the final slash that the testbed adds, or over http."""
    parts = urlsplit(url)
    return origin_of(url), parts.path or "/", parts.query


def _made_by(check: ReplayCheck) -> tuple[int, Viewport, str, str | None, str | None, list[str]]:
    stacks = [load.stack for load in check.loads]
    return check.page_seed, check.viewport, check.device, check.volatile_sha256, check.mask_digest, stacks
