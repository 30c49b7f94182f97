"""The results of a study in a few lines."""

from collections.abc import Iterator, Sequence

from eyelevel_stats import ComparisonRow, CorrelationRow, MosRow, Results

# a table with more rows is better read in its file
MOST_LINES = 24


def summary(results: Results, *, votes: int, participants: int) -> Iterator[str]:
    """Lines for a person: how much there is, then MOS, preferences and correlations."""
    yield f"{votes} votes of {participants} participants"
    yield from _cut([_mos(row) for row in results.mos], "mos.csv")
    yield from _cut([_preference(row) for row in results.comparisons], "comparisons.csv")
    yield from _cut([_correlation(row) for row in results.correlations], "correlations.csv")


def _cut(lines: Sequence[str], file: str) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield f"and {len(lines) - MOST_LINES} more lines in {file}"


def _mos(row: MosRow) -> str:
    interval = "" if row.ci_low is None else f" [{row.ci_low:.2f}, {row.ci_high:.2f}]"
    return f"MOS {row.mos:.2f}{interval}  n={row.n}  {row.site} {row.network} {row.stack} {row.context}"


def _preference(row: ComparisonRow) -> str:
    return (
        f"{row.stack_a} faster {row.share_a:.0%} [{row.ci_low:.0%}, {row.ci_high:.0%}], "
        f"{row.stack_b} faster {row.prefer_b / row.n:.0%}, no difference {row.no_difference / row.n:.0%}  "
        f"n={row.n}  {row.site} {row.network} {row.context}"
    )


def _correlation(row: CorrelationRow) -> str:
    return f"MOS and {row.metric.upper()} in {row.network}: {_strength(row)}  ({row.clips} clips, {row.votes} votes)"


def _strength(row: CorrelationRow) -> str:
    if row.pearson is None:
        return "unknown (fewer than 3 clips, or all alike)"
    if row.pearson_ci_low is None:
        return f"Pearson {row.pearson:.2f}"
    return f"Pearson {row.pearson:.2f} [{row.pearson_ci_low:.2f}, {row.pearson_ci_high:.2f}]"
