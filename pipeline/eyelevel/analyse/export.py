"""Analyses an export of the platform: reads it, computes, and gives the files and a summary."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from eyelevel.analyse.analysed import DICTIONARY, Analysed
from eyelevel.analyse.best import Resampled, best_sentences
from eyelevel.analyse.deep import deep_file, deep_tables, progress
from eyelevel.analyse.export_metrics import against
from eyelevel.analyse.integrity import MANIFEST, check_export
from eyelevel.analyse.new_clips import COLUMNS as NEW_COLUMNS
from eyelevel.analyse.new_clips import FILE as PREDICTED
from eyelevel.analyse.new_clips import Predict, predicted, read_new_clips
from eyelevel.analyse.notices import some_of
from eyelevel.analyse.parsing import parse_votes
from eyelevel.analyse.prediction_tables import prediction_table
from eyelevel.analyse.predictions import input_of_ratings, prediction_sentence, predictions
from eyelevel.analyse.reading import departures_of, design_of, is_collecting, open_votes, source_of
from eyelevel.analyse.report.export import IN_FIELD, Counted, ExportPage
from eyelevel.analyse.screened import completed_of, plays_of, screened_of
from eyelevel.analyse.summary import summary
from eyelevel.errors import BadInputError
from eyelevel_core.study.design import Plan
from eyelevel_core.tables import csv_text
from eyelevel_stats.columns import Whose, of_origin, simulated_sessions
from eyelevel_stats.hypotheses.plan_order import Unanswered, in_plan_order
from eyelevel_stats.in_depth.compute import InDepth, in_depth
from eyelevel_stats.prediction.mappings import SCALE
from eyelevel_stats.result_tables import result_tables
from eyelevel_stats.study import Results
from eyelevel_stats.tables import IN_DEPTH, TABLES
from eyelevel_stats.votes import metrics_of, ratings_of, results_of

HYPOTHESES = "hypotheses.csv"
# answers outside planned looks are further tests
NOT_CLOSED = "it is answered once every link of the study is closed"
# the tables in depth come later, or never with --no-bootstrap
NOT_RESAMPLED = "it takes the resampling of the tables in depth"
# while a study is in the field, as on the platform: such results could influence when it is ended or changed
NOTHING_IN_DEPTH = InDepth({}, (), ())
NO_TABLE = Predict()


def analyse_export(export: Path, *, origin: Whose = "person", predict: Predict = NO_TABLE, seed: int) -> Analysed:
    """A folder, a zip or the votes of an export, of the sessions of this origin; `predict` asks about new clips.

    Raise BadInputError where it is not as the platform wrote it, the table of new clips is wrong, or predictions are
    asked for and there are no ratings.
    """
    unlisted = check_export(export)
    with open_votes(export) as file:
        columns = votes_of(parse_votes(file, source=str(export)), origin, source=str(export))
    design = design_of(export)
    plan = None if design is None else design.plan
    try:
        results = results_of(columns, plan, planned=None if design is None else design.sessions)
    except ValueError as error:
        raise BadInputError(f"{export}: {error}") from error
    collecting = is_collecting(export)
    if collecting:
        results = at_planned_look(results, simulated=simulated_sessions(columns))
    counted = {
        "votes": len(columns["vote_id"]),
        "participants": len(set(columns["session_id"])),
        "simulated": simulated_sessions(columns),
    }
    ratings = ratings_of(columns)
    if predict.option is not None and not ratings:
        raise BadInputError(
            f"{export}: {predict.option} needs ratings, from which the model is fitted, and there are none; "
            "leave it out."
        )
    found = against(ratings, metrics_of(columns), compared=not collecting, seed=seed)
    given = input_of_ratings(ratings, found.metrics, SCALE)
    new = None if predict.path is None else read_new_clips(predict.path, list(given.metrics))
    screened = screened_of(export, design, origin)
    page = ExportPage(
        columns=columns,
        counted=Counted(**counted),
        departures=departures_of(export),
        votes_source=source_of(export),
        screened=screened,
        collecting=collecting,
        seed=seed,
    )

    def later() -> Analysed:
        completed = None if collecting else completed_of(export, design, screened, origin)
        deep = NOTHING_IN_DEPTH
        if not collecting:
            with progress() as advance:
                deep = in_depth(
                    columns,
                    plan,
                    plays=plays_of(export),
                    completed=None if isinstance(completed, str) else completed,
                    seed=seed,
                    advance=advance,
                )
        left_out = predictions(given, seed=seed, long_too=predict.long_too)
        more = Resampled(deep.tables.get("noise-ceilings", ()), deep.best)
        every = (*results.hypotheses, *deep.hypotheses)
        answered = with_every_hypothesis(replace(results, hypotheses=every), plan, collecting=collecting)
        files = {
            **deep_tables(deep.tables),
            HYPOTHESES: result_tables(answered)[HYPOTHESES],
            **page.files(
                answered,
                replace(found, resampled=more),
                deep=deep.tables,
                predicted=left_out if ratings else None,
                no_multiverse=completed if isinstance(completed, str) else None,
            ),
        }
        lines = [row.sentence for row in deep.hypotheses]
        if ratings:
            lines.append(prediction_sentence(left_out))
        if any(row.pearson is not None for row in found.leaders):
            lines += best_sentences(more.best)
        if left_out.rows:
            table = prediction_table(left_out.rows)
            files[table.file] = table.csv()
        if new is not None:
            of_new = predicted(given, new, n=predict.votes, seed=seed)
            files[PREDICTED] = of_new.text
            lines.append(of_new.sentence)
        return Analysed(files, lines)

    named = with_every_hypothesis(results, plan, collecting=collecting)
    files = {
        **result_tables(named),
        DICTIONARY: _dictionary(predicted=new is not None),
        **page.files(named, found),
    }
    notices = [IN_FIELD] if collecting else []
    notices += [f"{MANIFEST} does not list, and so nothing vouches for: {some_of(unlisted)}."] if unlisted else []
    notices += new.notices if new else ()
    return Analysed(
        files,
        list(summary(results, **counted)),
        notices=notices,
        later=later if (ratings or results.comparisons) and (not collecting or predict.option) else None,
    )


def at_planned_look(results: Results, *, simulated: int) -> Results:
    """The results with the answers of the last planned look that is reached; with simulated sessions there are none."""
    reached = [] if simulated else [look for look in results.looks if not look.is_final]
    if not reached:
        return replace(results, hypotheses=(), effects=())
    return replace(results, hypotheses=reached[-1].hypotheses, effects=reached[-1].effects)


def with_every_hypothesis(results: Results, plan: Plan | None, *, collecting: bool) -> Results:
    """The results with a row per hypothesis of the plan; without any before a planned look or the end."""
    if plan is None or (collecting and not results.hypotheses):
        return results
    why = NOT_CLOSED if collecting else NOT_RESAMPLED
    rows = in_plan_order(plan.hypotheses, results.hypotheses, outcome=Unanswered.PENDING, why=why)
    return replace(results, hypotheses=rows)


def votes_of(columns: dict[str, list[Any]], origin: Whose, *, source: str) -> dict[str, list[Any]]:
    """The votes of the sessions of this origin; raise BadInputError where all votes are of another one."""
    kept = of_origin(columns, origin)
    if columns["vote_id"] and not kept["vote_id"]:
        other = "simulated" if origin == "person" else "person"
        found = len(columns["vote_id"])
        raise BadInputError(f"{source}: all {found} votes are of the origin {other}; add --origin {other}.")
    return kept


def _dictionary(*, predicted: bool) -> str:
    """Of every table that may be written; `predicted`: also of the table of new clips."""
    rows = [(table.file, column.name, column.description) for table in TABLES.values() for column in table.columns]
    rows += [
        (deep_file(name), column.name, column.description)
        for name, table in IN_DEPTH.items()
        for column in table.columns
    ]
    rows += prediction_table(()).dictionary()
    rows += [(PREDICTED, name, text) for name, text in NEW_COLUMNS.items()] if predicted else []
    return csv_text(["file", "column", "description"], rows)
