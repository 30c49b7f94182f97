"""Probes recordings: films no more loads of each than its mask needs, and learns the mask during the next film."""

import shutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial

from eyelevel.disk import room
from eyelevel.errors import PageFailedError
from eyelevel.loads.site import Site
from eyelevel.motion.enough import enough
from eyelevel.motion.learning import Load, learn
from eyelevel.probe.budget import progress
from eyelevel.probe.films import Prober, numbers, read_load, rested
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask, Tile

# (name of the site, current step, seconds done, expected seconds in total)
Tell = Callable[[str, str, int, int], None]


def probe(
    prober: Callable[[Site], Prober], sites: Iterable[Site], page: Callable[[Site], Viewport], *, tell: Tell
) -> Iterator[tuple[Site, Mask | PageFailedError]]:
    """Yields the mask of each site, or why its page cannot be loaded; `page` gives its size.

    While a page is filmed, its earlier films and the previous page are evaluated. Films are kept until the caller
    requests the next mask, so that an interrupted probe continues with its next load.
    """
    learning: deque[tuple[Site, Future[Mask]]] = deque()

    def learned(*, all_of_them: bool) -> Iterator[tuple[Site, Mask]]:
        while learning and (all_of_them or learning[0][1].done()):
            site, mask = learning.popleft()
            yield site, mask.result()
            shutil.rmtree(prober(site).folder(site, page(site)), ignore_errors=True)

    with ThreadPoolExecutor(1) as beside:
        try:
            for site in sites:
                loads: list[tuple[str, Load]] = []
                site_prober, tell_step = prober(site), partial(tell, site.name)
                try:
                    for load in _films(site_prober, site, page(site), beside, tell_step):
                        loads.append(load)
                        yield from learned(all_of_them=False)
                except PageFailedError as error:
                    yield site, error
                    continue
                learning.append((site, beside.submit(_mask, site_prober, site, page(site), loads)))
            yield from learned(all_of_them=True)
        finally:
            beside.shutdown(cancel_futures=True)


def _films(
    prober: Prober, site: Site, viewport: Viewport, beside: Executor, tell: Callable[[str, int, int], None]
) -> Iterator[tuple[str, Load]]:
    """The page's URL and a load, until the loads suffice."""
    still: list[bool] = []
    looks: list[Future[frozenset[Tile]]] = []
    for number in numbers():
        if _suffices(looks):
            break
        tell(f"load {number}", *progress(still))
        folder = prober.load(site, viewport, number, until_rest=bool(still) and all(still))
        start_url, load = read_load(folder)
        still.append(rested(folder))
        looks.append(beside.submit(_moved, load))
        yield start_url, load
    tell("learning", *progress(still, filmed=True))


def _mask(prober: Prober, site: Site, viewport: Viewport, probed: list[tuple[str, Load]]) -> Mask:
    start_url, loads = probed[0][0], [load for _, load in probed]
    with room(prober.scratch):
        return learn(
            site.digest,
            site.device.film(viewport),
            loads,
            start_url=start_url,
            start_url_given=site.start_url is not None,
            device=site.device.name,
        )


def _moved(load: Load) -> frozenset[Tile]:
    return load.moved


def _suffices(looks: list[Future[frozenset[Tile]]]) -> bool:
    """Whether the evaluated films are enough; waits for the last one only if it decides that."""
    known = [look.result() for look in looks[:-1]]
    return bool(looks) and enough(known, unseen=1) and enough([*known, looks[-1].result()])
