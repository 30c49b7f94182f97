"""The report about votes from any source; for a study, it starts with the plan's hypotheses."""

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
    "The correlations by network pool all sites, so they are large whenever sites differ in speed. Prefer the "
    "leaderboard, which also compares clips of the same site, and has the noise ceiling and intervals over "
    "participants and sites."
)
NO_SESSIONS = (
    "There is no funnel of sessions and no multiverse of exclusions: both need the excluded sessions, which are in an "
    "export of Eyelevel but not in a table of votes."
)
NO_METRICS = (
    "No metrics were given. To compare metrics with the scores, give a table with a row per stimulus and a column per "
    "metric with --metrics."
)
HOW = {
    "worths": (
        "The worth gives one order of everything that was compared, whichever pairs were asked. The ratio of two "
        "worths is the odds that the first is chosen rather than the second, without answers of no difference "
        "(Davidson’s model). Worths of different components cannot be compared, because no chain of pairs connects "
        "them."
    ),
    "jod": (
        "At a distance of 1 JOD, 75 % of the decided answers choose A. Below 0, B is chosen more often. The intervals "
        "(95 %) assume independent participants."
    ),
    "pair-components": (
        "If both sides are equal, the share of no difference is nu / (2 + nu). A side bias above 0 favours the left "
        "side."
    ),
    "thresholds": (
        "At the discrimination threshold, 75 % of the decided answers are for the side with the better value. At the "
        "indifference threshold, no difference is as frequent as that side; it depends on how readily people give this "
        "answer. Both are ratios of the metric’s values minus 1, and are meaningful only for metrics with a true zero, "
        "such as times."
    ),
    "slopes": (
        "The slope is the change of the log odds of the better side per unit of the natural logarithm of the ratio."
    ),
    "detection": "At d′ of 0, people name a side as often for identical sides as for different ones.",
    "signs": (
        "The share of pairs with a majority in which the metric has the better value for the side that most "
        "participants prefer. A metric without information reaches 50 %. Smaller values are better, except for metrics "
        "that were named with --higher-is-better."
    ),
}


def report(
    given: Given,
    basics: Closed,
    *,
    make: Sheets,
    notices: Sequence[str],
    deep: InDepth | None = None,
    predicted: Predictions | None = None,
    no_multiverse: str | None = None,
) -> dict[str, str]:
    """Returns the page and its figures as files; `deep` and `predicted` are None before they are computed.

    `no_multiverse` is the reason if the tables in depth have no multiverse.
    """
    figures = figures_of(given, basics, deep)
    results = basics.results
    sections: list[Section] = []

    def add(key: str, title: str, parts: Sequence[Element]) -> None:
        if parts:
            sections.append(Section(key, title, parts))

    if given.study is not None:
        add("hypotheses", "Hypotheses of the plan", _hypotheses(given.study, results, make, figures))
        if given.study.departures is not None:
            add("departures", "Departures from the plan", [_departures(given.study.departures)])
    else:
        add("short", "In short", [listed(_short(given, basics, deep), "short")])
    add("read", "Input", [facts(given.read), *([listed(notices, "notices")] if notices else [])])
    add("screening", "Screening of sessions", _screening(given.study, figures))
    if basics.quality is not None:
        add("quality", "Quality of the votes", _quality(given, basics, basics.quality, make))
    if basics.ratings:
        add("mos", "Mean opinion scores", figures.mos(make.sheet("mos", results.mos)))
        distribution = make.sheet("distribution", basics.scores)
        add("distribution", "Distribution of scores", figures.distribution(distribution))
    if results.comparisons:
        comparisons = figures.comparisons(make.sheet("comparisons", results.comparisons))
        add("comparisons", "Side by side", [*comparisons, *_preferred(basics, make)])
    add("metrics", "Metrics against people", [*_metrics(given, basics, deep, make, figures)])
    if predicted is not None:
        parts = prediction_parts(predicted, given.scale, given.source, make)
        add("predictions", "Predictions for left-out sites", parts)
    if results.values:
        add("values", "Other scales", [shown(make.sheet("values", results.values))])
    add("trust", "Reliability of the votes", _trust(results, make))
    if deep is not None and deep.tables:
        add("depth", "In depth", _depth(basics, deep, make, figures, no_multiverse))
    add("provenance", "Provenance", [facts(given.provenance)])
    return page(given.title, given.lead, sections)


def _short(given: Given, basics: Closed, deep: InDepth | None) -> list[str]:
    said = in_short(given, basics)[1:]
    return [*said, *best_sentences(deep.best), *fit_sentences(deep.tables)] if deep else said


def _hypotheses(study: Study, results: Results, make: Sheets, figures: Figures) -> list[Element]:
    if study.collecting and not results.hypotheses:
        return [tag("p", IN_FIELD)]
    if not results.hypotheses:
        words = (
            "No hypothesis can be answered: the plan states no pair of stacks, or the study’s file, study.json, is not "
            "beside the votes."
        )
        return [tag("p", words)]
    items: list[Element] = []
    for row in results.hypotheses:
        effects = [effect.sentence for effect in results.effects if effect.hypothesis == row.hypothesis]
        said = [row.sentence] if len(effects) < 2 else [row.sentence, listed(effects, "effects")]
        items += [tag("dt", row.says, tag("span", row.outcome, class_="claim")), tag("dd", *said)]
    return [
        *([tag("p", IN_FIELD)] if study.collecting else []),
        tag("dl", items, class_="answer"),
        *figures.parts("effects"),
        how_to_read(
            "A hypothesis is supported or contradicted only if the interval decides it. Undecided means that the votes "
            "are compatible with both.",
        ),
        shown(make.sheet("effects", results.effects)),
    ]


def _departures(sentences: Sequence[str]) -> Element:
    return listed(sentences, "departures") if sentences else tag("p", "The platform found no departures.")


def _screening(study: Study | None, figures: Figures) -> list[Element]:
    if study is None:
        return [tag("p", NO_SESSIONS, class_="note")]
    if study.screened.why:
        return [tag("p", f"There is no funnel: {study.screened.why}.")]
    return figures.parts("screening")


def _quality(given: Given, basics: Closed, quality: Quality, make: Sheets) -> list[Element]:
    noun = "clip" if given.study else "stimulus"
    known = {
        "votes per participant": _spread(quality.per_participant),
        f"participants per {noun}": _spread(quality.per_stimulus),
        f"further votes on a {noun}": count(quality.repeated),
        "votes at the ends of the scale": (
            f"{share(quality.at_low_end)} at {given.scale[0]:g}, {share(quality.at_high_end)} at {given.scale[1]:g}"
        ),
        "agreement of participants": (
            "unknown: no participant shares 10 stimuli with others"
            if quality.agreement is None
            else f"median correlation with the others’ means {decimal(quality.agreement)}"
        ),
        "against the others": f"{plural(quality.against, 'participant')} with a correlation below 0",
        "one score throughout": f"{plural(quality.constant, 'participant')} with at least 10 stimuli",
    }
    return [
        facts(known),
        how_to_read(
            "These figures exclude nobody. A participant whose scores run against those of the others may have "
            "misunderstood the scale. A participant who gives one score throughout may see no difference, which is a "
            "valid answer.",
        ),
        shown(make.sheet("participants", basics.participants)),
    ]


def _spread(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.least:,}"
    return f"{spread.least:,} to {spread.most:,}, median {spread.median:,.0f}"


def _preferred(basics: Closed, make: Sheets) -> list[Element]:
    return [
        how_to_read(
            "An answer of no difference counts as half. The share depends on the pairs that were asked: it is large "
            "for anything that was only compared with weak alternatives."
        ),
        shown(make.sheet("preferred", basics.preferred)),
    ]


def _metrics(given: Given, basics: Closed, deep: InDepth | None, make: Sheets, figures: Figures) -> Iterator[Element]:
    if basics.leaders:
        yield from metric_parts(basics, deep, make, figures)
    elif basics.ratings and given.stimuli is not None:
        yield tag("p", NO_METRICS)
        yield from ceiling_parts(deep, make) if deep else ()
    if basics.signs:
        yield shown(make.sheet(f"{FOLDER}/signs", basics.signs))
        yield how_to_read(HOW["signs"])
    if given.study is not None and basics.results.correlations:
        yield folded(make.sheet("correlations", basics.results.correlations))
        yield tag("p", POOLED_SITES, class_="note")


def _trust(results: Results, make: Sheets) -> list[Element]:
    parts: list[Element] = []
    if results.identical_all is not None:
        identical = results.identical_all
        parts.append(
            tag(
                "p",
                f"In {share(identical.share_different)} of {plural(identical.n, 'answer')} about identical pairs, "
                "people saw a difference where there is none. Differences of this size also occur in other comparisons "
                "by chance.",
            )
        )
    names = [name for name in ("identical", "repeats", "layouts") if getattr(results, name)]
    return [*parts, *(shown(make.sheet(name, getattr(results, name))) for name in names)]


def _shown_above(basics: Closed, deep: InDepth) -> Iterator[str]:
    """Tables in depth that the section about metrics shows if there is a leaderboard."""
    yield from ("leaderboard", "noise-ceilings")
    if any(best_set.differences for best_set in deep.best):
        yield from ("best-metrics", "metric-differences")
    if basics.signs:
        yield "signs"


def _depth(basics: Closed, deep: InDepth, make: Sheets, figures: Figures, no_multiverse: str | None) -> list[Element]:
    words = "Each table is a file of the same name; data-dictionary.csv explains the columns."
    parts = [*figures.parts("groups", "multiverse")]
    if no_multiverse:
        parts.append(tag("p", f"There is no multiverse of exclusions: {no_multiverse}."))
    parts.append(tag("p", words))
    above = set(_shown_above(basics, deep)) if basics.leaders else set()
    for sheet in make.deep({name: rows for name, rows in deep.tables.items() if name not in above}):
        how = HOW.get(sheet.name.removeprefix(f"{FOLDER}/"))
        parts += [folded(sheet), *([how_to_read(how)] if how else [])]
    return parts
