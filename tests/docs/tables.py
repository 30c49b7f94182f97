"""Markdown that is generated: paragraphs, code blocks and tables."""

import textwrap
from collections.abc import Iterable, Sequence


def paragraph(text: str) -> str:
    return textwrap.fill(" ".join(text.split()), 100, break_long_words=False, break_on_hyphens=False)


def block(text: str) -> str:
    return textwrap.indent(textwrap.dedent(text).strip("\n"), "    ")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def page(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
