"""Probes a recording: films its loads and learns the mask."""

import shutil
from collections.abc import Callable

from eyelevel.disk import room
from eyelevel.loads.site import Site
from eyelevel.motion.learning import learn
from eyelevel.probe.films import Prober, numbers, read_load
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import LOADS, Mask

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
            site.device.film(viewport),
            [load for _, load in read],
            start_url=read[0][0],
            start_url_given=site.start_url is not None,
            device=site.device.name,
            seen=lambda: tell("learning", next(done), steps),
        )
    shutil.rmtree(prober.folder(site, viewport), ignore_errors=True)
    return mask
