"""Prepares the sites of a campaign before its first run: volatile parameters, motion masks, replay checks.

A site whose page cannot be loaded or judged in one of these is excluded for that reason, and the others go on.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
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
from eyelevel.loads.unlimited import loader
from eyelevel.probe.films import STACKS, Prober
from eyelevel.probe.run import probe
from eyelevel.replay.check import check
from eyelevel.replay.learn import learn_volatile
from eyelevel.stacks import Stack, chosen, stacks
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from eyelevel_core.model.volatile import Volatile

Made = TypeVar("Made", Volatile, Mask, ReplayCheck)


@dataclass(frozen=True)
class Preparation:
    """Makes what a site lacks. The context's `volatile` and `masks` are those known so far.

    `failures` says of sites why their page cannot be judged; nothing more is made for them.
    """

    context: CaptureContext
    talk: Talk
    page_seeds: Mapping[str, int]
    failures: dict[str, str]

    def learn(self, site: Site) -> Volatile | None:
        return self._tried(site, self._learn)

    def probe(self, site: Site) -> Mask | None:
        return self._tried(site, self._probe)

    def check(self, name: str) -> ReplayCheck:
        site = next(one for one in self.context.sites if one.name == name)
        return self._tried(site, self._check) or self._failed(site)

    def _tried(self, site: Site, make: Callable[[Site], Made]) -> Made | None:
        """What `make` makes; None for a site whose page cannot be judged, now or before."""
        if site.name in self.failures:
            return None
        try:
            return make(site)
        except PageFailedError as error:
            self.failures[site.name] = error.why
            self.talk.failed(site.name, error)
            return None

    def _learn(self, site: Site) -> Volatile:
        with loader(*self._where(self._probe_stacks()), waits=self.context.waits) as ready:
            found = learn_volatile(ready, site, self._page(site), tell=partial(self._step, site.name))
        self.talk.learned(site.name, found)
        return found

    def _probe(self, site: Site) -> Mask:
        with loader(*self._where(self._probe_stacks()), waits=self.context.waits) as ready:
            prober = Prober(ready.knowing(site, self.context.volatile.get(site.name)))
            mask = probe(prober, site, self._page(site), tell=partial(self.talk.step, site.name))
        self.talk.result(site.name, mask)
        return mask

    def _check(self, site: Site) -> ReplayCheck:
        with loader(*self._where(self.context.stacks), waits=self.context.waits) as ready:
            made = check(
                ready,
                site,
                self._page(site),
                page_seed=self.page_seeds[site.name],
                volatile=self.context.volatile.get(site.name),
                mask=self.context.masks.get(site.name),
                tell=partial(self._step, site.name),
            )
        self.talk.checked(site.name, made.check, made.warning)
        return made.check

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

    def _where(self, arms: Mapping[str, Stack]) -> tuple[Path, Mapping[str, Stack], Path]:
        return self.context.testbed, arms, self.context.batch.probes

    def _probe_stacks(self) -> Mapping[str, Stack]:
        return chosen(stacks(self.context.testbed), STACKS, source=Path("the probe"))

    def _step(self, name: str, words: str) -> None:
        self.talk.step(name, words, 0, 1)


def prepared(
    context: CaptureContext, takes: Iterable[Take], runs: Iterable[Run], *, made: bool
) -> tuple[CaptureContext, Collection[str]]:
    """The context with its sites' files, and the sites whose page cannot be judged. Makes what is missing if `made`.

    Replay checks are in the batch folder. `runs` are all of the campaign: a site is checked with the seed of their
    page.
    """
    takes, page_seeds = list(takes), {run.site: run.page_seed for run in runs}
    failures: dict[str, str] = {}
    with Talk() as talk:
        preparing = partial(Preparation, talk=talk, page_seeds=page_seeds, failures=failures)
        learning = preparing(context).learn if made else None
        context = replace(context, volatile=volatile_files(context.batch, context.sites, takes, learn=learning))
        probing = preparing(context).probe if made else None
        context = replace(
            context, masks=masks(context.batch, context.sites, takes, context.campaign.viewport, probe=probing)
        )
        checks(
            context.batch,
            page_seeds,
            sites=context.sites,
            viewport=context.campaign.viewport,
            stacks=context.stacks,
            volatile=context.volatile,
            masks=context.masks,
            make=preparing(context).check if made else None,
        )
    return context, failures.keys()
