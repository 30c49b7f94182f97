"""The page about a long table of scores."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from eyelevel.analyse.best import Resampled, best_sentences
from eyelevel.analyse.long_table.metric_table import MetricTable
from eyelevel.analyse.predictions import Predictions
from eyelevel.analyse.quality import Quality, Spread
from eyelevel.analyse.report.metrics import ceiling_parts, in_short, leader_figures, metric_parts, scatter_plots
from eyelevel.analyse.report.opinion_figure import Mean, is_cut, opinion_figure
from eyelevel.analyse.report.parts import NO_SESSIONS, Section, captioned, facts, how_to_read, listed, page, shown
from eyelevel.analyse.report.predictions import prediction_parts
from eyelevel.analyse.report.score_figure import score_figure
from eyelevel.analyse.score_results import ScoreResults
from eyelevel.analyse.tables import distribution_table, mos_table, participant_table
from eyelevel.report.words import count, decimal, plural, share
from eyelevel_figures.elements import tag
from eyelevel_figures.words import Words
from eyelevel_stats.rows.answers import END_SHARE


def score_page(
    results: ScoreResults,
    metrics: MetricTable | None,
    found: Resampled | None = None,
    *,
    predicted: Predictions | None = None,
    source: str,
    origin: str,
    read: Mapping[str, str],
    notices: Sequence[str],
    provenance: Mapping[str, str],
) -> dict[str, str]:
    """The page and its figures as files; `read` and `provenance` are facts to list, `source` is the name of the file.

    `origin` is what figures name as their source. `found` and `predicted` are None before they are computed.
    """
    ends = (results.scale.low, results.scale.high)
    own = results.quality
    lead = (
        f"{plural(own.votes, 'vote')} of {plural(own.participants, 'participant')} on "
        f"{plural(own.stimuli, 'stimulus', 'stimuli')}, on a scale from {ends[0]:g} to {ends[1]:g}."
    )
    short = [*summary(results), *best_sentences(found.best if found else [])]
    return page(
        f"Opinion scores of {source}",
        lead,
        [
            Section(
                "short",
                "In short",
                [listed(short, "short")],
            ),
            Section("read", "What was read", [facts(read), *([listed(notices, "notices")] if notices else [])]),
            Section("quality", "Quality of the votes", _quality(results)),
            Section("mos", "Mean opinion scores", _opinions(results, ends, origin)),
            Section("distribution", "Distribution of scores", _distribution(results, origin)),
            Section("metrics", "Metrics against people", _metrics(results, metrics, ends, found, origin)),
            *(
                [Section("predictions", "Predictions for left-out sites", prediction_parts(predicted, ends, origin))]
                if predicted is not None
                else []
            ),
            Section("provenance", "Where it comes from", [facts(provenance)]),
        ],
    )


def summary(results: ScoreResults) -> list[str]:
    """The most important results, a sentence each."""
    low = min(results.stimuli, key=lambda row: row.mos)
    high = max(results.stimuli, key=lambda row: row.mos)
    widths = sorted(
        (row.ci_high - row.ci_low) / 2 for row in results.stimuli if row.ci_low is not None and row.ci_high is not None
    )
    said = [
        f"Mean opinion scores range from {decimal(low.mos)} (stimulus {low.stimulus}) to {decimal(high.mos)} "
        f"(stimulus {high.stimulus})."
    ]
    half = widths[len(widths) // 2] if widths else 0.0
    if half:
        said.append(
            f"The 95 % interval of a stimulus is typically {decimal(half)} points wide to either side; smaller "
            "differences between two stimuli may be chance."
        )
    said += ceiling_effects(results.quality, results.scale.low, results.scale.high)
    return said + (in_short(results.leaders) if results.leaders else [])


def ceiling_effects(own: Quality, low: float, high: float) -> list[str]:
    """A warning for each end of the scale at which many votes lie."""
    return [
        f"{share(part)} of the votes are {end:g}, the {name} end of the scale: differences between {kind} stimuli may "
        "not show."
        for part, end, name, kind in (
            (own.at_low_end, low, "lower", "bad"),
            (own.at_high_end, high, "upper", "good"),
        )
        if part > END_SHARE
    ]


def _quality(results: ScoreResults) -> list[Element]:
    own = results.quality
    pairs = {
        "votes per participant": _spread(own.per_participant),
        "participants per stimulus": _spread(own.per_stimulus),
        "further votes on a stimulus": count(own.repeated),
        "votes at the ends of the scale": (
            f"{share(own.at_low_end)} at {results.scale.low:g}, {share(own.at_high_end)} at {results.scale.high:g}"
        ),
        "agreement of participants": (
            "unknown: no participant shares 10 stimuli with others"
            if own.agreement is None
            else f"median correlation with the others’ means {decimal(own.agreement)}"
        ),
        "against the others": f"{plural(own.against, 'participant')} with a correlation below 0",
        "one score throughout": f"{plural(own.constant, 'participant')} with at least 10 stimuli",
    }
    return [
        facts(pairs),
        how_to_read(
            "Nobody is excluded here.",
            "A participant whose scores run against those of the others may have misunderstood the scale. "
            "Somebody who gives one score throughout may see no difference, which is an answer as well.",
        ),
        shown(participant_table(results.participants)),
        tag("p", NO_SESSIONS, class_="note"),
    ]


def _spread(own: Spread) -> str:
    if own.least == own.most:
        return f"{own.least:,}"
    return f"{own.least:,} to {own.most:,}, median {own.median:,.0f}"


def _opinions(results: ScoreResults, ends: tuple[float, float], origin: str) -> list[Element]:
    ordered = sorted(results.stimuli, key=lambda row: -row.mos)
    means = [Mean(row.stimulus, row.mos, row.ci_low, row.ci_high, row.n) for row in ordered]
    few = sum(row.n < 2 for row in results.stimuli)
    notes = [Words()("cut.scale")] * is_cut(means, ends)
    notes += [f"{plural(few, 'stimulus has', 'stimuli have')} one participant, and no interval."] * (few > 0)
    return [
        captioned(opinion_figure(means, ends, "opinions"), origin, mos_table(results.stimuli), notes),
        how_to_read(Words()("opinions.how")),
    ]


def _distribution(results: ScoreResults, origin: str) -> list[Element]:
    return [
        captioned(score_figure(results.scores, "scores"), origin, distribution_table(results.scores)),
        how_to_read(Words()("scores.how")),
    ]


def _metrics(
    results: ScoreResults,
    metrics: MetricTable | None,
    ends: tuple[float, float],
    found: Resampled | None,
    origin: str,
) -> list[Element]:
    if metrics is None or results.leaders is None:
        return [
            tag(
                "p",
                "No metrics were given. A table with a row per stimulus and a column per metric, given with --metrics, "
                "is compared with the scores here.",
            ),
            *(ceiling_parts(found.ceilings) if found else []),
        ]
    return metric_parts(
        results.leaders,
        found,
        leaders=leader_figures(results.leaders, found, origin),
        plots=scatter_plots(results.leaders, results.clips, metrics.metrics, ends, origin),
    )
