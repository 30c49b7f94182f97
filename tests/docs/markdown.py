"""Reads the repository's Markdown files: blocks and their lines, prose, code, links, headings, and rows of tables."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
# the end of a link, since its text may begin on an earlier line
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"^\s*\[[^\]^]+\]:\s+<?(\S+?)>?\s*$", re.MULTILINE)
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
# a code span may go over the end of a line, but not of a paragraph
SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
FENCE = re.compile(r"(```+|~~~+)")
ITEM = re.compile(r"([-*+]|(\d{1,9})[.)])(?: +|$)")
CODE_INDENT = 4


def files() -> list[Path]:
    """Markdown files that git tracks, or would track."""
    return [REPOSITORY / name for name in tracked("*.md")]


def tracked(*patterns: str) -> list[str]:
    """Names of files that git tracks, or would track, below the top of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z", *patterns],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return [name for name in listed.split("\0") if name and (REPOSITORY / name).exists()]


class Kind(Enum):
    BLANK = "blank"
    TEXT = "text"
    # a line of an indented block of code
    CODE = "code"
    # a line of a fenced block, or one of its two fences
    FENCED = "fenced"
    FENCE = "fence"


@dataclass(frozen=True)
class Line:
    """`depth` counts the list items around the line, `indent` the spaces beyond these, `opens_item` its own marker."""

    number: int
    raw: str
    kind: Kind
    depth: int
    indent: int
    opens_item: bool = False

    @property
    def text(self) -> str:
        return self.raw.strip()


def lines(text: str) -> Iterator[Line]:
    """Lines as CommonMark reads them: which are code, and in how many list items they are."""
    # of each item around a line: where its marker stands, and where its text begins
    items: list[tuple[int, int]] = []
    fence, before = "", Kind.BLANK
    for number, raw in enumerate(text.splitlines(), 1):
        bare = raw.lstrip(" ")
        indent = len(raw) - len(bare)
        around = items[-1][1] if items else 0
        if fence:
            ends = bare.startswith(fence) and bare.strip() == fence[0] * len(bare.strip())
            yield Line(number, raw, Kind.FENCE if ends else Kind.FENCED, len(items), max(0, indent - around))
            fence, before = ("", Kind.BLANK) if ends else (fence, Kind.FENCED)
            continue
        if not bare:
            yield Line(number, raw, Kind.BLANK, len(items), 0)
            before = Kind.BLANK if before is not Kind.CODE else Kind.CODE
            continue
        opens, mark = ITEM.match(bare), FENCE.match(bare)
        # a number at the beginning of a line of a paragraph, such as a year, opens no list
        if opens and (opens[2] or "1") != "1" and before is Kind.TEXT and indent not in (at for at, _ in items):
            opens = None
        goes_on = before is Kind.TEXT and indent < around and not (opens or mark or HEADING.match(bare))
        if not goes_on:
            while items and indent < items[-1][1]:
                items.pop()
        around = min(indent, items[-1][1]) if items else 0
        beyond = indent - around
        if beyond >= CODE_INDENT and before in (Kind.BLANK, Kind.CODE):
            yield Line(number, raw, Kind.CODE, len(items), beyond)
            before = Kind.CODE
            continue
        if mark and beyond < CODE_INDENT:
            fence = mark[1]
            yield Line(number, raw, Kind.FENCE, len(items), beyond)
            continue
        is_item = opens is not None and beyond < CODE_INDENT
        yield Line(number, raw, Kind.TEXT, len(items), beyond, is_item)
        if opens and is_item:
            items.append((indent, indent + len(opens[0])))
        before = Kind.TEXT


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Lines outside fenced code, with their numbers from 1."""
    for line in lines(text):
        if line.kind not in (Kind.FENCE, Kind.FENCED):
            yield line.number, line.raw


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Blocks of code, fenced and indented, without their indentation, with the numbers of their first lines."""
    block: list[Line] = []
    for line in [*lines(text), Line(0, "", Kind.TEXT, 0, 0)]:
        if line.kind in (Kind.CODE, Kind.FENCED) or (line.kind is Kind.BLANK and block):
            block.append(line)
        elif block:
            yield block[0].number, "\n".join(part.raw.strip() for part in block).strip("\n")
            block = []


def spans(text: str) -> Iterator[tuple[int, str]]:
    """Code spans in prose, with their line numbers."""
    without = _without_blocks(text)
    for found in SPAN.finditer(without):
        yield without.count("\n", 0, found.start()) + 1, re.sub(r"\s+", " ", found[2]).strip()


def fenced(text: str, language: str) -> list[str]:
    """Fenced blocks of code that are marked with this language, without the indentation of a list."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in found]


def section(text: str, heading: str) -> str:
    """The text below this heading of the second level, up to the next one."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def links(text: str) -> Iterator[tuple[int, str]]:
    """Targets of links to files or headings of this repository, with their line numbers."""
    without = _without_blocks(text)
    bare = SPAN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), without)
    targets = [(found.start(), found[1]) for pattern in (LINK, REFERENCE) for found in pattern.finditer(bare)]
    for start, target in sorted(targets):
        if not ELSEWHERE.match(target):
            yield bare.count("\n", 0, start) + 1, target


def _without_blocks(text: str) -> str:
    """The text with blank lines in place of code; line numbers stay."""
    kept = (Kind.TEXT, Kind.BLANK)
    return "\n".join(line.raw if line.kind in kept else "" for line in lines(text))


def headings(text: str) -> Iterator[tuple[int, str]]:
    """The name under which GitHub finds each heading, with its line number; those of equal headings are numbered."""
    found: Counter[str] = Counter()
    for line in lines(text):
        heading = HEADING.match(line.raw) if line.kind is Kind.TEXT else None
        if heading is None:
            continue
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
        name = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        yield line.number, f"{name}-{found[name]}" if found[name] else name
        found[name] += 1


def anchors(text: str) -> set[str]:
    return {name for _, name in headings(text)}


def title(text: str) -> str:
    """The first heading, or an empty text."""
    return next((match[1] for _, line in prose(text) if (match := HEADING.match(line))), "")


def too_long(text: str, limit: int) -> list[int]:
    """Numbers of the lines longer than `limit` characters; rows of tables cannot be broken and do not count."""
    return [number for number, line in prose(text) if len(line) > limit and not line.lstrip().startswith("|")]


def terms(text: str) -> list[str]:
    """The words that the first column of each table defines, several of one row apart."""
    rows = [line for _, line in prose(text) if line.startswith("| **")]
    return [term.lower() for row in rows for term in re.findall(r"\*\*(.+?)\*\*", row.split("|")[1])]
