"""Summary of the results of a study in a few lines."""

from collections.abc import Iterator, Sequence

from eyelevel_core.model.metrics import LABELS
from eyelevel_stats.rows.study import (
    ComparisonRow,
    CorrelationRow,
    IdenticalAnswers,
    LayoutRow,
    MosRow,
    RepeatRow,
    ValueRow,
)
from eyelevel_stats.study import Results

# a longer table is cut; its file has all rows
MOST_LINES = 24


def summary(results: Results, lead: str) -> Iterator[str]:
    """Yields the lines of the summary: counts, results of each condition, and the reliability of the votes."""
    yield lead
    for row in results.hypotheses:
        yield row.sentence
        effects = [effect.sentence for effect in results.effects if effect.hypothesis == row.hypothesis]
        # one effect is in the sentence above
        yield from (f"  {sentence}" for sentence in (effects if len(effects) > 1 else ()))
    yield from _cut([_mos(row) for row in results.mos], "mos.csv")
    yield from _cut([_preference(row) for row in results.comparisons], "comparisons.csv")
    yield from _cut([_correlation(row) for row in results.correlations], "correlations.csv")
    yield from _cut([_value(row) for row in results.values], "values.csv")
    if results.identical_all is not None:
        yield _identical(results.identical_all)
    yield from (_repeats(row) for row in results.repeats)
    if len({row.layout for row in results.layouts}) > 1:
        yield from (_layout(row) for row in results.layouts)


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


def _value(row: ValueRow) -> str:
    interval = "" if row.ci_low is None else f" [{row.ci_low:.1f}, {row.ci_high:.1f}]"
    return f"{row.kind} {row.mean:.1f}{interval}  n={row.n}  {row.site} {row.network} {row.stack} {row.context}"


def _identical(all_: IdenticalAnswers) -> str:
    return (
        f"identical pairs: a difference seen in {all_.share_different:.0%} [{all_.ci_low:.0%}, {all_.ci_high:.0%}], "
        f"left {all_.chose_left}, right {all_.chose_right}, no difference {all_.no_difference}"
    )


def _repeats(row: RepeatRow) -> str:
    apart = "" if row.mean_difference is None else f", {row.mean_difference:.2f} apart on average"
    share = f"{row.share_equal:.0%} [{row.ci_low:.0%}, {row.ci_high:.0%}]"
    return f"{row.kind} asked twice: same answer {share}{apart}  n={row.n}"


def _layout(row: LayoutRow) -> str:
    mean = "" if row.mean is None else f", mean {row.mean:.2f}"
    return f"{row.kind} with the answers in a {row.layout}: {row.votes} votes{mean}  n={row.n}"


def _correlation(row: CorrelationRow) -> str:
    return f"MOS and {LABELS[row.metric]} in {row.network}: {_strength(row)}  ({row.clips} clips, {row.votes} votes)"


def _strength(row: CorrelationRow) -> str:
    if row.pearson is None:
        return f"unknown ({row.why})"
    if row.pearson_ci_low is None:
        return f"Pearson {row.pearson:.2f}"
    return f"Pearson {row.pearson:.2f} [{row.pearson_ci_low:.2f}, {row.pearson_ci_high:.2f}]"
