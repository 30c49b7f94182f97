"""Tables of simulated studies as text for a terminal."""

from collections.abc import Iterator, Sequence

from eyelevel.study.simulation import Simulation
from eyelevel.study.wording import table
from eyelevel_stats.planning.rows import OutcomeRow, PowerRow, SmallestRow

VERDICTS = (
    "hypothesis",
    "network",
    "holds for",
    "true difference",
    "different",
    "but smaller",
    "equivalent",
    "undecided",
    "median width",
)
OUTCOMES = ("hypothesis", "true difference", "supported", "contradicted", "undecided")


def simulation_lines(result: Simulation) -> Iterator[str]:
    """Yields the lines that `eyelevel study check --simulate` prints below the forecast."""
    if not result.power.outcomes:
        yield "No hypothesis of the plan is about two stacks that the study shows, so nothing was simulated."
        return
    yield (
        f"Simulated studies ({result.studies} for each true difference, {100 * result.assumptions.unfilled:g} % of the "
        "participants missing at the end):"
    )
    yield from table([VERDICTS, *(_verdict(row) for row in result.power.verdicts)], numbers=3)
    yield "Columns with %: share of simulated studies with this verdict. Median width: that of the interval."
    yield "Ratings are in points; comparisons are the share of answers for the second stack minus that for the first."
    yield ""
    yield "How often these studies support or contradict a hypothesis, if all its networks have the true difference:"
    yield from table([OUTCOMES, *(_outcome(row) for row in result.power.outcomes)], numbers=1)
    for row in result.power.smallest:
        yield _smallest(row)
    yield ""
    yield from _assumed(result)


def _verdict(row: PowerRow) -> Sequence[str]:
    width = "?" if row.median_width is None else f"{row.median_width:.2f}"
    shares = (row.different, row.smaller, row.equivalent, row.undecided)
    return (row.hypothesis, row.network, row.scope, f"{row.true_difference:.3g}", *map(_share, shares), width)


def _outcome(row: OutcomeRow) -> Sequence[str]:
    shares = (row.supported, row.contradicted, row.undecided)
    return (row.hypothesis, f"{row.true_difference:.3g}", *map(_share, shares))


def _smallest(row: SmallestRow) -> str:
    where = f"{row.hypothesis} ({row.network})"
    if row.smallest is None:
        return f"{where}: a difference of {row.largest:.3g} is detected with less than a power of {row.power:g}."
    return f"{where}: a difference of {row.smallest:.2f} is detected with a power of {row.power:g} (interpolated)."


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _assumed(result: Simulation) -> Iterator[str]:
    kinds = {row.kind for row in result.power.verdicts}
    if result.sites is not None:
        yield (
            f"Assumed without a batch: {result.sites} sites if the file gives none, one clip per setting, and only "
            "the stacks that the file names."
        )
    if "rate" in kinds:
        of = result.assumptions.ratings.spreads
        yield f"Standard deviations in ratings ({result.ratings_from}), in points: participants {of.participant:.2f},"
        yield (
            f"  single votes {of.residual:.2f}, clips {of.clip:.2f}; of the difference between stacks: participants "
            f"{of.participant_slope:.2f}, sites {of.site_slope:.2f}."
        )
    if "compare" in kinds:
        of = result.assumptions.comparisons.spreads
        yield f"Standard deviations in comparisons ({result.comparisons_from}), over that of single answers:"
        yield f"  participants {of.participant_slope:.2f}, sites {of.site_slope:.2f}, clips {of.clip:.2f}."
    sources = {"rate": result.ratings_from, "compare": result.comparisons_from}
    if any(sources[kind] == "defaults" for kind in kinds):
        yield "Defaults are assumptions; to estimate them instead, give the export of a pilot study with --pilot."
