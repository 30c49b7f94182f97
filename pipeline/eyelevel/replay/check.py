"""Makes a replay check: one load for each way of reaching the stacks, over a network without limits."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eyelevel.errors import PageFailedError
from eyelevel.loads.inside.observed import Observed, SeenPage
from eyelevel.loads.site import Site, SiteMask
from eyelevel.loads.unlimited import Loader, served
from eyelevel.loads.visit import CURE, LIMIT_S, visit
from eyelevel.replay.classify import checked_load
from eyelevel.replay.pictured import compared, pictured
from eyelevel.replay.pictures import changed, one_colour, other_size, recorded_screenshot, similarity_of
from eyelevel.stacks import Stack
from eyelevel_core.comparability.boxes import Box
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import CheckedLoad, ReplayCheck

SCREENSHOT = "screenshot.png"


@dataclass(frozen=True)
class Checked:
    """A check with a screenshot per load, in order; `recorded` is the screenshot in the recording, None if missing."""

    check: ReplayCheck
    screenshots: Sequence[bytes]
    recorded: bytes | None

    @property
    def warning(self) -> str | None:
        """Problems that the gates do not find, as sentences: a screenshot of another size, or a page of one colour."""
        problems = [other_size(self.screenshots[0], self.recorded, self.check.device), one_colour(self.screenshots)]
        return " ".join(words for words in problems if words is not None) or None


def check(
    loader: Loader,
    site: Site,
    viewport: Viewport,
    *,
    page_seed: int,
    volatile: Path | None,
    mask: SiteMask | None,
    tell: Callable[[str], None] = lambda _: None,
) -> Checked:
    """Checks a recording over the loader's stacks; raises PageFailedError if the page does not load."""
    recorded = recorded_screenshot(site.recording)
    own_mask = None if mask is None else mask.mask
    loads, screenshots, start_url = [], [], ""
    visiting = partial(visit, loader.knowing(site, volatile), site, viewport, page_seed=page_seed, mask=mask)
    arms = by_way(loader.stacks)
    for stack in arms:
        tell(f"check over {stack.name}")
        with visiting(stack) as folder:
            start_url, load = _read(folder, site, stack, recorded, own_mask)
            loads.append(load)
            screenshots.append((folder / SCREENSHOT).read_bytes())

    def without(number: int, places: Collection[str]) -> Sequence[Box] | None:
        tell(f"check over {arms[number].name} without what another stack missed")
        # if the page does not load at all without these, the change is unknown, and the page is excluded
        with suppress(PageFailedError), visiting(arms[number], blocked=places) as folder:
            shown, ratio = (folder / SCREENSHOT).read_bytes(), site.device.pixel_ratio
            return changed(screenshots[number], shown, own_mask, pixel_ratio=ratio)
        return None

    loads = compared(loads, without)
    result = ReplayCheck(
        recording=site.digest,
        start_url=start_url,
        viewport=viewport,
        page_seed=page_seed,
        volatile_sha256=None if volatile is None else sha256_of_file(volatile),
        mask_digest=None if mask is None else mask.digest,
        loads=tuple(loads),
        device=site.device.name,
    )
    return Checked(result, screenshots, recorded)


def by_way(stacks: Mapping[str, Stack]) -> list[Stack]:
    """Returns the first stack of each way of reaching a stack: stacks with the same way are served identically."""
    first: dict[str, Stack] = {}
    for stack in stacks.values():
        first.setdefault(stack.way, stack)
    return list(first.values())


def _read(folder: Path, site: Site, stack: Stack, recorded: bytes | None, mask: Mask | None) -> tuple[str, CheckedLoad]:
    """The page's URL, and the facts of the load."""
    seen, server, page = Observed.read(folder), served(folder), SeenPage.read(folder)
    if page is None:
        why = seen.given_up or f"it sent nothing within {LIMIT_S} s, or it keeps reloading"
        raise PageFailedError(
            f"the page of {site.name} could not be inspected over {stack.name} without network limits ({why})", CURE
        )
    screenshot = (folder / SCREENSHOT).read_bytes()
    similarity = similarity_of(screenshot, recorded, mask)
    load = checked_load(stack.name, seen.load_ms, page, server.requests, similarity=similarity)
    differs = changed(screenshot, recorded, mask, pixel_ratio=site.device.pixel_ratio)
    return server.start_url, load if differs is None else pictured(load, differs)
