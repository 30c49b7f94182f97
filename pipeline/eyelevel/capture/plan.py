"""From a campaign to its runs: which, with which seeds, in which order. Pure."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from eyelevel.capture.seeds import loss_seed, page_seed
from eyelevel_core.contracts import sha256_of_json


@dataclass(frozen=True)
class Run:
    """One page load to film. `page_seed` is the same for all runs of a recording: it decides what the page does."""

    site: str
    recording: str
    network: str
    stack: str
    number: int
    seed: int
    page_seed: int
    cache: str = "cold"

    @property
    def name(self) -> str:
        return f"{'run' if self.cache == 'cold' else self.cache}-{self.number:02d}"

    @property
    def path(self) -> str:
        """Its folder inside the batch, which is also its name."""
        return f"takes/{self.site}/{self.network}/{self.stack}/{self.name}"

    @property
    def block(self) -> str:
        """What its twins over the other stacks have in common with it: they are taken one after the other."""
        return f"{self.site}/{self.network}/{self.name}"

    @property
    def words(self) -> str:
        return f"{self.site} · {self.network} · {self.stack} · {self.name.replace('-', ' ')}"


def expand(settings: Mapping[str, Any], recordings: Mapping[str, str], networks: Mapping[str, str]) -> list[Run]:
    """All runs of a campaign in the order in which to take them.

    `recordings` maps a site's name to the digest of its recording, `networks` a network's to that of its definition.

    Blocks come in an order drawn from the campaign's seed, and so do the stacks within each: whatever drifts on the
    machine falls on all stacks alike. In a paired campaign the stacks of a block share their seed.
    """
    seed = settings["seed"]
    runs = []
    for site, network, stack, cache, number in product(
        settings["sites"], settings["networks"], settings["stacks"], settings["cache"], range(1, settings["runs"] + 1)
    ):
        recording = recordings[site["name"]]
        arm = None if settings["paired"] else stack
        runs.append(
            Run(
                site=site["name"],
                recording=recording,
                network=network,
                stack=stack,
                number=number,
                seed=loss_seed(seed, recording, networks[network], arm, number, cache=cache),
                page_seed=page_seed(seed, recording),
                cache=cache,
            )
        )
    return sorted(runs, key=lambda run: [sha256_of_json(["order", seed, name]) for name in (run.block, run.path)])


def blocks(runs: Iterable[Run], *, paired: bool) -> list[list[Run]]:
    """What is taken, voided and replaced as one, in order: a block of a paired campaign, else a run for itself."""
    if not paired:
        return [[run] for run in runs]
    return [list(members) for _, members in groupby(runs, key=lambda run: run.block)]


def not_taken(runs: Iterable[Run], taken: Container[str]) -> list[Run]:
    return [run for run in runs if run.path not in taken]


def probes(runs: Sequence[Run]) -> list[Run]:
    """As few runs as it takes to have every site, network and stack among them: what to try before the campaign."""
    firsts = {(run.site, run.network, run.stack): run for run in runs}
    kinds = [sorted({getattr(run, kind) for run in runs}) for kind in ("site", "network", "stack")]
    padded = [[values[i % len(values)] for i in range(max(map(len, kinds)))] for values in kinds]
    return [firsts[key] for key in zip(*padded, strict=True) if key in firsts]


def frame_rate(settings: Mapping[str, Any], network: str) -> int:
    """How often a film of that network grabs the screen, in frames a second."""
    rate: int = settings["frame_rates"].get(network, settings["frame_rate"])
    return rate
