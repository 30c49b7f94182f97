"""What a request for figures of results asks for, and the response body."""

from typing import Literal

from ninja import Schema

from analysis import figures
from analysis.models import ResultOrigin
from eyelevel_figures.numbers import Language


class FiguresIn(Schema):
    origin: ResultOrigin = ResultOrigin.PERSON
    lang: Language = "en"
    layout: Literal["wide", "narrow"] = "wide"
    part: figures.Part = "all"


class FigureColumnOut(Schema):
    # as in files
    name: str
    # heading in the language that was asked for
    label: str
    # of its numbers after the point; null for text and counts
    digits: int | None


class FigureTableOut(Schema):
    columns: list[FigureColumnOut]
    # a value per column in full precision; null where unknown
    rows: list[list[str | int | float | None]]


class FigureOut(Schema):
    """A figure with its text alternative and the table behind it.

    The SVG has no style sheet and no script. Marks with `data-clip` are of the clip with this digest, those with
    `data-condition` of a condition: a JSON object with `site`, `network`, `stacks` (two of a pair) and `context`.
    """

    name: str
    title: str
    svg: str
    alternative: str
    how_to_read: str
    table: FigureTableOut
