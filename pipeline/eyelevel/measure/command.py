"""The command `eyelevel measure`: the visual metrics of a video, a folder of frames, or a take."""

import json
from pathlib import Path

import click

from eyelevel.errors import BadInputError
from eyelevel.measure.film import LOSSY_TOLERANCE, measure_video
from eyelevel.measure.folder import measure_folder
from eyelevel.measure.metrics import Metrics
from eyelevel.measure.take import FILM, measure_take
from eyelevel_core.batch_folder.masks import mask_of_take, read_mask
from eyelevel_core.batch_folder.takes import read_times_ms
from eyelevel_core.model.metrics import METRICS


@click.command()
@click.argument("source", metavar="VIDEO_OR_FRAME_FOLDER", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
@click.option(
    "--times",
    type=click.Path(path_type=Path),
    metavar="FRAMES_JSON",
    help="File with the times of a video's frames since navigation start, such as a take's frames.json.  [default: the "
    "timestamps in the video, with its first frame as navigation start]",
)
@click.option(
    "--tolerance",
    type=click.IntRange(0, 255),
    help="Largest difference of a colour channel (0-255) at which two frames count as equal. "
    f"Folders and takes are compared exactly. [default: 0 for RGB videos, {LOSSY_TOLERANCE} for others]",
)
@click.option(
    "--mask",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="MASK_JSON",
    help="Motion mask whose regions are frozen once they have appeared.  [default: a take's own mask, from its batch "
    "folder; none for videos]",
)
def measure(*, source: Path, as_json: bool, times: Path | None, tolerance: int | None, mask: Path | None) -> None:
    """Compute the visual metrics FVC, SI, VC85 and LVC of a video, a folder of frames, or a take's folder.

    Files in a folder of frames are named ms_NNNNNN.png, by their time in ms since navigation start.

    Exit status: 0 done, 4 the video, folder or times are wrong, 5 ffmpeg is missing.

    Example: eyelevel measure batch/takes/garden/DSL/QUIC/run-01 --json
    """
    metrics = _measure(source, times, tolerance, mask)
    if as_json:
        click.echo(json.dumps(metrics.as_json()))
    else:
        _print_table(metrics)


def _measure(source: Path, times: Path | None, tolerance: int | None, mask: Path | None) -> Metrics:
    if not source.exists():
        raise BadInputError(f"{source} does not exist; give a video, a folder of frames or a take's folder.")
    if source.is_dir() and (times is not None or tolerance is not None):
        raise BadInputError(f"{source} is a folder; --times and --tolerance are for videos.")
    if source.is_dir() and not (source / FILM).exists():
        if mask is not None:
            raise BadInputError(f"{source} is a folder of frames; --mask is for videos and takes.")
        return measure_folder(source)
    given = None if mask is None else read_mask(mask)
    if source.is_dir():
        return measure_take(source, given or mask_of_take(source))
    return measure_video(source, None if times is None else read_times_ms(times), given, tolerance=tolerance)


def _print_table(metrics: Metrics) -> None:
    # imported only for tables: programs request JSON, and often
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table("metric", "ms", "meaning")
    table.columns[1].justify = "right"
    values = metrics.as_json()
    for metric in (metric for metric in METRICS if metric.field in values):
        value = values[metric.field]
        table.add_row(metric.label, "unknown" if value is None else f"{value:g}", metric.name)
    console = Console()
    console.print(table)
    console.print(f"{len(metrics.progress)} distinct frames")
