"""Analyses a long table of anyone's votes: reads it, computes, and gives the files and a summary."""

from collections.abc import Mapping, Sequence
from functools import partial

from eyelevel.analyse.analysed import DICTIONARY, Analysed
from eyelevel.analyse.asked import Asked, facts_read, metric_table, origin_of, provenance_of
from eyelevel.analyse.best import best_sentences, clip_votes, resampled
from eyelevel.analyse.long_table.metric_table import header_of
from eyelevel.analyse.long_table.pairs import read_pairs
from eyelevel.analyse.long_table.scores import Reading, read_scores
from eyelevel.analyse.new_clips import COLUMNS as NEW_COLUMNS
from eyelevel.analyse.new_clips import FILE as PREDICTED
from eyelevel.analyse.new_clips import predicted, read_new_clips
from eyelevel.analyse.notices import copy_notices, direction_notices, metric_notices, pair_notices, score_notices
from eyelevel.analyse.pair_fits import pair_fits
from eyelevel.analyse.pair_results import pair_rows, sign_rows, win_rows
from eyelevel.analyse.pair_tables import fit_tables
from eyelevel.analyse.prediction_tables import prediction_table
from eyelevel.analyse.predictions import Predictions, input_of_scores, prediction_sentence, predictions
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
from eyelevel.report.table import Table
from eyelevel.report.words import plural
from eyelevel_stats.agreement.clip_scores import Metrics
from eyelevel_stats.rows.metrics import OPPOSITE, SignRow
from eyelevel_stats.samples import MIN_CLIPS


def analyse_scores(asked: Asked, reading: Reading) -> Analysed:
    """A table of scores."""
    scale = reading.scale
    elsewhere = frozenset(header_of(asked.metrics, asked.columns)) if asked.metrics else frozenset[str]()
    votes = read_scores(asked.votes, asked.columns, reading, elsewhere=elsewhere)
    metrics = None if asked.metrics is None else metric_table(asked, asked.metrics, asked.columns, votes.stimuli)
    if metrics is not None:
        votes = with_labels(votes, metrics.labels)
    known = metrics.metrics if metrics else {}
    new = None if asked.predict.path is None else read_new_clips(asked.predict.path, list(known))
    results = score_results(votes, scale, metrics, higher_is_better=asked.higher_is_better, seed=asked.seed)
    notices = score_notices(votes, results.quality.repeated)
    rising = [row.metric for row in results.leaders or () if row.direction == OPPOSITE and (row.spearman or 0) > CLEAR]
    if metrics is not None:
        notices += metric_notices(metrics, [row.stimulus for row in results.stimuli])
        notices += direction_notices(rising)
        notices += copy_notices(metrics, results.stimuli)
    notices += new.notices if new else ()
    page = partial(
        score_report.score_page,
        results,
        metrics,
        source=asked.votes.name,
        origin=origin_of(asked),
        read=facts_read(asked, votes.rows, len(votes.score), votes.delimiter),
        notices=notices,
        provenance=provenance_of(asked),
    )

    def later() -> Analysed:
        better = {*asked.higher_is_better, *rising}
        found = resampled(clip_votes(votes), known, higher_is_better=better, seed=asked.seed)
        tables = [*results.tables(), ceiling_table(found.ceilings)]
        if found.best:
            tables += [best_table(found.best), difference_table(found.best)]
        given = input_of_scores(votes, known, (scale.low, scale.high))
        left_out = predictions(given, seed=asked.seed, long_too=asked.predict.long_too)
        if left_out.rows:
            tables.append(prediction_table(left_out.rows))
        lines = [*([prediction_sentence(left_out)] if known else []), *best_sentences(found.best)]
        files = _files(tables, page(found=found, predicted=left_out if known else None), predicted=new is not None)
        if new is not None:
            of_new = predicted(given, new, n=asked.predict.votes, seed=asked.seed)
            files[PREDICTED] = of_new.text
            lines.append(of_new.sentence)
        return Analysed(files, lines)

    own = results.quality
    lines = [
        f"{own.votes:,} votes of {plural(own.participants, 'participant')} on "
        f"{plural(own.stimuli, 'stimulus', 'stimuli')}",
        *score_report.summary(results),
    ]
    if len(results.stimuli) >= MIN_CLIPS or new is not None:
        return Analysed(_files(results.tables(), page()), lines, notices, later=later)
    if not known:
        return Analysed(_files(results.tables(), page()), lines, notices)
    none = Predictions((), None, input_of_scores(votes, known, (scale.low, scale.high)).why)
    return Analysed(_files(results.tables(), page(predicted=none)), [*lines, prediction_sentence(none)], notices)


def analyse_pairs(asked: Asked) -> Analysed:
    """A table of pairs."""
    votes = read_pairs(asked.votes, asked.columns, asked.choices)
    pairs = pair_rows(votes.votes)
    wins = win_rows(pairs)
    signs: tuple[SignRow, ...] = ()
    noted: list[str] = []
    known: Metrics = {}
    if asked.metrics is not None:
        names = [row.stimulus for row in wins]
        metrics = metric_table(asked, asked.metrics, {"stimulus": "stimulus"}, names)
        known = metrics.metrics
        signs = sign_rows(votes.votes, known, higher_is_better=asked.higher_is_better)
        noted = metric_notices(metrics, names)
    notices = pair_notices(votes)
    page = partial(
        pair_report.pair_page,
        votes,
        pairs,
        wins,
        signs,
        source=asked.votes.name,
        origin=origin_of(asked),
        read=facts_read(asked, votes.rows, len(votes.votes), votes.delimiter),
        notices=notices + noted,
        provenance=provenance_of(asked),
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


def _files(tables: Sequence[Table], page: Mapping[str, str], *, predicted: bool = False) -> dict[str, str]:
    """`page` has the report and its figures.

    `predicted`: the table of new clips is written, whose columns the dictionary explains, too.
    """
    extra = NEW_COLUMNS if predicted else {}
    explained = dictionary(tables, [(PREDICTED, name, meaning) for name, meaning in extra.items()])
    return {**{table.file: table.csv() for table in tables}, DICTIONARY: explained, **page}
