"""Prepares the sites of a campaign before its first run: volatile parameters, motion masks, replay checks.

A site whose page cannot be loaded or checked in one of these steps is excluded for that reason; the others continue.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.preparing.checks import checks
from eyelevel.capture.preparing.masks import masks
from eyelevel.capture.preparing.volatile_files import volatile_files
from eyelevel.errors import PageFailedError
from eyelevel.loads.site import Site
from eyelevel.loads.talk import Talk
from eyelevel.loads.unlimited import Loader, loader
from eyelevel.probe.budget import budget
from eyelevel.probe.films import STACKS, Prober
from eyelevel.probe.run import probe
from eyelevel.replay.check import check
from eyelevel.replay.learn import learn_volatile
from eyelevel.stacks import chosen, stacks
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from eyelevel_core.model.volatile import Volatile

# descriptions of the steps whose loads end with the page's requests
LEARNING = "to load for volatile parameters: about 10 s for each of one or two loads"
CHECKING = "to check: about 10 s for each of one or two loads"

Made = TypeVar("Made", Volatile, ReplayCheck)


@dataclass(frozen=True)
class Preparation:
    """Creates the missing files of a site. The context's `volatile` and `masks` are those known so far.

    All sites share `loader`, so that none waits for a worker to start; its stacks are those of probes. `failures` has
    the reasons of sites whose page cannot be checked; they are skipped from then on.
    """

    context: CaptureContext
    loader: Loader
    talk: Talk
    page_seeds: Mapping[str, int]
    failures: dict[str, str]

    def learn(self, site: Site) -> Volatile | None:
        return self._tried(site, self._learn)

    def probe(self, sites: Iterable[Site]) -> Iterator[tuple[Site, Mask | None]]:
        judged = [site for site in sites if site.name not in self.failures]
        for site, outcome in probe(self._prober, judged, self._page, tell=self.talk.step):
            if isinstance(outcome, PageFailedError):
                self._note(site, outcome)
                yield site, None
            else:
                self.talk.result(site.name, outcome)
                yield site, outcome

    def check(self, name: str) -> ReplayCheck:
        site = next(candidate for candidate in self.context.sites if candidate.name == name)
        return self._tried(site, self._check) or self._failed(site)

    def _tried(self, site: Site, make: Callable[[Site], Made]) -> Made | None:
        """The result of `make`; None for a site whose page cannot be checked, now or before."""
        if site.name in self.failures:
            return None
        try:
            return make(site)
        except PageFailedError as error:
            self._note(site, error)
            return None

    def _note(self, site: Site, error: PageFailedError) -> None:
        self.failures[site.name] = error.why
        self.talk.failed(site.name, error)

    def _learn(self, site: Site) -> Volatile:
        learned = learn_volatile(self.loader, site, self._page(site), tell=partial(self._step, site.name))
        self.talk.learned(site.name, learned)
        return learned

    def _prober(self, site: Site) -> Prober:
        return Prober(self.loader.knowing(site, self.context.volatile.get(site.name)))

    def _check(self, site: Site) -> ReplayCheck:
        checked = check(
            replace(self.loader, stacks=self.context.stacks),
            site,
            self._page(site),
            page_seed=self.page_seeds[site.name],
            volatile=self.context.volatile.get(site.name),
            mask=self.context.masks.get(site.name),
            tell=partial(self._step, site.name),
        )
        self.talk.checked(site.name, checked.check, checked.warning)
        return checked.check

    def _failed(self, site: Site) -> ReplayCheck:
        return ReplayCheck(
            recording=site.digest,
            start_url=site.start_url,
            viewport=self._page(site),
            page_seed=self.page_seeds[site.name],
            volatile_sha256=None,
            mask_digest=None,
            loads=(),
            failure=self.failures[site.name],
            device=site.device.name,
        )

    def _page(self, site: Site) -> Viewport:
        return site.device.page(self.context.campaign.viewport)

    def _step(self, name: str, words: str) -> None:
        self.talk.step(name, words, 0, 1)


def prepared(
    context: CaptureContext, takes: Iterable[Take], runs: Iterable[Run], *, made: bool
) -> tuple[CaptureContext, Collection[str]]:
    """Returns the context with its sites' files, and the sites whose page cannot be checked.

    If `made`, creates missing files. Replay checks are in the batch folder. `runs` are all runs of the campaign, whose
    page seeds the checks use.
    """
    takes, page_seeds = list(takes), {run.site: run.page_seed for run in runs}
    failures: dict[str, str] = {}
    sites, viewport = context.sites, context.campaign.viewport
    with ExitStack() as ends:
        talk = ends.enter_context(Talk())
        make = None
        if made:
            arms = chosen(stacks(context.testbed), STACKS, source=Path("the probe"))
            ready = ends.enter_context(loader(context.testbed, arms, context.batch.probes, waits=context.waits))
            make = partial(Preparation, loader=ready, talk=talk, page_seeds=page_seeds, failures=failures)
        learning = make(context).learn if make else None
        files = volatile_files(context.batch, sites, takes, learn=learning, expect=partial(_expect, talk, LEARNING))
        context = replace(context, volatile=files)
        probing = make(context).probe if make else None
        by_site = masks(
            context.batch, sites, takes, viewport, probe=probing, expect=lambda n: talk.expect(n, budget(n))
        )
        context = replace(context, masks=by_site)
        checks(
            context.batch,
            page_seeds,
            sites=sites,
            viewport=viewport,
            stacks=context.stacks,
            volatile=context.volatile,
            masks=context.masks,
            make=make(context).check if make else None,
            expect=partial(_expect, talk, CHECKING),
        )
    return context, failures.keys()


def _expect(talk: Talk, words: str, pages: int) -> None:
    talk.expect(pages, f"{'1 page' if pages == 1 else f'{pages} pages'} {words}.")
