"""The whole comparison, from a batch and a few choices to rows of values. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.compare.arms import by_setting
from eyelevel.compare.belief import Correction, OverallTest, SiteTest, overall_tests, site_tests
from eyelevel.compare.model import Batch, Load, Pair
from eyelevel.compare.quality import (
    Alignment,
    LeftOut,
    RateTest,
    StackCount,
    alignments,
    left_out,
    rate_tests,
    stack_counts,
)
from eyelevel.compare.replication import AverageRow, GainRow, OneTripRow, averages, gains, one_trip
from eyelevel.compare.scope import SiteFidelity, judge_sites
from eyelevel.compare.sites import SiteRow, site_rows
from eyelevel.errors import BadInputError


@dataclass(frozen=True)
class Choices:
    """What a person decided. `reference` is what the distributions are drawn against, `cache` which visits count."""

    pairs: Sequence[Pair]
    reference: str
    min_exact: float
    correction: Correction
    cache: str = "cold"


@dataclass(frozen=True)
class Comparison:
    """Everything that the report shows. `loads` are those of the sites that were kept."""

    batch: Batch
    choices: Choices
    loads: Sequence[Load]
    fidelity: Sequence[SiteFidelity]
    gains: Sequence[GainRow]
    reference_gains: Sequence[GainRow]
    averages: Sequence[AverageRow]
    one_trip: Sequence[OneTripRow]
    sites: Sequence[SiteRow]
    site_tests: Sequence[SiteTest]
    overall: Sequence[OverallTest]
    counts: Sequence[StackCount]
    rates: Sequence[RateTest]
    alignment: Sequence[Alignment]
    left_out: Sequence[LeftOut]

    @property
    def networks(self) -> list[str]:
        """Those of the loads, in the campaign's order."""
        there = {load.network for load in self.loads}
        return [network for network in self.batch.campaign.networks if network in there]


def compare(batch: Batch, choices: Choices) -> Comparison:
    """Raise BadInputError where no site is faithful enough, or no pair has both of its stacks in one scene."""
    visits = [load for load in batch.loads if load.cache == choices.cache]
    fidelity = judge_sites(visits, min_exact=choices.min_exact, served_otherwise=batch.served_otherwise)
    kept = {row.site for row in fidelity if row.kept}
    # network by network, as the campaign lists them
    networks = batch.campaign.networks
    loads = sorted(
        (load for load in visits if load.site in kept), key=lambda load: (networks.index(load.network), load.site)
    )
    if not loads:
        raise BadInputError(
            f"No site has {choices.min_exact:.0%} of its requests matched exactly ({fidelity[0].site}: "
            f"{fidelity[0].reason}); record the sites again, or lower --min-exact."
        )
    settings = by_setting(loads)
    rows = gains(settings, choices.pairs)
    if not rows:
        raise BadInputError(
            f"No site and network has takes of both stacks of {' or '.join(map(str, choices.pairs))}; "
            "capture more runs, or name another --pair."
        )
    others = sorted({load.stack for load in loads} - {choices.reference})
    aligned = alignments(loads, choices.pairs)
    campaign = batch.campaign
    tests = site_tests(
        settings,
        choices.pairs,
        limits_ms=campaign.limits_ms,
        paired=campaign.paired,
        correction=choices.correction,
    )
    sites = site_rows(visits)
    attempts = None if batch.attempts is None else [one for one in batch.attempts if one.cache == choices.cache]
    counts = stack_counts(visits, attempts, campaign, cache=choices.cache)
    return Comparison(
        batch=batch,
        choices=choices,
        loads=loads,
        fidelity=fidelity,
        gains=rows,
        reference_gains=gains(settings, [Pair(stack, choices.reference) for stack in others]),
        averages=averages(rows),
        one_trip=one_trip(rows, batch.networks, {row.site: row.servers for row in sites}),
        sites=sites,
        site_tests=tests,
        overall=overall_tests(
            tests,
            {(row.network, row.pair): row.paint for row in aligned if row.network is not None},
            correction=choices.correction,
        ),
        counts=counts,
        rates=rate_tests(counts, choices.pairs),
        alignment=aligned,
        left_out=left_out(loads),
    )
