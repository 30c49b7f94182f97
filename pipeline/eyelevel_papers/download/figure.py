"""Draws throughput and windows over time: one figure each per network, one line per stack. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from operator import attrgetter

from eyelevel_figures.canvas import Drawing, Scale, around, horizontal_axis, label, vertical_axis
from eyelevel_figures.elements import number, tag
from eyelevel_figures.palette import colour, dash
from eyelevel_papers.download.measured import Download
from eyelevel_papers.download.networks import file_name
from eyelevel_papers.download.tables import MEGA, Cell

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 560.0, 50.0, 545.0, 48.0, 260.0
LEGEND_ROW, LEGEND_COLUMN = 18, 250


# (seconds, value)
Line = Sequence[tuple[float, float]]


def throughput(cells: Sequence[Cell]) -> Drawing:
    """Draws the throughput of one network's cells; a point is the mean over downloads that had not ended."""
    lines = {cell.stack: line for cell in cells if (line := over_time(cell))}
    return _drawn(
        cells, lines, name="throughput", head="Throughput", axis="reached the client, MB/s of IP bytes", unit="MB/s"
    )


def windows(cells: Sequence[Cell]) -> Drawing:
    """Draws the same for the servers' congestion windows."""
    lines = {cell.stack: line for cell in cells if (line := window_over_time(cell))}
    return _drawn(cells, lines, name="windows", head="Congestion window", axis="window, packets", unit="packets")


def _drawn(cells: Sequence[Cell], lines: Mapping[str, Line], *, name: str, head: str, axis: str, unit: str) -> Drawing:
    network = cells[0].network
    longest_s = {
        cell.stack: max((download.duration_ms for download in cell.downloads), default=0) / 1000 for cell in cells
    }
    ends = [point for line in lines.values() for point in line]
    x = Scale(0, max((at for at, _ in ends), default=1.0), LEFT, RIGHT)
    y = Scale(0, around([value for _, value in ends], least=0.1)[1], BOTTOM, TOP)
    head = f"{head}, {network}"
    marks = [
        label(head, 4, 18, bold=True, size=14),
        *horizontal_axis(x, TOP, BOTTOM, "since the request, s"),
        *vertical_axis(y, LEFT, RIGHT, axis),
    ]
    said = []
    for place, (stack, line) in enumerate(lines.items()):
        path = " ".join(f"{number(x(at))},{number(y(value))}" for at, value in line)
        stroke = {"stroke": colour(place), "stroke_dasharray": dash(place)}
        marks.append(tag("polyline", points=path, fill="none", stroke_width=1.6, **stroke))
        left, top = LEFT + LEGEND_COLUMN * (place % 2), BOTTOM + 50 + LEGEND_ROW * (place // 2)
        marks.append(tag("line", x1=left, y1=top, x2=left + 24, y2=top, stroke_width=1.6, **stroke))
        marks.append(label(stack, left + 30, top + 4))
        said.append(f"{stack}: up to {max(value for _, value in line):.2f} {unit}, until {longest_s[stack]:.1f} s.")
    height = BOTTOM + 46 + LEGEND_ROW * ceil(len(lines) / 2)
    return Drawing(f"{name}-{file_name(network)}", head, " ".join(said), WIDTH, height, marks)


def over_time(cell: Cell) -> Line:
    """Returns (seconds, MB/s) in the middle of each interval; means over the downloads that had not ended."""
    return [
        (at_s, 1000 * mean / MEGA / interval_ms)
        for at_s, mean, interval_ms in _means(cell, attrgetter("arrived_bytes"), middle=0.5)
    ]


def window_over_time(cell: Cell) -> Line:
    """Returns (seconds, packets) at the start of each interval; means over the downloads that had not ended."""
    return [(at_s, mean) for at_s, mean, _ in _means(cell, attrgetter("window_packets"), middle=0.0)]


def _means(
    cell: Cell, values: Callable[[Download], Sequence[float]], *, middle: float
) -> Iterator[tuple[float, float, int]]:
    """(seconds, mean, length of the interval in ms)."""
    for place in range(max((len(values(download)) for download in cell.downloads), default=0)):
        reaching = [download for download in cell.downloads if place < len(values(download))]
        interval_ms = reaching[0].interval_ms
        yield (
            (place + middle) * interval_ms / 1000,
            sum(values(download)[place] for download in reaching) / len(reaching),
            interval_ms,
        )
