"""Expands a campaign into its runs: which, with which seeds, in which order. Pure."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import groupby, product

from eyelevel.loads.seeds import loss_seed, page_seed
from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run


def expand(
    campaign: Campaign,
    recordings: Mapping[str, str],
    networks: Mapping[str, str],
    chance: Mapping[str, int | None] | None = None,
    *,
    discovering: Collection[str] = (),
) -> list[Run]:
    """All runs of a campaign in the order in which to take them.

    `recordings` maps a site's name to the digest of its recording, `networks` a network's to that of its definition.
    `chance` maps a site's name to the seed that its page was recorded with, which is used again; a site without one
    has a seed of the campaign's. `discovering` are the names of the stacks that discover QUIC.

    Blocks come in an order drawn from the campaign's seed, and so do the stacks within each: whatever drifts on the
    machine falls on all stacks alike. In a paired campaign the stacks of a block share their seed.
    """
    seed = campaign.seed
    runs = []
    numbered = [(network, 1 + i) for network in campaign.networks for i in range(campaign.runs_of(network))]
    for site, (network, number), stack, cache in product(campaign.sites, numbered, campaign.stacks, campaign.caches):
        if campaign.skips(cache, discovers=stack in discovering):
            continue
        recording, recorded_seed = recordings[site.name], (chance or {}).get(site.name)
        seeded_by = None if campaign.paired else stack
        runs.append(
            Run(
                site=site.name,
                recording=recording,
                network=network,
                stack=stack,
                number=number,
                seed=loss_seed(seed, recording, networks[network], seeded_by, number, cache=cache),
                page_seed=page_seed(seed, recording) if recorded_seed is None else recorded_seed,
                cache=cache,
            )
        )
    return sorted(runs, key=lambda run: [sha256_of_json(["order", seed, name]) for name in (run.block, run.path)])


def skipped(campaign: Campaign, discovering: Collection[str]) -> dict[str, list[str]]:
    """By cache mode, the stacks that have no runs in it, since it equals cold for them."""
    found = {
        cache: [stack for stack in campaign.stacks if campaign.skips(cache, discovers=stack in discovering)]
        for cache in campaign.caches
    }
    return {cache: stacks for cache, stacks in found.items() if stacks}


def blocks(runs: Iterable[Run], *, paired: bool) -> list[list[Run]]:
    """What is taken, voided and replaced as one, in order: a block of a paired campaign, else a run for itself."""
    if not paired:
        return [[run] for run in runs]
    return [list(members) for _, members in groupby(runs, key=lambda run: run.block)]


def not_taken(runs: Iterable[Run], taken: Container[str]) -> list[Run]:
    return [run for run in runs if run.path not in taken]


def preflights(runs: Sequence[Run]) -> list[Run]:
    """As few runs as it takes to have every site, network and stack among them: what to try before the campaign."""
    firsts = {(run.site, run.network, run.stack): run for run in runs}
    kinds = [sorted({getattr(run, kind) for run in runs}) for kind in ("site", "network", "stack")]
    padded = [[values[i % len(values)] for i in range(max(map(len, kinds)))] for values in kinds]
    return [firsts[key] for key in zip(*padded, strict=True) if key in firsts]
