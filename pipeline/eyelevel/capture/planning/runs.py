"""Expands a campaign into its runs, with seeds and order. Pure."""

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
    """Returns all runs of a campaign in the order of capture.

    `recordings` maps sites to the digests of their recordings, `networks` maps networks to those of their definitions.
    `chance` maps sites to the page seeds of their recordings, which are used again; a site without one gets a seed from
    the campaign's. `discovering` are the names of the stacks that discover QUIC.

    The order of blocks, and of stacks within a block, is random by the campaign's seed, so that drift of the machine
    affects all stacks equally. In a paired campaign, the stacks of a block share their seed.
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
    """Returns the stacks without runs by cache mode, because the mode equals cold for them."""
    by_cache = {
        cache: [stack for stack in campaign.stacks if campaign.skips(cache, discovers=stack in discovering)]
        for cache in campaign.caches
    }
    return {cache: stacks for cache, stacks in by_cache.items() if stacks}


def blocks(runs: Iterable[Run], *, paired: bool) -> list[list[Run]]:
    """Groups runs that are captured, voided and repeated together: blocks of a paired campaign, else single runs."""
    if not paired:
        return [[run] for run in runs]
    return [list(members) for _, members in groupby(runs, key=lambda run: run.block)]


def not_taken(runs: Iterable[Run], taken: Container[str]) -> list[Run]:
    return [run for run in runs if run.path not in taken]


def preflights(runs: Sequence[Run]) -> list[Run]:
    """Returns a few runs that include every site, network and stack, to try before the campaign."""
    firsts = {(run.site, run.network, run.stack): run for run in runs}
    kinds = [sorted({getattr(run, kind) for run in runs}) for kind in ("site", "network", "stack")]
    padded = [[values[i % len(values)] for i in range(max(map(len, kinds)))] for values in kinds]
    return [firsts[key] for key in zip(*padded, strict=True) if key in firsts]
