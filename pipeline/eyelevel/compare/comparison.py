"""Computes a comparison from a batch and the user's choices. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.compare.amounts import AmountRow, amounts
from eyelevel.compare.arms import Setting, by_setting
from eyelevel.compare.films import FilmTest, film_tests
from eyelevel.compare.floors import FILM_COST, floors
from eyelevel.compare.inference import Correction, OverallTest, SiteTest, overall_tests, site_tests
from eyelevel.compare.machines import Machines, machines, remark, without
from eyelevel.compare.model import Batch, Load, Pair
from eyelevel.compare.moving import MotionTake, MotionTest, motion_tests, with_findings
from eyelevel.compare.pressure import PressureTest, pressure_tests
from eyelevel.compare.quality import (
    Alignment,
    FirstPaints,
    LeftOut,
    alignments,
    first_paints,
    left_out,
    off_by_a_frame,
    stack_counts,
)
from eyelevel.compare.sites import SiteRow, site_rows
from eyelevel.compare.spread import SpreadRow, spreads
from eyelevel.errors import BadInputError
from eyelevel_core.comparability.exclusion import ExcludedTake, Selection, content_unknown, failed_requests, select
from eyelevel_core.comparability.model import SettingsMismatch
from eyelevel_core.comparability.parity import beyond_parity
from eyelevel_core.comparability.sites import SiteFidelity, unchecked
from eyelevel_stats.arms.rates import PairTest, StackCount, pair_tests


@dataclass(frozen=True)
class Choices:
    """The user's choices. `reference` is the stack that distributions are drawn against, `cache` selects the visits.

    `film_cost` is the largest fraction of the time by which filming may slow one stack more than another.
    """

    pairs: Sequence[Pair]
    reference: str
    correction: Correction
    cache: str = "cold"
    film_cost: float = FILM_COST


@dataclass(frozen=True)
class Comparison:
    """All data of the report. `loads` are the compared takes.

    `with_all` is `overall` recomputed with the takes of `content_mismatches`; empty if there are none.
    """

    batch: Batch
    choices: Choices
    loads: Sequence[Load]
    fidelity: Sequence[SiteFidelity]
    sites: Sequence[SiteRow]
    site_tests: Sequence[SiteTest]
    overall: Sequence[OverallTest]
    amounts: Sequence[AmountRow]
    counts: Sequence[StackCount]
    rates: Sequence[PairTest[Pair]]
    alignment: Sequence[Alignment]
    films: Sequence[FilmTest]
    pressure: Sequence[PressureTest]
    spread: Sequence[SpreadRow]
    machines: Machines
    motion: Sequence[MotionTest]
    with_motion: Sequence[MotionTake]
    left_out: Sequence[LeftOut]
    settings_mismatches: Sequence[SettingsMismatch]
    content_mismatches: Sequence[ExcludedTake[Load]]
    with_all: Sequence[OverallTest]
    first_paints: Sequence[FirstPaints]
    off_by_a_frame: Sequence[Load]
    remarks: Sequence[str]

    @property
    def networks(self) -> list[str]:
        """The networks of the loads, in the campaign's order."""
        present = {load.network for load in self.loads}
        return [network for network in self.batch.campaign.networks if network in present]


def compare(batch: Batch, choices: Choices) -> Comparison:
    """Compares the stacks; raises BadInputError if no site passes its checks, or no pair has both stacks in a scene."""
    findings, campaign = batch.findings, batch.campaign
    of_machines = machines(batch.loads, batch.sentinels, most=campaign.max_machine_share)
    visits = [load for load in without(batch.loads, of_machines.excluded) if load.cache == choices.cache]
    mismatched = None if findings is None else findings.content_mismatches.keys()
    # network by network, as the campaign lists them
    ordered = sorted(visits, key=lambda load: (campaign.networks.index(load.network), load.site))
    left = select(ordered, findings, cache=choices.cache, checks=batch.checks)
    if not any(row.kept for row in left.sites):
        raise BadInputError(
            f"No site can be compared ({left.sites[0].site}: {left.sites[0].reason}); record the sites again."
        )
    loads = left.kept
    settings = by_setting(loads)
    aligned = alignments(loads, choices.pairs)
    lowest = floors(aligned, choices.film_cost)

    def tested(settings: Mapping[Setting, Sequence[Load]]) -> tuple[list[SiteTest], list[OverallTest]]:
        tests = site_tests(
            settings,
            choices.pairs,
            limits_ms=campaign.limits_ms,
            paired=campaign.paired,
            correction=choices.correction,
        )
        return tests, overall_tests(tests, lowest, correction=choices.correction)

    tests, overall = tested(settings)
    if not tests:
        raise BadInputError(_nothing(choices, left))
    attempts = (
        None if batch.attempts is None else [attempt for attempt in batch.attempts if attempt.cache == choices.cache]
    )
    counts = stack_counts(
        visits,
        attempts,
        batch.campaigns,
        cache=choices.cache,
        stacks=batch.stacks,
        comparable=left.comparable,
        mismatched=mismatched,
    )
    networks = dict.fromkeys(load.network for load in loads)
    remarks = [
        remark(of_machines, most=campaign.max_machine_share),
        unchecked(left.sites),
        *(beyond_parity(name, batch.networks[name].definition) for name in networks),
        content_unknown(visits, findings),
        failed_requests(loads, findings),
    ]
    return Comparison(
        batch=batch,
        choices=choices,
        loads=loads,
        fidelity=left.sites,
        sites=site_rows(visits),
        site_tests=tests,
        overall=overall,
        amounts=amounts(settings, choices.pairs),
        counts=counts,
        rates=pair_tests(counts, choices.pairs),
        alignment=aligned,
        films=film_tests(loads, choices.pairs),
        pressure=pressure_tests(loads, choices.pairs),
        spread=spreads(settings),
        machines=of_machines,
        motion=motion_tests(loads, choices.pairs),
        with_motion=with_findings(loads),
        left_out=left_out(loads),
        settings_mismatches=left.settings_mismatches,
        content_mismatches=left.mismatched,
        with_all=tested(by_setting(left.comparable))[1] if left.mismatched else [],
        first_paints=first_paints(loads),
        off_by_a_frame=[load for load in loads if off_by_a_frame(load)],
        remarks=[*batch.remarks, *(words for words in remarks if words)],
    )


def _nothing(choices: Choices, left: Selection[Load]) -> str:
    """Why no pair can be compared, in one sentence."""
    asked = f"No site and network has takes of both stacks of {' or '.join(map(str, choices.pairs))}"
    if left.settings_mismatches:
        first = left.settings_mismatches[0]
        return (
            f"{asked} that differ only in their definitions ({first.take} and {first.than}: {first.how[0]}); "
            "see fidelity.json, and capture these sites again."
        )
    if left.mismatched:
        return (
            f"{asked} that were served the same content (such as {left.mismatched[0].load.path}); see fidelity.json, "
            "and capture more runs."
        )
    return f"{asked}; capture more runs, or give another --pair."
