"""Lines of text in SVG, which does not wrap text: widths are estimated, so that no font has to be measured."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from eyelevel_figures.canvas import label
from eyelevel_figures.palette import INK

# width of an average character of a sans-serif font, as a share of its size; rather too wide than too narrow
CHARACTER, BOLD_CHARACTER = 0.56, 0.64


def width_of(words: str, size: float = 12, *, bold: bool = False) -> float:
    """Estimates the width in px."""
    return len(words) * size * (BOLD_CHARACTER if bold else CHARACTER)


def wrapped(words: str, width: float, size: float = 12, *, bold: bool = False) -> list[str]:
    """Wraps a text to the width in px; a longer word has a line by itself."""
    lines: list[str] = []
    for word in words.split(" "):
        if lines and width_of(f"{lines[-1]} {word}", size, bold=bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def paragraph(
    lines: Sequence[str], x: float, y: float, *, size: float = 12, colour: str = INK, bold: bool = False
) -> tuple[list[Element], float]:
    """Draws the lines, the first one's baseline at y; returns them, and the y below the last one."""
    step = size * 1.35
    drawn = [label(line, x, y + step * place, size=size, colour=colour, bold=bold) for place, line in enumerate(lines)]
    return drawn, y + step * len(lines)
