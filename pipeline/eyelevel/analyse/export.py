"""Analyses an export of the platform: reads it, computes, and gives the files and a summary."""

from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from eyelevel.analyse.analysed import DICTIONARY, REPORT, Analysed
from eyelevel.analyse.best import Resampled, best_sentences
from eyelevel.analyse.deep import deep_file, deep_tables, progress
from eyelevel.analyse.export_metrics import against
from eyelevel.analyse.integrity import check_export
from eyelevel.analyse.parsing import parse_votes
from eyelevel.analyse.reading import departures_of, is_collecting, open_votes, plan_of
from eyelevel.analyse.report.export import IN_FIELD, Counted, export_page
from eyelevel.analyse.summary import summary
from eyelevel.errors import BadInputError
from eyelevel_stats.columns import Whose, of_origin, simulated_sessions
from eyelevel_stats.hypotheses.plan_order import in_plan_order
from eyelevel_stats.in_depth.catalogue import CATALOGUE
from eyelevel_stats.in_depth.compute import in_depth
from eyelevel_stats.result_tables import result_tables
from eyelevel_stats.study import Results
from eyelevel_stats.tables import TABLES, csv_text, meaning
from eyelevel_stats.votes import metrics_of, ratings_of, results_of

HYPOTHESES = "hypotheses.csv"


def analyse_export(export: Path, *, origin: Whose = "person", seed: int) -> Analysed:
    """A folder, a zip or the votes of an export, of the sessions of this origin.

    Raise BadInputError where it is not as the platform wrote it.
    """
    check_export(export)
    with open_votes(export) as file:
        columns = votes_of(parse_votes(file, source=str(export)), origin, source=str(export))
    plan = plan_of(export)
    try:
        results = results_of(columns, plan)
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
    found = against(ratings, metrics_of(columns), seed=seed)
    page = partial(
        export_page,
        columns=columns,
        counted=Counted(**counted),
        departures=departures_of(export),
        collecting=collecting,
        seed=seed,
    )

    def later() -> Analysed:
        with progress() as advance:
            deep = in_depth(columns, plan, seed=seed, advance=advance)
        more = Resampled(deep.tables.get("noise-ceilings", ()), deep.best)
        about_metrics = () if collecting else deep.hypotheses
        every = (*results.hypotheses, *about_metrics)
        answered = replace(results, hypotheses=in_plan_order(plan.hypotheses, every) if plan else ())
        files = {
            **deep_tables(deep.tables),
            HYPOTHESES: result_tables(answered)[HYPOTHESES],
            REPORT: page(answered, found=replace(found, resampled=more), deep=deep.tables),
        }
        enough = any(row.pearson is not None for row in found.leaders)
        lines = [row.sentence for row in about_metrics]
        return Analysed(files, [*lines, *best_sentences(more.best)] if enough else lines)

    files = {**result_tables(results), DICTIONARY: _dictionary(), REPORT: page(results, found=found)}
    return Analysed(
        files,
        list(summary(results, **counted)),
        notices=[IN_FIELD] if collecting else [],
        later=later if ratings or results.comparisons else None,
    )


def at_planned_look(results: Results, *, simulated: int) -> Results:
    """The results with the answers of the last planned look that is reached; with simulated sessions there are none."""
    reached = [] if simulated else [look for look in results.looks if not look.is_final]
    if not reached:
        return replace(results, hypotheses=(), effects=())
    return replace(results, hypotheses=reached[-1].hypotheses, effects=reached[-1].effects)


def votes_of(columns: dict[str, list[Any]], origin: Whose, *, source: str) -> dict[str, list[Any]]:
    """The votes of the sessions of this origin; raise BadInputError where all votes are of another one."""
    kept = of_origin(columns, origin)
    if columns["vote_id"] and not kept["vote_id"]:
        other = "simulated" if origin == "person" else "person"
        found = len(columns["vote_id"])
        raise BadInputError(f"{source}: all {found} votes are of the origin {other}; add --origin {other}.")
    return kept


def _dictionary() -> str:
    rows = [(name, field.name, meaning(name, field.name)) for name, row in TABLES.items() for field in fields(row)]
    rows += [
        (deep_file(name), field.name, table.columns[field.name])
        for name, table in CATALOGUE.items()
        for field in fields(table.row)
    ]
    return csv_text(["file", "column", "description"], rows)
