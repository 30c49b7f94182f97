"""The command `eyelevel analyse`: computes the statistics of an export or of any table of votes, without a server."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TypeVar, get_args

import click

from eyelevel.analyse.analysis import Analysed, analyse_votes
from eyelevel.analyse.export.given import read_export
from eyelevel.analyse.export.integrity import MANIFEST
from eyelevel.analyse.long_table.given import Asked, read_long_table
from eyelevel.analyse.long_table.roles import parse_choices, parse_columns, parse_missing, parse_scale, parse_scores
from eyelevel.analyse.long_table.scores import Reading
from eyelevel.analyse.prediction.new_clips import MOST_VOTES, Predict
from eyelevel.errors import BadInputError
from eyelevel_stats.columns import Whose

T = TypeVar("T")


@click.command()
@click.argument("export", metavar="[EXPORT_DIR_OR_CSV]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for the tables; created if missing."
)
@click.option(
    "--votes",
    type=click.Path(path_type=Path),
    help="Long table of votes from any source: CSV, or CSV compressed by gzip.  [default: an export is analysed]",
)
@click.option(
    "--columns",
    metavar="ROLE=COLUMN,...",
    help="Roles of the columns of --votes: participant, stimulus and score; for pairs participant, left, right and "
    "choice (or winner), or participant, winner and loser; optional for scores: site, condition. Two columns that "
    "name a stimulus together are joined by stimulus=A+B.  "
    "[default: required with --votes]",
)
@click.option(
    "--scale",
    metavar="LOW:HIGH",
    help="Lowest and highest score that participants could give, such as 1:5.  [default: required with scores]",
)
@click.option(
    "--scores",
    metavar="WORD=SCORE,...",
    help="Score of each word in the column of scores, such as bad=1,poor=2.  [default: scores are numbers]",
)
@click.option(
    "--missing",
    metavar="VALUE,...",
    help="Values that mark a missing score, such as -1,99.  [default: an empty cell, NA, NaN, None, null, a dot, a "
    "dash or ?]",
)
@click.option(
    "--metrics",
    type=click.Path(path_type=Path),
    help="Table with one row per stimulus; each numeric column is a metric that is compared with the votes.  "
    "[default: no metrics]",
)
@click.option(
    "--metric",
    "chosen",
    multiple=True,
    metavar="COLUMN",
    help="Column of --metrics to use as a metric; can be repeated.  [default: every numeric column]",
)
@click.option(
    "--higher-is-better",
    multiple=True,
    metavar="METRIC",
    help="Metric whose larger values are better; can be repeated.  [default: smaller values are better]",
)
@click.option(
    "--choices",
    metavar="left=WORD,...",
    help="Meaning of the words in the column of choices, such as left=1,right=2,none=0.  [default: left or first, "
    "right or second, none or tie]",
)
@click.option(
    "--predict",
    metavar="CSV",
    type=click.Path(path_type=Path),
    help="Table of new clips with their metrics. Writes predicted.csv, the same table with the predicted mos, low and "
    "high (90 % interval).  [default: no prediction]",
)
@click.option(
    "--predictions",
    "long_too",
    is_flag=True,
    help="Predict left-out sites and compute mappings of metrics even if that takes many minutes (more than about 100 "
    "clips or sites).",
)
@click.option(
    "--predict-votes",
    type=click.IntRange(min=1, max=MOST_VOTES),
    help=f"Number of votes in the MOS that --predict predicts, at most {MOST_VOTES}.  [default: the median of the "
    "rated clips]",
)
@click.option(
    "--origin",
    type=click.Choice(get_args(Whose)),
    default=None,
    help="Sessions of an export to analyse: those of people, those of `eyelevel simulate`, or all.  [default: person]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed for simulations and bootstrap draws.")
@click.option(
    "--part",
    metavar="K/N",
    help="Reduce part K of N of the participants to sums (K from 0) and write part-K-of-N.json into --out. Run the "
    "parts as a job array.  [default: analyse everything at once]",
)
@click.option(
    "--merge",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Add all parts in this folder and write the tables that need no model fit.  [default: no parts]",
)
@click.option(
    "--no-bootstrap",
    "bootstrap",
    flag_value=False,
    is_flag=True,
    default=True,
    help="Skip everything that needs model fits or resampling: noise ceilings, best metrics, predictions, fits of "
    "pairs, and all other tables in depth.",
)
def analyse(
    *,
    export: Path | None,
    out: Path,
    votes: Path | None,
    columns: str | None,
    scale: str | None,
    scores: str | None,
    missing: str | None,
    metrics: Path | None,
    chosen: tuple[str, ...],
    higher_is_better: tuple[str, ...],
    choices: str | None,
    predict: Path | None,
    predict_votes: int | None,
    long_too: bool,
    origin: Whose | None,
    seed: int,
    part: str | None,
    merge: Path | None,
    bootstrap: bool,
) -> None:
    """Compute MOS, preferences and correlations with metrics, from an export or from any table of votes.

    The votes are an export (a folder, a zip, or its votes.csv), or any long table with one row per vote (--votes; see
    docs/guides/analyse-your-data.md). Both are analysed in the same way, and give the files that apply to them:
    mos.csv, distribution.csv, participants.csv, comparisons.csv and preferred.csv (pairs), identical.csv (A/A pairs),
    and in the folder statistics leaderboard.csv (metrics against MOS) and signs.csv (metrics against pairs). Tables
    that need model fits or resampling are added to this folder last.

    An export also gives hypotheses.csv, effects.csv, correlations.csv, points.csv, values.csv (other scales),
    repeats.csv (questions asked twice), layouts.csv (answers in a row or a column). If study.json is beside the votes,
    as in every export, the hypotheses of its plan are answered first. The funnel of sessions needs conformance.csv; the
    multiverse of exclusions also needs the folder votes of the export.

    Both write report.html (one self-contained page), its figures as SVG (folder figures), and data-dictionary.csv, and
    print a summary. If clips have sites and metrics, predictions.csv has the MOS of each clip as predicted without the
    votes of its site, and --predict predicts the MOS of new clips.

    For an export that is too large for one machine, run --part K/N for each part, then --merge. This writes the tables
    that need no model fit (mos.csv, comparisons.csv, correlations.csv, points.csv, values.csv, identical.csv,
    repeats.csv, layouts.csv), equal to those of one run up to rounding.

    Exit status: 0 done, 2 usage error, 4 the input or the folder is wrong, 8 the disk is full.

    \b
    Examples:
      eyelevel analyse export.zip --out results
      eyelevel analyse --votes ratings.csv --columns participant=subject,stimulus=video,score=rating,site=content \\
        --scale 1:5 --metrics metrics.csv --out results
      eyelevel analyse --votes pairs.csv --columns participant=subject,left=a,right=b,choice=answer --out results
      eyelevel analyse export.zip --predict clips.csv --predict-votes 30 --out results
    """
    if part is not None or merge is not None:
        other_options = (votes, columns, scale, scores, missing, metrics, choices, predict, predict_votes, *chosen)
        _in_parts(export, part, merge, out, origin=origin, alone=not any(other_options))
        return
    asked_for = Predict(predict, predict_votes, long_too)
    if predict_votes is not None and predict is None:
        raise click.UsageError("--predict-votes needs --predict.")
    if asked_for.option is not None and not bootstrap:
        raise click.UsageError(
            f"{asked_for.option} needs the model fits that --no-bootstrap skips; remove one of the two options."
        )
    if export is not None and votes is None:
        of_tables = {
            "--columns": columns,
            "--scale": scale,
            "--scores": scores,
            "--missing": missing,
            "--choices": choices,
            "--metrics": metrics,
            "--metric": chosen,
            "--higher-is-better": higher_is_better,
        }
        for option in (option for option, value in of_tables.items() if value):
            raise click.UsageError(
                f"{option} applies only with --votes; an export already defines columns, scales and metrics."
            )
        refuse_within(export, out)
        _make(out)
        given = read_export(export, origin=origin or "person", seed=seed)
    elif votes is not None and export is None:
        if origin is not None:
            raise click.UsageError("--origin applies only to an export; other tables of votes have no origins.")
        asked = _asked(
            votes,
            columns=columns,
            scale=scale,
            scores=scores,
            missing=missing,
            metrics=metrics,
            chosen=chosen,
            higher_is_better=higher_is_better,
            choices=choices,
        )
        if asked_for.option is not None and (metrics is None or asked.reading is None):
            raise click.UsageError(f"{asked_for.option} needs scores and --metrics, from which the model is fitted.")
        _make(out)
        given = read_long_table(asked, seed=seed)
    else:
        raise click.UsageError(
            "Give either an export (EXPORT_DIR_OR_CSV) or --votes with another table of votes"
            + (", not both." if votes is not None else ".")
        )
    inputs = {export, votes, metrics, predict} - {None}
    analysed = analyse_votes(given, predict=asked_for, seed=seed)
    _give(analysed, out, inputs)
    if analysed.later is not None and bootstrap:
        _give(analysed.later(), out, inputs)
    click.echo(f"Tables and report.html are in {out}.", err=True)


def _in_parts(
    export: Path | None, part: str | None, merge: Path | None, out: Path, *, origin: Whose | None, alone: bool
) -> None:
    """Make one part, or merge all."""
    if not alone or (part is None) == (merge is None) or (export is None) != (part is None) or (merge and origin):
        raise click.UsageError(
            "Give an export with --part K/N and --out, or --merge FOLDER and --out; no other options."
        )
    # DuckDB is loaded for parts alone
    from eyelevel.analyse.parts.asked import parse_part  # noqa: PLC0415
    from eyelevel.analyse.parts.merging import merge_parts  # noqa: PLC0415
    from eyelevel.analyse.parts.reducing import reduce_part  # noqa: PLC0415

    _make(out)
    if merge is not None:
        tables, sums = merge_parts(merge)
        for name, text in tables.items():
            (out / name).write_text(text, encoding="utf-8", newline="")
        click.echo(f"{sums.votes:,} votes of {sums.sessions:,} participants; the tables are in {out}.")
    elif export is not None and part is not None:
        refuse_within(export, out)
        path = reduce_part(export, _parsed(parse_part, part, "--part"), out, origin=origin or "person")
        click.echo(f"Wrote {path}.", err=True)


def _asked(
    votes: Path,
    *,
    columns: str | None,
    scale: str | None,
    scores: str | None,
    missing: str | None,
    metrics: Path | None,
    chosen: tuple[str, ...],
    higher_is_better: tuple[str, ...],
    choices: str | None,
) -> Asked:
    """Parse the options; raise UsageError for invalid ones."""
    if columns is None:
        raise click.UsageError(
            "--votes needs --columns with the roles of the table's columns, such as "
            "participant=subject,stimulus=video,score=rating."
        )
    words = {} if scores is None else _parsed(parse_scores, scores, "--scores")
    codes = frozenset[str]() if missing is None else _parsed(parse_missing, missing, "--missing")
    for option, given in (("--scores", scores), ("--missing", missing)):
        if given is not None and scale is None:
            raise click.UsageError(f"{option} applies only to scores, which need --scale.")
    asked = Asked(
        votes=votes,
        columns=_parsed(parse_columns, columns, "--columns"),
        reading=None if scale is None else Reading(_parsed(parse_scale, scale, "--scale"), words, codes),
        metrics=metrics,
        chosen=chosen,
        choices=None if choices is None else _parsed(parse_choices, choices, "--choices"),
        higher_is_better=higher_is_better,
    )
    for message in asked.unused():
        raise click.UsageError(message)
    return asked


def _parsed(parse: Callable[[str], T], text: str, option: str) -> T:
    try:
        return parse(text)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from error


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInputError(f"{out} cannot be created as a folder for the tables: {error.strerror}.") from error


def refuse_within(export: Path, out: Path) -> None:
    """Raise BadInputError if `out` is the folder of an export, or is inside one with a manifest.

    A votes file with a manifest beside it counts as an export; without one it may be from any source.
    """
    folder = export if export.is_dir() else export.parent
    listed = export.suffix != ".zip" and (folder / MANIFEST).is_file()
    read_folder, written_folder = folder.resolve(), out.resolve()
    if (export.is_dir() and written_folder == read_folder) or (listed and written_folder.is_relative_to(read_folder)):
        raise BadInputError(f"--out {out} is inside the export {folder}, which must not change; give another folder.")


def _give(analysed: Analysed, out: Path, inputs: Collection[Path | None]) -> None:
    """Write the files, and print notices and summary. Raise BadInputError if a file would replace an input."""
    read = {path.resolve(): path for path in inputs if path is not None}
    for name in analysed.files:
        if (written := (out / name).resolve()) in read:
            raise BadInputError(
                f"{name} in --out {out} would replace {read[written]}, which is an input; give another folder."
            )
    for name, text in analysed.files.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text(text, encoding="utf-8", newline="")
    for notice in analysed.notices:
        click.echo(f"note: {notice}", err=True)
    for line in analysed.summary:
        click.echo(line)
