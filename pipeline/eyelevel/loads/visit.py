"""Loads a page once over a network without limits, until its network is quiet: for learning and for replay checks."""

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from eyelevel.emulation import as_filmed
from eyelevel.loads.inside.browsing.elements import REMEMBER
from eyelevel.loads.inside.browsing.page_script import page_script
from eyelevel.loads.inside.request import LoadRequest
from eyelevel.loads.site import Site, SiteMask
from eyelevel.loads.unlimited import NETWORK, Loader
from eyelevel.quiet import QUIET_MS
from eyelevel.recording import recorded_at_ms
from eyelevel.stacks import Stack
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.run import Run

# a page that polls is not waited for
LIMIT_S = 45
CURE = "Look at the page with eyelevel testbed browse, or record it again."


@contextmanager
def visit(
    loader: Loader,
    site: Site,
    viewport: Viewport,
    stack: Stack,
    *,
    page_seed: int,
    mask: SiteMask | None,
    later_ms: int = 0,
    blocked: Collection[str] = (),
) -> Iterator[Path]:
    """Returns a context with the folder of a load, which has inside.json, wire.json, page.json and screenshot.png.

    The page's clock starts `later_ms` after the recorded date. The load does not wait for requests that, by the mask,
    paint nothing. The browser requests none of the places `blocked`. Raises PageFailedError if the load fails.
    """
    folder = loader.scratch / f"visit-{site.digest[:16]}-{stack.way}"
    shutil.rmtree(folder, ignore_errors=True)
    run = Run(site.name, NETWORK, stack.name, 1, recording=site.digest, seed=page_seed, page_seed=page_seed)
    request = LoadRequest(
        way=stack.way,
        width_px=viewport.width_px,
        height_px=viewport.height_px,
        limit_s=LIMIT_S,
        quiet_ms=QUIET_MS,
        script=page_script(seed=page_seed, start_ms=recorded_at_ms(site.recording) + later_ms) + REMEMBER,
        not_painting=() if mask is None else tuple(ignored.key for ignored in mask.mask.not_painting),
        network_only=True,
        looked_at=True,
        blocked=tuple(sorted(blocked)),
        device=site.device,
    )
    try:
        loaded = loader.load(folder, site, run, request, words=f"a load of {site.name} over {stack.name}", cure=CURE)
        _cut(loaded / "screenshot.png", request)
        yield loaded
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _cut(screenshot: Path, request: LoadRequest) -> None:
    """Cuts the screenshot to the viewport; a page that did not load has none."""
    if screenshot.is_file():
        screenshot.write_bytes(as_filmed(screenshot.read_bytes(), request.device, request.viewport))
