"""Analyses an export of the platform: reads it, computes, and gives the files and a summary."""

from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from eyelevel.analyse.analysed import DICTIONARY, REPORT, Analysed
from eyelevel.analyse.best import best_sentences, resampled
from eyelevel.analyse.export_metrics import against, clip_votes
from eyelevel.analyse.parsing import parse_votes
from eyelevel.analyse.reading import open_votes, plan_of
from eyelevel.analyse.report.export import Counted, export_page
from eyelevel.analyse.summary import summary
from eyelevel.errors import BadInputError
from eyelevel_stats.tables import TABLES, csv_text, meaning, result_tables
from eyelevel_stats.votes import Whose, of_origin, ratings_of, results_of, simulated_sessions


def analyse_export(export: Path, *, origin: Whose = "person", seed: int) -> Analysed:
    """A folder, a zip or the votes of an export, of the sessions of this origin.

    Raise BadInputError where it is not as the platform wrote it.
    """
    with open_votes(export) as file:
        columns = votes_of(parse_votes(file, source=str(export)), origin, source=str(export))
    plan = plan_of(export)
    try:
        results = results_of(columns, plan)
    except ValueError as error:
        raise BadInputError(f"{export}: {error}") from error
    counted = {
        "votes": len(columns["vote_id"]),
        "participants": len(set(columns["session_id"])),
        "simulated": simulated_sessions(columns),
    }
    ratings = ratings_of(columns)
    found = against(results, ratings, seed=seed)
    page = partial(export_page, results, columns, Counted(**counted), seed=seed)

    def later() -> Analysed:
        more = resampled(clip_votes(ratings), found.metrics, seed=seed)
        return Analysed({REPORT: page(replace(found, resampled=more))}, best_sentences(more.best))

    files = {**result_tables(results), DICTIONARY: _dictionary(), REPORT: page(found)}
    enough = any(row.pearson is not None for row in found.leaders)
    return Analysed(files, list(summary(results, **counted)), later=later if enough else None)


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
    return csv_text(["file", "column", "description"], rows)
