"""The tables of results, and those in depth, in the order of exports and pages."""

from collections.abc import Mapping
from typing import Any

from eyelevel_core.tables import Table
from eyelevel_stats.hypotheses.rows import EffectRow, HypothesisRow
from eyelevel_stats.rows import answers, comparisons, metrics, recalled, trust
from eyelevel_stats.rows.study import (
    METRIC_COLUMNS,
    ComparisonRow,
    CorrelationRow,
    IdenticalRow,
    LayoutRow,
    MosRow,
    PointRow,
    RepeatRow,
    ValueRow,
)

TABLES: dict[str, type[Any]] = {
    "hypotheses.csv": HypothesisRow,
    "effects.csv": EffectRow,
    "mos.csv": MosRow,
    "comparisons.csv": ComparisonRow,
    "correlations.csv": CorrelationRow,
    "points.csv": PointRow,
    "values.csv": ValueRow,
    "identical.csv": IdenticalRow,
    "repeats.csv": RepeatRow,
    "layouts.csv": LayoutRow,
}

IN_DEPTH: Mapping[str, Table] = {
    table.name: table for rows in (answers, trust, metrics, comparisons, recalled) for table in rows.TABLES
}

_STUDENT = "Student's t over participants, cut at the ends of the scale"
_WILSON = "Wilson's score interval over participants"
_INTERVAL = {
    "effects.csv": "Student's t, clustered by participant, and by site for sites like these",
    "mos.csv": _STUDENT,
    "points.csv": _STUDENT,
    "comparisons.csv": _WILSON,
    "values.csv": _STUDENT,
    "identical.csv": _WILSON,
    "repeats.csv": _WILSON,
}
_N = {"comparisons.csv": "answers", "identical.csv": "answers", "repeats.csv": "questions that were asked twice"}
_METRIC = {column.name: column.description for column in METRIC_COLUMNS}
_MEANING = {
    "hypothesis": "key of the hypothesis in the study's plan",
    "says": "the hypothesis as the plan states it",
    "outcome": "supported, contradicted or undecided; without an answer pending, failed (its computation), or "
    "unanswerable (the hypothesis has no kind)",
    "unknown": "networks that the hypothesis is about and on which no votes tell the stacks apart; with one it is not "
    "supported",
    "sentence": "the row in plain words",
    "first": "first stack of the hypothesis's pair",
    "second": "second stack of the pair, which the hypothesis is about",
    "estimate": "ratings: MOS of second minus MOS of first in points, each site on each network with the same weight, "
    "given participant, site, network and context; choices: the share of answers for second minus that for first",
    "level": "level of the interval from ci_low to ci_high: 1 - alpha, a fraction",
    "inner_level": "level of the interval from inner_low to inner_high: 1 - 2 alpha, a fraction",
    "inner_low": "lower end of the interval of level inner_level, by which equivalence is judged",
    "inner_high": "upper end of the same interval",
    "p_holm": "p_value corrected by Holm for the networks of the same hypothesis",
    "holds_alone": "yes or no: whether the verdict stays the same for this network alone: where p_value and "
    "p_equivalence are corrected by Holm for the networks of the same hypothesis",
    "p_equivalence": "p of the two one-sided tests against a difference as large as the margin; empty without a margin",
    "margin": "the smallest difference that matters, by the plan; empty where it states none",
    "margin_d": "margin / standard deviation of single votes about the fitted values (participants, sites, contexts, "
    "stack); choices count 1, 0 and -1",
    "margin_si": "the relative change of SI that is worth the margin, a fraction (0.12: an SI that is 12 % larger); "
    "ratings: by the mapping wql of the clips' MOS; choices: by the slope of answers on the ratio of both SI",
    "margin_si_why": "why margin_si is empty; empty where it is not",
    "margin_si_reason": "the same as JSON: a code, and the values that the sentence in margin_si_why names",
    "reason": "metrics: why they are not compared, as JSON: a code, and the values that the sentence names; else empty",
    "least_margin": "m*: the smallest margin at which the votes would show equivalence; unit as in estimate",
    "power": "the power of the plan, to which detectable belongs; a fraction",
    "detectable": "the smallest true difference that the planned number of participants finds with that power, if "
    "votes vary as these do and sites stay the same; unit as in estimate; empty where unknown",
    "verdict": "different; different, but smaller than the margin; equivalent; or undecided",
    "scope": "whether the interval holds for sites like these (5 sites or more), or for these very sites",
    "sites": "sites that the row counts",
    "site": "site of the stimulus",
    "network": "network of the stimulus",
    "stack": "stack of the clip",
    "context": "key of the context in which the participants were asked to imagine themselves",
    "clip_sha256": "the very clip that was shown",
    "mos": "mean opinion score, 1 extremely bad to 7 ideal; several votes of one participant are averaged first",
    "sd": "standard deviation between participants (divisor n - 1); empty where n is 1",
    "stack_a": "of the two stacks the one whose name sorts first, whichever side it was shown on",
    "stack_b": "the other stack",
    "prefer_a": "answers that stack_a loaded faster",
    "prefer_b": "answers that stack_b loaded faster",
    "no_difference": "answers that there is no difference",
    "share_a": "prefer_a / n; answers of no difference are part of n",
    "metric": "the metric that the clips' MOS is compared with",
    "clips": "clips with votes and a known metric, one point each",
    "votes": "votes that the row counts",
    "pearson": "Pearson's correlation of MOS and metric; empty for the reason in why",
    "spearman": "Spearman's rank correlation of the same points",
    "pearson_ci_low": "lower end of the 95 % interval of pearson by Fisher's z; empty where pearson is",
    "pearson_ci_high": "upper end of the same interval",
    "why": "why coefficients, interval and p are empty: fewer than 10 clips or 5 sites, or constant values",
    "kind": "kind of trial",
    "layout": "how the answers stood: row or column; it follows the window, so devices differ as well",
    "mean": "mean value on the kind's own scale; several votes of one participant are averaged first",
    "participants": "people who gave the answers",
    "chose_left": "answers that the left side loaded faster, although both show one stack",
    "chose_right": "answers that the right side loaded faster, although both show one stack",
    "share_different": "(chose_left + chose_right) / n: how often a difference was seen where there is none",
    "equal": "questions with the same answer twice",
    "share_equal": "equal / n",
    "mean_difference": "mean of |second - first| on the kind's own scale; empty where answers are words",
    "p_value": "two-sided p against no correlation (correlations.csv: of pearson) or no difference, by Student's t",
}


def meaning(table: str, column: str) -> str:
    """What a column of one of TABLES holds; the interval and n differ between tables."""
    if column == "n":
        return _N.get(table, "participants")
    if column in {"ci_low", "ci_high"}:
        end = "lower" if column == "ci_low" else "upper"
        level = "interval of level 1 - alpha" if table == "effects.csv" else "95 % interval"
        return f"{end} end of the {level} ({_INTERVAL[table]}); empty where unknown"
    if column in _METRIC:
        return _METRIC[column]
    return _MEANING[column]
