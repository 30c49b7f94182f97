"""Draws one contact sheet: a row per run, a column per moment, and a column for the film's end."""

from bisect import bisect_right
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

from eyelevel.contact_sheet.takes import thumbnails
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.model.metrics import MAIN, METRIC_OF

COLUMNS = 9
WIDTH_PX, LABEL_PX, HEAD_PX, GAP_PX = 160, 128, 16, 2
# a row is 90 pixels high at 16:9: enough for six lines
NO_ROOM = ("vc85",)
INK, ALARM, PAPER = (40, 40, 40), (190, 20, 20), (225, 225, 225)


def moments_ms(ends_ms: Sequence[float]) -> list[float]:
    """Returns the moments that all arms of a scene show: evenly from navigation start to the latest of `ends_ms`."""
    end_ms = max(*ends_ms, 0.0) if ends_ms else 0.0
    return [end_ms * i / (COLUMNS - 1) for i in range(COLUMNS)]


def frame_at(times_ms: Sequence[float], moment_ms: float) -> int:
    """Returns the index of the last frame at or before the moment; before the first frame, 0."""
    return max(0, bisect_right(times_ms, moment_ms) - 1)


def sheet(takes: Sequence[FilmedTake], moments_ms: Sequence[float]) -> Image.Image:
    """Draws the sheet; labels of censored takes are red."""
    size = takes[0].take.film_size
    height_px = round(WIDTH_PX * size.height_px / size.width_px)
    columns = len(moments_ms) + 1
    picture = Image.new(
        "RGB", (LABEL_PX + columns * (WIDTH_PX + GAP_PX), HEAD_PX + len(takes) * (height_px + GAP_PX)), PAPER
    )
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(11)
    for i, name in enumerate([*(f"{ms:.0f} ms" for ms in moments_ms), "end"]):
        draw.text((LABEL_PX + i * (WIDTH_PX + GAP_PX) + 4, 2), name, fill=INK, font=font)
    for row, take in enumerate(takes):
        top = HEAD_PX + row * (height_px + GAP_PX)
        ink = INK if take.take.settled else ALARM
        draw.multiline_text((4, top + 2), label(take), fill=ink, font=font, spacing=2)
        frames = [*(frame_at(take.times_ms, ms) for ms in moments_ms), len(take.times_ms) - 1]
        for column, small in enumerate(thumbnails(take.film, frames, width_px=WIDTH_PX, height_px=height_px)):
            picture.paste(small, (LABEL_PX + column * (WIDTH_PX + GAP_PX), top))
    return picture


def label(take: FilmedTake) -> str:
    """Returns the label of a row: run, metrics, and whether the take is censored."""
    listed = (METRIC_OF[key] for key in MAIN if key not in NO_ROOM)
    metrics = [f"{metric.label} {_ms_text(take.metrics[metric.field])}" for metric in listed]
    censored = [] if take.take.settled else ["did not settle"]
    return "\n".join([f"run {take.run}", *metrics, *censored])


def _ms_text(ms: float | None) -> str:
    return "unknown" if ms is None else f"{ms:.0f} ms"
