"""Prepares the sites of a campaign before its first run: volatile parameters, motion masks, replay checks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from eyelevel.capture.attempt import CaptureContext
from eyelevel.capture.campaign import Site
from eyelevel.capture.check.run import check
from eyelevel.capture.checks import checks
from eyelevel.capture.learn import learn_volatile
from eyelevel.capture.masks import masks
from eyelevel.capture.probe.loads import STACKS, Prober
from eyelevel.capture.probe.run import probe
from eyelevel.capture.probe.tell import Talk
from eyelevel.capture.stacks import Stack, chosen, stacks
from eyelevel.capture.unlimited import loader
from eyelevel.capture.volatile import volatile_files
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from eyelevel_core.model.volatile import Volatile


@dataclass(frozen=True)
class Preparation:
    """Makes what a site lacks. The context's `volatile` and `masks` are those known so far."""

    context: CaptureContext
    talk: Talk
    page_seeds: Mapping[str, int]

    def learn(self, site: Site) -> Volatile:
        with loader(*self._where(self._probe_stacks()), waits=self.context.waits) as ready:
            found = learn_volatile(ready, site, self.context.campaign.viewport, tell=partial(self._step, site.name))
        self.talk.learned(site.name, found)
        return found

    def probe(self, site: Site) -> Mask:
        with loader(*self._where(self._probe_stacks()), waits=self.context.waits) as ready:
            prober = Prober(ready.knowing(site, self.context.volatile.get(site.name)))
            mask = probe(prober, site, self.context.campaign.viewport, tell=partial(self.talk.step, site.name))
        self.talk.result(site.name, mask)
        return mask

    def check(self, name: str) -> ReplayCheck:
        site = next(one for one in self.context.sites if one.name == name)
        with loader(*self._where(self.context.stacks), waits=self.context.waits) as ready:
            made = check(
                ready,
                site,
                self.context.campaign.viewport,
                page_seed=self.page_seeds[name],
                volatile=self.context.volatile.get(name),
                mask=self.context.masks.get(name),
                tell=partial(self._step, name),
            )
        self.talk.checked(name, made.check, made.warning)
        return made.check

    def _where(self, arms: Mapping[str, Stack]) -> tuple[Path, Mapping[str, Stack], Path]:
        return self.context.testbed, arms, self.context.batch.probes

    def _probe_stacks(self) -> Mapping[str, Stack]:
        return chosen(stacks(self.context.testbed), STACKS, source=Path("the probe"))

    def _step(self, name: str, words: str) -> None:
        self.talk.step(name, words, 0, 1)


def prepared(context: CaptureContext, takes: Iterable[Take], runs: Iterable[Run], *, made: bool) -> CaptureContext:
    """The context with its sites' files; their replay checks are in the batch folder. Makes what is missing if `made`.

    `runs` are all of the campaign: a site is checked with the seed of their page.
    """
    takes, page_seeds = list(takes), {run.site: run.page_seed for run in runs}
    with Talk() as talk:
        preparing = partial(Preparation, talk=talk, page_seeds=page_seeds)
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
    return context
