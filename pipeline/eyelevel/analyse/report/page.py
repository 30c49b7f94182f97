"""The page about votes of any source: of a study, the plan's hypotheses first."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from eyelevel.analyse.export.given import IN_FIELD
from eyelevel.analyse.given import Given, Study
from eyelevel.analyse.prediction.left_out import Predictions
from eyelevel.analyse.report.figures import Figures, figures_of
from eyelevel.analyse.report.metrics import ceiling_parts, metric_parts
from eyelevel.analyse.report.parts import Section, facts, folded, how_to_read, listed, page, shown
from eyelevel.analyse.report.predictions import prediction_parts
from eyelevel.analyse.results.best import best_sentences
from eyelevel.analyse.results.closed import Closed
from eyelevel.analyse.results.quality import Quality, Spread
from eyelevel.analyse.results.sentences import fit_sentences, in_short
from eyelevel.analyse.tables import FOLDER, Sheets
from eyelevel.report.words import count, decimal, plural, share
from eyelevel_figures.elements import tag
from eyelevel_stats.in_depth.compute import InDepth
from eyelevel_stats.study import Results

POOLED_SITES = (
    "The correlations by network pool all sites, so that they are large wherever sites differ in speed. Prefer the "
    "leaderboard, which also compares clips of the same site and has the noise ceiling and intervals over participants "
    "and sites."
)
NO_SESSIONS = (
    "There is no funnel of sessions and no multiverse of exclusions: both need the excluded sessions, which an "
    "export of Eyelevel has and a table of votes does not."
)
NO_METRICS = (
    "No metrics were given. A table with a row per stimulus and a column per metric, given with --metrics, is compared "
    "with the scores here."
)
HOW = {
    "worths": (
        "The worth orders what was compared whichever pairs were asked: of two, the odds that the first is chosen are "
        "the ratio of their worths, once answers of no difference are set aside (Davidson’s model). Worths of "
        "different components cannot be compared, because no chain of pairs connects them."
    ),
    "jod": (
        "At a distance of 1 JOD, 75 % of the decided answers choose A. Below 0, B is chosen more often. The intervals "
        "(95 %) take participants as independent."
    ),
    "pair-components": (
        "Where both sides are equal, the share of no difference is nu / (2 + nu). Above 0, the side bias favours the "
        "left side."
    ),
    "thresholds": (
        "At the discrimination threshold, 75 % of the decided answers are for the side with the better value. At the "
        "indifference threshold, no difference is as frequent as that side; it depends on how readily people say so. "
        "Both are ratios of the metric’s values minus 1, and mean something only of metrics with a true zero, such as "
        "times."
    ),
    "slopes": (
        "The slope is the change of the log odds of the better side per unit of the natural logarithm of the ratio."
    ),
    "detection": "At d′ of 0, people name a side as often where both sides are identical as where they differ.",
    "signs": (
        "Of the pairs about which most participants agree, the share in which the metric has the better value for the "
        "one that they prefer. A metric that says nothing reaches 50 %. A smaller value is better, but of metrics that "
        "were named with --higher-is-better."
    ),
}


def report(
    given: Given,
    found: Closed,
    *,
    make: Sheets,
    notices: Sequence[str],
    deep: InDepth | None = None,
    predicted: Predictions | None = None,
    no_multiverse: str | None = None,
) -> dict[str, str]:
    """The page and its figures as files; `deep` and `predicted` are None before they are computed.

    `no_multiverse` says why the tables in depth have none.
    """
    figures = figures_of(given, found, deep)
    results = found.results
    sections: list[Section] = []

    def add(key: str, title: str, parts: Sequence[Element]) -> None:
        if parts:
            sections.append(Section(key, title, parts))

    if given.study is not None:
        add("hypotheses", "Hypotheses of the plan", _hypotheses(given.study, results, make, figures))
        if given.study.departures is not None:
            add("departures", "Departures from the plan", [_departures(given.study.departures)])
    else:
        add("short", "In short", [listed(_short(given, found, deep), "short")])
    add("read", "What was read", [facts(given.read), *([listed(notices, "notices")] if notices else [])])
    add("screening", "Screening of sessions", _screening(given.study, figures))
    if found.quality is not None:
        add("quality", "Quality of the votes", _quality(given, found, found.quality, make))
    if found.ratings:
        add("mos", "Mean opinion scores", figures.mos(make.sheet("mos", results.mos)))
        distribution = make.sheet("distribution", found.scores)
        add("distribution", "Distribution of scores", figures.distribution(distribution))
    if results.comparisons:
        comparisons = figures.comparisons(make.sheet("comparisons", results.comparisons))
        add("comparisons", "Side by side", [*comparisons, *_preferred(found, make)])
    add("metrics", "Metrics against people", [*_metrics(given, found, deep, make, figures)])
    if predicted is not None:
        parts = prediction_parts(predicted, given.scale, given.source, make)
        add("predictions", "Predictions for left-out sites", parts)
    if results.values:
        add("values", "Other scales", [shown(make.sheet("values", results.values))])
    add("trust", "How far the votes can be trusted", _trust(results, make))
    if deep is not None and deep.tables:
        add("depth", "In depth", _depth(found, deep, make, figures, no_multiverse))
    add("provenance", "Where it comes from", [facts(given.provenance)])
    return page(given.title, given.lead, sections)


def _short(given: Given, found: Closed, deep: InDepth | None) -> list[str]:
    said = in_short(given, found)[1:]
    return [*said, *best_sentences(deep.best), *fit_sentences(deep.tables)] if deep else said


def _hypotheses(study: Study, results: Results, make: Sheets, figures: Figures) -> list[Element]:
    if study.collecting and not results.hypotheses:
        return [tag("p", IN_FIELD)]
    if not results.hypotheses:
        words = (
            "There is none that can be answered: the plan states no pair of stacks, or the study’s file, study.json, "
            "is not beside the votes."
        )
        return [tag("p", words)]
    items: list[Element] = []
    for row in results.hypotheses:
        effects = [one.sentence for one in results.effects if one.hypothesis == row.hypothesis]
        said = [row.sentence] if len(effects) < 2 else [row.sentence, listed(effects, "effects")]
        items += [tag("dt", row.says, tag("span", row.outcome, class_="claim")), tag("dd", *said)]
    return [
        *([tag("p", IN_FIELD)] if study.collecting else []),
        tag("dl", items, class_="answer"),
        *figures.parts("effects"),
        how_to_read(
            "Supported and contradicted are said only where the interval decides; undecided means that the votes are "
            "compatible with both.",
        ),
        shown(make.sheet("effects", results.effects)),
    ]


def _departures(sentences: Sequence[str]) -> Element:
    return listed(sentences, "departures") if sentences else tag("p", "The platform knows of none.")


def _screening(study: Study | None, figures: Figures) -> list[Element]:
    if study is None:
        return [tag("p", NO_SESSIONS, class_="note")]
    if study.screened.why:
        return [tag("p", f"There is no funnel: {study.screened.why}.")]
    return figures.parts("screening")


def _quality(given: Given, found: Closed, own: Quality, make: Sheets) -> list[Element]:
    one = "clip" if given.study else "stimulus"
    known = {
        "votes per participant": _spread(own.per_participant),
        f"participants per {one}": _spread(own.per_stimulus),
        f"further votes on a {one}": count(own.repeated),
        "votes at the ends of the scale": (
            f"{share(own.at_low_end)} at {given.scale[0]:g}, {share(own.at_high_end)} at {given.scale[1]:g}"
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
        facts(known),
        how_to_read(
            "Nobody is excluded by these figures. A participant whose scores run against those of the others may have "
            "misunderstood the scale. Somebody who gives one score throughout may see no difference, which is an "
            "answer as well.",
        ),
        shown(make.sheet("participants", found.participants)),
    ]


def _spread(own: Spread) -> str:
    if own.least == own.most:
        return f"{own.least:,}"
    return f"{own.least:,} to {own.most:,}, median {own.median:,.0f}"


def _preferred(found: Closed, make: Sheets) -> list[Element]:
    return [
        how_to_read(
            "An answer of no difference counts as half. The share depends on the pairs that were asked: what was "
            "beside weak ones only has a large share."
        ),
        shown(make.sheet("preferred", found.preferred)),
    ]


def _metrics(given: Given, found: Closed, deep: InDepth | None, make: Sheets, figures: Figures) -> Iterator[Element]:
    if found.leaders:
        yield from metric_parts(found, deep, make, figures)
    elif found.ratings and given.stimuli is not None:
        yield tag("p", NO_METRICS)
        yield from ceiling_parts(deep, make) if deep else ()
    if found.signs:
        yield shown(make.sheet(f"{FOLDER}/signs", found.signs))
        yield how_to_read(HOW["signs"])
    if given.study is not None and found.results.correlations:
        yield folded(make.sheet("correlations", found.results.correlations))
        yield tag("p", POOLED_SITES, class_="note")


def _trust(results: Results, make: Sheets) -> list[Element]:
    parts: list[Element] = []
    if results.identical_all is not None:
        own = results.identical_all
        parts.append(
            tag(
                "p",
                f"In {share(own.share_different)} of {plural(own.n, 'answer')} about identical pairs, a difference was "
                "seen where there is none. Differences of that size also appear in other comparisons by chance.",
            )
        )
    names = [name for name in ("identical", "repeats", "layouts") if getattr(results, name)]
    return [*parts, *(shown(make.sheet(name, getattr(results, name))) for name in names)]


def _shown_above(found: Closed, deep: InDepth) -> Iterator[str]:
    """Tables in depth that the section about metrics shows where there is a leaderboard."""
    yield from ("leaderboard", "noise-ceilings")
    if any(one.differences for one in deep.best):
        yield from ("best-metrics", "metric-differences")
    if found.signs:
        yield "signs"


def _depth(found: Closed, deep: InDepth, make: Sheets, figures: Figures, no_multiverse: str | None) -> list[Element]:
    words = "Each table is a file of the same name; data-dictionary.csv explains the columns."
    parts = [*figures.parts("groups", "multiverse")]
    if no_multiverse:
        parts.append(tag("p", f"There is no multiverse of exclusions: {no_multiverse}."))
    parts.append(tag("p", words))
    above = set(_shown_above(found, deep)) if found.leaders else set()
    for sheet in make.deep({name: rows for name, rows in deep.tables.items() if name not in above}):
        how = HOW.get(sheet.name.removeprefix(f"{FOLDER}/"))
        parts += [folded(sheet), *([how_to_read(how)] if how else [])]
    return parts
