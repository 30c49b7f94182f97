"""Learns the volatile parameters of a recording from two loads with different seeds and dates (definition M8)."""

from collections.abc import Callable, Sequence

from eyelevel.loads.seeds import seed_of
from eyelevel.loads.site import Site
from eyelevel.loads.unlimited import Loader, served
from eyelevel.loads.visit import visit
from eyelevel.volatile.learning import learn
from eyelevel.volatile.recorded import recorded
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.volatile import Volatile

LOADS = 2
# the clock of the second load starts this much later, so that its day, hour, minute and second all differ
LATER_MS = ((24 + 1) * 3600 + 60 + 1) * 1000


def learn_volatile(
    loader: Loader, site: Site, viewport: Viewport, *, tell: Callable[[str], None] = lambda _: None
) -> Volatile:
    """Returns the parameters with random or time-dependent values.

    One load is enough if none of its requests matches inexactly. The first load uses the seed that the recording
    stores, if any; the second load has another seed and a later date. Raises PageFailedError if the page does not load.
    """
    stack = next(iter(loader.stacks.values()))
    asked: list[Sequence[str]] = []
    for number in range(1, LOADS + 1):
        tell(f"learning, load {number} of {LOADS}")
        recorded_by = site.chance_seed if number == 1 else None
        seed = seed_of("volatile", site.digest, number) if recorded_by is None else recorded_by
        later_ms = (number - 1) * LATER_MS
        with visit(loader, site, viewport, stack, page_seed=seed, mask=None, later_ms=later_ms) as folder:
            requests = served(folder).requests
        if not any(request.kind in ("equivalent", "inexact") for request in requests):
            return Volatile(recording=site.digest, parameters=(), callbacks=())
        asked.append([request.url for request in requests])
    first, second = asked
    return learn(site.digest, first, second, recorded(site.recording))
