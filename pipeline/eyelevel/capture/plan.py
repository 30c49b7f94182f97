"""From a campaign to its runs: which, with which seeds, in which order. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from eyelevel_contracts import sha256_of_json

SEED_BITS = 63  # what a signed 64-bit integer holds


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

    @property
    def path(self) -> str:
        """Its folder inside the batch, which is also its name."""
        return f"takes/{self.site}/{self.network}/{self.stack}/run-{self.number:02d}"

    @property
    def words(self) -> str:
        return f"{self.site} · {self.network} · {self.stack} · run {self.number}"


def seed_of(*parts: Any) -> int:
    """The first 63 bits of the SHA-256 over the canonical JSON of the parts."""
    return int(sha256_of_json(list(parts)), 16) >> (256 - SEED_BITS)


def expand(settings: dict[str, Any], recordings: dict[str, str]) -> list[Run]:
    """All runs of a campaign in the order in which to take them; `recordings` maps a site's name to its digest.

    The order is drawn from the campaign's seed, so that whatever drifts on the machine falls on both arms alike.
    """
    seed = settings["seed"]
    combinations = product(settings["sites"], settings["networks"], settings["stacks"], range(1, settings["runs"] + 1))
    runs = [
        Run(
            site=site["name"],
            recording=recordings[site["name"]],
            network=network,
            stack=stack,
            number=number,
            seed=seed_of(seed, recordings[site["name"]], network, stack, number),
            page_seed=seed_of("page", seed, recordings[site["name"]]),
        )
        for site, network, stack, number in combinations
    ]
    return sorted(runs, key=lambda run: sha256_of_json(["order", seed, run.path]))


def not_taken(runs: Iterable[Run], taken: set[str]) -> list[Run]:
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


def transport(stack: str) -> str:
    """What a stack's name says of its transport; the wire report's definition is held against it afterwards."""
    return "quic" if stack.upper().startswith("QUIC") else "tcp"
