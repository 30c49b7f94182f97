"""The page about an export of the platform: the plan's hypotheses first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any
from xml.etree.ElementTree import Element

import numpy
import scipy

from eyelevel.analyse.deep import deep_page_tables
from eyelevel.analyse.distribution import score_rows
from eyelevel.analyse.export_metrics import Against
from eyelevel.analyse.predictions import Predictions
from eyelevel.analyse.reading import VotesSource
from eyelevel.analyse.report import export_tables
from eyelevel.analyse.report.figures import StudyFigures
from eyelevel.analyse.report.metrics import metric_parts
from eyelevel.analyse.report.parts import Section, facts, folded, how_to_read, listed, page, shown
from eyelevel.analyse.report.predictions import prediction_parts
from eyelevel.analyse.screened import Screened
from eyelevel.analyse.tables import distribution_table
from eyelevel.report.words import count, plural, share
from eyelevel_core.contracts import short
from eyelevel_figures.elements import tag
from eyelevel_figures.words import Words
from eyelevel_stats import METHOD_VERSION
from eyelevel_stats.observations import Rating
from eyelevel_stats.prediction.mappings import SCALE
from eyelevel_stats.rows.study import MosRow
from eyelevel_stats.study import Results
from eyelevel_stats.votes import ratings_of

IN_FIELD = (
    "The study was still in the field when this was exported. Its hypotheses are answered only at planned looks, and "
    "over all votes once every link is closed. Comparisons of metrics and tables in depth follow then, too."
)
POOLED_SITES = (
    "The correlations by network pool all sites, so that they are large wherever sites differ in speed. Prefer the "
    "leaderboard, which also compares clips of the same site and has the noise ceiling and intervals over participants "
    "and sites."
)
EDITED = "manifest.json beside the votes lists others; these were edited"
NO_MANIFEST = "no manifest.json beside the votes, so nothing vouches for them"


@dataclass(frozen=True)
class Counted:
    """How much there is, over all roles and kinds of trial."""

    votes: int
    participants: int
    simulated: int


@dataclass(frozen=True)
class ExportPage:
    """What the page says of an export whatever was computed; `columns` are those of the contract export-columns.

    `departures` are those from the plan in words; None where the export does not list them. `collecting`: the study was
    in the field.
    """

    columns: Mapping[str, Sequence[Any]]
    counted: Counted
    departures: Sequence[str] | None
    votes_source: VotesSource
    screened: Screened
    collecting: bool
    seed: int

    def files(
        self,
        results: Results,
        found: Against,
        *,
        deep: Mapping[str, tuple[Any, ...]] | None = None,
        predicted: Predictions | None = None,
        no_multiverse: str | None = None,
    ) -> dict[str, str]:
        """The page and its figures as files; `deep` and `predicted` are None before they are computed.

        `no_multiverse` says why the tables in depth have none.
        """
        counted = self.counted
        lead = f"{plural(counted.votes, 'vote')} of {plural(counted.participants, 'participant')}."
        if counted.simulated:
            lead += (
                f" {plural(counted.simulated, 'participant was', 'participants were')} simulated: programs, whose "
                "votes say nothing about people."
            )
        title = f"Results of study {short(_study(self.columns))}"
        sections = _sections(self, results, found, deep=deep or {}, predicted=predicted, no_multiverse=no_multiverse)
        return page(title, lead, list(sections))


def _sections(
    own: ExportPage,
    results: Results,
    found: Against,
    *,
    deep: Mapping[str, tuple[Any, ...]],
    predicted: Predictions | None,
    no_multiverse: str | None,
) -> Iterator[Section]:
    columns, counted, screened, collecting = own.columns, own.counted, own.screened, own.collecting
    ratings = ratings_of(columns)
    source = _source(columns, counted, own.votes_source)
    figures = StudyFigures(results, ratings, found=found, deep=deep, screened=screened, source=source)
    yield Section("hypotheses", "Hypotheses of the plan", _hypotheses(results, figures, collecting=collecting))
    if own.departures is not None:
        yield Section("departures", "Departures from the plan", [_departures(own.departures)])
    yield Section("read", "What was read", [facts(_read(columns, ratings, counted))])
    yield Section("screening", "Screening of sessions", _screening(screened, figures))
    if ratings:
        yield Section("mos", "Mean opinion scores", _opinions(results.mos, figures))
        yield Section("distribution", "Distribution of scores", _distribution(ratings, figures))
    if results.comparisons:
        yield Section("comparisons", "Side by side", _comparisons(results, figures))
    if ratings:
        yield Section("metrics", "Metrics against people", _metrics(results, found, figures))
    if predicted is not None:
        yield Section("predictions", "Predictions for left-out sites", prediction_parts(predicted, SCALE, source))
    if results.values:
        yield Section("values", "Other scales", [shown(export_tables.values(results.values))])
    if results.identical or results.repeats or results.layouts:
        yield Section("trust", "How far the votes can be trusted", _trust(results))
    if deep:
        yield Section("depth", "In depth", _depth(deep, figures, no_multiverse))
    versions = f"eyelevel {version('eyelevel')}, method {METHOD_VERSION}, numpy {numpy.__version__}"
    provenance = {
        "study": _study(columns),
        "snapshot": own.votes_source.snapshot or ("none: " + (EDITED if own.votes_source.edited else NO_MANIFEST)),
        "SHA-256 of the votes": own.votes_source.votes_sha256,
        "seed": str(own.seed),
        "computed with": f"{versions}, scipy {scipy.__version__}",
    }
    yield Section("provenance", "Where it comes from", [facts(provenance)])


def _study(columns: Mapping[str, Sequence[Any]]) -> str:
    """The digest of the one study that all votes belong to."""
    return next(iter(columns["study_sha256"]), "unknown, without votes")


def _source(columns: Mapping[str, Sequence[Any]], counted: Counted, own: VotesSource) -> str:
    study, words = short(_study(columns)), Words()
    if own.edited:
        return words("source_edited", study=study, sha256=short(own.votes_sha256))
    if own.snapshot is None:
        return words("source_votes", study=study, votes=f"{counted.votes:,}")
    return words("source_simulated" if counted.simulated else "source", study=study, snapshot=short(own.snapshot))


def _screening(screened: Screened, figures: StudyFigures) -> list[Element]:
    return [tag("p", f"There is no funnel: {screened.why}.")] if screened.why else figures.parts("screening")


def _hypotheses(results: Results, figures: StudyFigures, *, collecting: bool) -> list[Element]:
    if collecting and not results.hypotheses:
        return [tag("p", IN_FIELD)]
    if not results.hypotheses:
        words = (
            "There is none that can be answered: the plan states no pair of stacks, or the study’s file, study.json, "
            "is not beside the votes."
        )
        return [tag("p", words)]
    items: list[Element] = []
    field = [tag("p", IN_FIELD)] if collecting else []
    for row in results.hypotheses:
        effects = [one.sentence for one in results.effects if one.hypothesis == row.hypothesis]
        said = [row.sentence] if len(effects) < 2 else [row.sentence, listed(effects, "effects")]
        items += [tag("dt", row.says, tag("span", row.outcome, class_="claim")), tag("dd", *said)]
    return [
        *field,
        tag("dl", items, class_="answer"),
        *figures.parts("effects"),
        how_to_read(
            "Supported and contradicted are said only where the interval decides; undecided means that the votes are "
            "compatible with both.",
        ),
        shown(export_tables.effects(results.effects)),
    ]


def _departures(sentences: Sequence[str]) -> Element:
    return listed(sentences, "departures") if sentences else tag("p", "The platform knows of none.")


def _read(columns: Mapping[str, Sequence[Any]], ratings: Sequence[Rating], counted: Counted) -> dict[str, str]:
    kinds = {kind: columns["trial_kind"].count(kind) for kind in sorted(set(columns["trial_kind"]))}
    found = {
        "votes of all kinds and roles": count(counted.votes),
        "participants": f"{counted.participants:,}, of which {counted.simulated:,} simulated",
        "votes by kind": ", ".join(f"{kind} {votes:,}" for kind, votes in kinds.items()) or "none",
    }
    if ratings:
        clips = len({vote.clip_sha256 for vote in ratings})
        found["scores in the tables below"] = (
            f"{len(ratings):,} of {plural(len({vote.participant for vote in ratings}), 'participant')} on "
            f"{plural(clips, 'clip')} (role main; training, repeats and controls are not part of them)"
        )
    return found


def _opinions(rows: Sequence[MosRow], figures: StudyFigures) -> list[Element]:
    return [
        *figures.parts("satisfaction", "mos"),
        how_to_read(
            "Overlapping intervals do not tell two stacks apart; the hypotheses compare the scores of the same people, "
            "which is more exact.",
        ),
        shown(export_tables.opinions(rows)),
    ]


def _distribution(ratings: Sequence[Rating], figures: StudyFigures) -> list[Element]:
    rows = score_rows([vote.score for vote in ratings], SCALE)
    return [*figures.parts("scores", "score-distributions"), shown(distribution_table(rows))]


def _comparisons(results: Results, figures: StudyFigures) -> list[Element]:
    return [*figures.parts("pairs"), shown(export_tables.comparisons(results.comparisons))]


def _metrics(results: Results, found: Against, figures: StudyFigures) -> list[Element]:
    leaders, plots = figures.of("leaderboard"), figures.parts("against")
    parts = metric_parts(found.leaders, found.resampled, leaders=leaders, plots=plots) if found.leaders else []
    if not results.correlations:
        return parts
    return [*parts, folded(export_tables.correlations(results.correlations)), tag("p", POOLED_SITES, class_="note")]


def _depth(deep: Mapping[str, tuple[Any, ...]], figures: StudyFigures, no_multiverse: str | None) -> list[Element]:
    words = "Each table is a file of the same name; data-dictionary.csv explains the columns."
    tables = (folded(table) for table in deep_page_tables(deep))
    missing = [tag("p", f"There is no multiverse of exclusions: {no_multiverse}.")] if no_multiverse else []
    return [*figures.parts("groups", "multiverse"), *missing, tag("p", words), *tables]


def _trust(results: Results) -> list[Element]:
    found: list[Element] = []
    if results.identical_all is not None:
        own = results.identical_all
        found.append(
            tag(
                "p",
                f"In {share(own.share_different)} of {plural(own.n, 'answer')} about one stack beside itself, a "
                "difference was seen where there is none. Differences of that size also appear in other comparisons "
                "by chance.",
            )
        )
        found.append(shown(export_tables.identical(results.identical)))
    if results.repeats:
        found.append(shown(export_tables.repeats(results.repeats)))
    if results.layouts:
        found.append(shown(export_tables.layouts(results.layouts)))
    return found
