"""Analyses a long table of anyone's votes: reads it, computes, and gives the files and a summary."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy
import scipy

from eyelevel.analyse.analysed import DICTIONARY, REPORT, Analysed
from eyelevel.analyse.best import best_sentences, clip_votes, resampled
from eyelevel.analyse.long_table.delimited import DELIMITERS
from eyelevel.analyse.long_table.metric_table import MetricTable, header_of, read_metrics
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.analyse.long_table.roles import OPTIONAL, Scale
from eyelevel.analyse.long_table.scores import read_scores
from eyelevel.analyse.long_table.wording import WORDS, Choice
from eyelevel.analyse.notices import direction_notices, metric_notices, score_notices, unmatched
from eyelevel.analyse.pair_fits import pair_fits
from eyelevel.analyse.pair_results import pair_rows, sign_rows, win_rows
from eyelevel.analyse.pair_tables import fit_tables
from eyelevel.analyse.report import pairs as pair_report
from eyelevel.analyse.report import scores as score_report
from eyelevel.analyse.report.metrics import CLEAR
from eyelevel.analyse.report.pair_fits import fit_summary
from eyelevel.analyse.score_results import score_results, with_labels
from eyelevel.analyse.tables import (
    best_table,
    ceiling_table,
    dictionary,
    difference_table,
    pair_table,
    sign_table,
    win_table,
)
from eyelevel.errors import BadInputError
from eyelevel.report.table import Table
from eyelevel.report.words import plural
from eyelevel_stats import METHOD_VERSION
from eyelevel_stats.agreement.clips import Metrics
from eyelevel_stats.rows.leaderboard import OPPOSITE
from eyelevel_stats.rows.signs import SignRow
from eyelevel_stats.samples import MIN_CLIPS


@dataclass(frozen=True)
class Asked:
    """What the command line asks for; `scale` is None for pairs alone."""

    votes: Path
    columns: Mapping[str, str]
    scale: Scale | None = None
    metrics: Path | None = None
    choices: Mapping[str, Choice] = field(default_factory=dict)
    higher_is_better: Sequence[str] = ()
    seed: int = 0


def analyse_scores(asked: Asked, scale: Scale) -> Analysed:
    """A table of scores."""
    elsewhere = frozenset(header_of(asked.metrics, asked.columns)) if asked.metrics else frozenset[str]()
    votes = read_scores(asked.votes, asked.columns, scale, elsewhere=elsewhere)
    metrics = None if asked.metrics is None else _metrics(asked, asked.metrics, asked.columns, votes.stimuli)
    if metrics is not None:
        votes = with_labels(votes, metrics.labels)
    results = score_results(votes, scale, metrics, higher_is_better=asked.higher_is_better, seed=asked.seed)
    notices = score_notices(votes, results.quality.repeated)
    rising = [row.metric for row in results.leaders or () if row.direction == OPPOSITE and (row.spearman or 0) > CLEAR]
    if metrics is not None:
        notices += metric_notices(metrics, [row.stimulus for row in results.stimuli])
        notices += direction_notices(rising)
    page = partial(
        score_report.score_page,
        results,
        metrics,
        source=asked.votes.name,
        read=_read(asked, votes.rows, len(votes.score), votes.delimiter),
        notices=notices,
        provenance=_provenance(asked),
    )

    def later() -> Analysed:
        known = metrics.metrics if metrics else {}
        better = {*asked.higher_is_better, *rising}
        found = resampled(clip_votes(votes), known, higher_is_better=better, seed=asked.seed)
        tables = [*results.tables(), ceiling_table(found.ceilings)]
        if found.best:
            tables += [best_table(found.best), difference_table(found.best)]
        return Analysed(_files(tables, page(found=found)), best_sentences(found.best))

    own = results.quality
    lines = [
        f"{own.votes:,} votes of {plural(own.participants, 'participant')} on "
        f"{plural(own.stimuli, 'stimulus', 'stimuli')}",
        *score_report.summary(results),
    ]
    enough = len(results.stimuli) >= MIN_CLIPS
    return Analysed(_files(results.tables(), page()), lines, notices, later=later if enough else None)


def analyse_pairs(asked: Asked) -> Analysed:
    """A table of pairs."""
    votes = read_pairs(asked.votes, asked.columns, asked.choices or WORDS)
    pairs = pair_rows(votes.votes)
    wins = win_rows(pairs)
    signs: tuple[SignRow, ...] = ()
    noted: list[str] = []
    known: Metrics = {}
    if asked.metrics is not None:
        names = [row.stimulus for row in wins]
        metrics = _metrics(asked, asked.metrics, {"stimulus": "stimulus"}, names)
        known = metrics.metrics
        signs = sign_rows(votes.votes, known, higher_is_better=asked.higher_is_better)
        noted = metric_notices(metrics, names)
    notices = [f"{plural(votes.missing, 'row')} of {votes.rows:,} without a choice left out."] if votes.missing else []
    page = partial(
        pair_report.pair_page,
        votes,
        pairs,
        wins,
        signs,
        source=asked.votes.name,
        read=_read(asked, votes.rows, len(votes.votes), votes.delimiter),
        notices=notices + noted,
        provenance=_provenance(asked),
    )
    tables = [pair_table(pairs), win_table(wins), *([sign_table(signs)] if signs else [])]

    def later() -> Analysed:
        found = pair_fits(votes, known, higher_is_better=asked.higher_is_better)
        return Analysed(_files([*tables, *fit_tables(found)], page(found=found)), fit_summary(found))

    people = len({who for who, *_ in votes.votes})
    lines = [
        f"{len(votes.votes):,} answers of {plural(people, 'participant')} about {plural(len(pairs), 'pair')}",
        *pair_report.summary(votes, wins),
    ]
    return Analysed(_files(tables, page()), lines, notices + noted, later=later)


def _metrics(asked: Asked, path: Path, columns: Mapping[str, str], stimuli: Sequence[str]) -> MetricTable:
    metrics = read_metrics(path, columns)
    if said := unmatched(metrics, stimuli, {"votes": str(asked.votes), "metrics": str(path)}):
        raise BadInputError(said)
    for name in asked.higher_is_better:
        if name not in metrics.metrics:
            raise BadInputError(
                f"--higher-is-better {name}: {path} has no such metric; its metrics are {', '.join(metrics.metrics)}."
            )
    return metrics


def _files(tables: Sequence[Table], page: str) -> dict[str, str]:
    return {**{table.file: table.csv() for table in tables}, DICTIONARY: dictionary(tables), REPORT: page}


def _read(asked: Asked, rows: int, votes: int, delimiter: str) -> dict[str, str]:
    found = {
        "table of votes": f"{asked.votes.name}, {plural(rows, 'row')}, separated by {DELIMITERS[delimiter]}",
        "votes": f"{votes:,}",
        "columns": ", ".join(f"{role} from {column!r}" for role, column in asked.columns.items()),
    }
    if asked.scale is not None:
        found["scale"] = f"from {asked.scale.low:g} to {asked.scale.high:g}"
    if asked.choices:
        found["choices"] = ", ".join(f"{word!r} is {choice}" for word, choice in asked.choices.items())
    if asked.metrics is not None:
        found["table of metrics"] = asked.metrics.name
        better = f"a larger value is better for {', '.join(asked.higher_is_better)}; " if asked.higher_is_better else ""
        found["direction"] = f"{better}for all {'others' if better else 'metrics'}, a smaller value is better"
    if asked.scale is not None and (missing := [role for role in OPTIONAL if role not in asked.columns]):
        found["not given"] = ", ".join(missing)
    return found


def _provenance(asked: Asked) -> dict[str, str]:
    return {
        **{f"SHA-256 of {path.name}": _digest(path) for path in (asked.votes, asked.metrics) if path is not None},
        "seed": str(asked.seed),
        "computed with": (
            f"eyelevel {version('eyelevel')}, method {METHOD_VERSION}, numpy {numpy.__version__}, "
            f"scipy {scipy.__version__}"
        ),
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unused(asked: Asked) -> Iterator[str]:
    """Options that do not go with what the columns say, as sentences."""
    if asked.higher_is_better and asked.metrics is None:
        yield "--higher-is-better goes with --metrics."
    if "score" in asked.columns:
        if asked.scale is None:
            yield (
                "--votes with scores needs --scale LOW:HIGH, the lowest and the highest score that participants could "
                "give, such as --scale 1:5."
            )
        if asked.choices:
            yield "--choices goes with pairs alone; --columns names a score."
    elif asked.scale is not None:
        yield "--scale goes with scores alone; --columns names pairs."
