"""Makes a replay check: one load for each way in which the stacks are reached, over a network without limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import PageFailedError
from eyelevel.loads.inside.observed import Observed, SeenPage
from eyelevel.loads.site import Site, SiteMask
from eyelevel.loads.unlimited import Loader, served
from eyelevel.loads.visit import CURE, LIMIT_S, visit
from eyelevel.replay.classify import checked_load
from eyelevel.replay.pictures import one_colour, other_size, recorded_screenshot, similarity_of
from eyelevel.stacks import Stack
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import CheckedLoad, ReplayCheck


@dataclass(frozen=True)
class Checked:
    """A check with a screenshot per load, in its order; `recorded` is the recording's own, None where it has none."""

    check: ReplayCheck
    screenshots: Sequence[bytes]
    recorded: bytes | None

    @property
    def warning(self) -> str | None:
        """What the gates do not see, in sentences: a screenshot of another size, a page of one colour. Else None."""
        found = [other_size(self.screenshots[0], self.recorded, self.check.device), one_colour(self.screenshots)]
        return " ".join(words for words in found if words is not None) or None


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
    """Check a recording over the loader's stacks. Raise PageFailedError where the page does not load."""
    recorded = recorded_screenshot(site.recording)
    loads, screenshots, start_url = [], [], ""
    for stack in by_way(loader.stacks):
        tell(f"check over {stack.name}")
        with visit(loader.knowing(site, volatile), site, viewport, stack, page_seed=page_seed, mask=mask) as folder:
            start_url, load = _read(folder, site, stack, recorded, None if mask is None else mask.mask)
            loads.append(load)
            screenshots.append((folder / "screenshot.png").read_bytes())
    made = ReplayCheck(
        recording=site.digest,
        start_url=start_url,
        viewport=viewport,
        page_seed=page_seed,
        volatile_sha256=None if volatile is None else sha256_of_file(volatile),
        mask_digest=None if mask is None else mask.digest,
        loads=tuple(loads),
        device=site.device.name,
    )
    return Checked(made, screenshots, recorded)


def by_way(stacks: Mapping[str, Stack]) -> list[Stack]:
    """The first stack of each way to come to a stack: stacks of one way are served the same."""
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
            f"no page of {site.name} could be looked at over {stack.name} without network limits ({why})", CURE
        )
    load = checked_load(
        stack.name,
        seen.load_ms,
        page,
        server.requests,
        similarity=similarity_of((folder / "screenshot.png").read_bytes(), recorded, mask),
    )
    return server.start_url, load
