"""Colours and marks by stack or metric, distinguishable without colour (M. Okabe and K. Ito's palette, darkened)."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.elements import tag

INK, FAINT, GRID = "#1d2530", "#5a6472", "#dfe3e8"
COLOURS = ("#0b5c94", "#b8460b", "#00735a", "#93407a", "#5b5b5b", "#8a6d00", "#3a3aa8", INK)
DASHES = (None, "7 3", "2 2.5", "9 3 2 3", "12 3", "4 4", "1 3")
# for warnings, and the band within a margin
WARNING, BAND = "#8a3a00", "#e9edf2"


def colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def dash(place: int) -> str | None:
    return DASHES[place % len(DASHES)]


def mark(place: int, x: float, y: float, *, hollow: bool = False, size: float = 4.5, ink: str | None = None) -> Element:
    """Draws a circle, square or triangle by its place; `ink` overrides the colour of the place."""
    stroke = ink or colour(place)
    fill = "#fff" if hollow else stroke
    shape = place % 5
    if shape == 0:
        return tag("circle", cx=x, cy=y, r=size, fill=fill, stroke=stroke, stroke_width=1.5)
    return tag("polygon", points=_corners(shape, x, y, size), fill=fill, stroke=stroke, stroke_width=1.5)


def _corners(shape: int, x: float, y: float, size: float) -> str:
    shapes: Sequence[Sequence[tuple[float, float]]] = (
        ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        ((0, -1.15), (1.1, 0.85), (-1.1, 0.85)),
        ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        ((0, 1.15), (1.1, -0.85), (-1.1, -0.85)),
    )
    return " ".join(f"{x + dx * size:.2f},{y + dy * size:.2f}" for dx, dy in shapes[shape - 1])
