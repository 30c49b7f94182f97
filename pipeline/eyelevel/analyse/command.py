"""The command `eyelevel analyse`: computes the statistics of an export, without a server."""

from dataclasses import fields
from pathlib import Path

import click

from eyelevel.analyse.parsing import parse_votes
from eyelevel.analyse.reading import open_votes, plan_of
from eyelevel.analyse.summary import summary
from eyelevel.errors import BadInputError
from eyelevel_stats.tables import TABLES, csv_text, meaning, result_tables
from eyelevel_stats.votes import results_of, simulated_sessions


@click.command()
@click.argument("export", metavar="EXPORT_DIR_OR_CSV", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the tables; created if missing."
)
def analyse(*, export: Path, out: Path) -> None:
    """Compute MOS, preferences and correlations from an export: a folder, a zip, or its votes.csv.

    If study.json lies beside the votes, as in every export, the hypotheses of its plan are answered first.

    Writes hypotheses.csv and effects.csv (answers to the plan), mos.csv, comparisons.csv, correlations.csv,
    points.csv, values.csv (other scales), identical.csv (A/A pairs), repeats.csv (questions asked twice), layouts.csv
    (answers in a row or a column) and data-dictionary.csv; prints a summary.

    Exit status: 0 done, 4 the export or the folder is wrong, 8 the disk is full.

    Example: eyelevel analyse export.zip --out results
    """
    _make(out)
    with open_votes(export) as file:
        columns = parse_votes(file, source=str(export))
    plan = plan_of(export)
    try:
        results = results_of(columns, plan)
    except ValueError as error:
        raise BadInputError(f"{export}: {error}") from error
    for name, text in {**result_tables(results), "data-dictionary.csv": _dictionary()}.items():
        (out / name).write_text(text, encoding="utf-8", newline="")
    people = len(set(columns["session_id"]))
    counted = {"votes": len(columns["vote_id"]), "participants": people, "simulated": simulated_sessions(columns)}
    for line in summary(results, **counted):
        click.echo(line)
    click.echo(f"Tables are in {out}.", err=True)


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{out} cannot be created as a folder for the tables: {error.strerror}.") from error


def _dictionary() -> str:
    rows = [(name, field.name, meaning(name, field.name)) for name, row in TABLES.items() for field in fields(row)]
    return csv_text(["file", "column", "description"], rows)
