"""Computes the analysis of 2019 for the takes of a comparison. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.compare.arms import by_setting
from eyelevel.compare.comparison import Comparison
from eyelevel.compare.floors import floors
from eyelevel.compare.model import Pair
from eyelevel_papers.wolsing2019.beside import BesideRow, beside
from eyelevel_papers.wolsing2019.gains import AverageRow, GainRow, OneTripRow, averages, gains, one_trip


@dataclass(frozen=True)
class Replication:
    """The analysis of 2019; `reference_gains` are those of every stack against the reference, for the distributions."""

    gains: Sequence[GainRow]
    reference_gains: Sequence[GainRow]
    averages: Sequence[AverageRow]
    one_trip: Sequence[OneTripRow]
    beside: Sequence[BesideRow]


def replicate(comparison: Comparison) -> Replication:
    batch, choices, paired = comparison.batch, comparison.choices, comparison.batch.campaign.paired
    settings = by_setting(comparison.loads)
    compared = sorted({load.stack for load in comparison.loads} - {choices.reference})
    rows = gains(settings, choices.pairs, paired=paired)
    shortened = one_trip(rows, batch.networks, {row.site: row.servers for row in comparison.sites})
    return Replication(
        gains=rows,
        reference_gains=gains(settings, [Pair(stack, choices.reference) for stack in compared], paired=paired),
        averages=averages(rows),
        one_trip=shortened,
        beside=beside(
            settings, choices.pairs, shortened, floors(comparison.alignment, choices.film_cost), paired=paired
        ),
    )
