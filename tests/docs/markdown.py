"""Reads the repository's Markdown files: lines of prose, links, anchors of headings, and rows of tables."""

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"^\s*\[[^\]^]+\]:\s+<?(\S+?)>?\s*$")
INLINE_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
ELSEWHERE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def files() -> list[Path]:
    """Markdown files that git tracks, or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z", "*.md"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return [path for name in listed.split("\0") if name and (path := REPOSITORY / name).exists()]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Lines outside fenced code, with their numbers from 1."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
        elif not fence:
            yield number, line


def fenced(text: str, language: str) -> list[str]:
    """Fenced blocks of code that are marked with this language, without the indentation of a list."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in found]


def links(text: str) -> Iterator[tuple[int, str]]:
    """Targets of links to files or headings of this repository, with their line numbers."""
    for number, line in prose(text):
        bare = INLINE_CODE.sub("", line)
        for target in LINK.findall(bare) + REFERENCE.findall(bare):
            if not ELSEWHERE.match(target):
                yield number, target


def anchors(text: str) -> set[str]:
    """The names under which GitHub finds the headings of a file; those of equal headings are numbered."""
    found: Counter[str] = Counter()
    names = set()
    for _, line in prose(text):
        if heading := re.match(r"#{1,6}\s+(.*?)\s*#*$", line):
            shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
            names.add(f"{name}-{found[name]}" if found[name] else name)
            found[name] += 1
    return names


def too_long(text: str, limit: int) -> list[int]:
    """Numbers of the lines longer than `limit` characters; rows of tables cannot be broken and do not count."""
    return [number for number, line in prose(text) if len(line) > limit and not line.lstrip().startswith("|")]


def terms(text: str) -> list[str]:
    """The words that the first column of each table defines, several of one row apart."""
    rows = [line for _, line in prose(text) if line.startswith("| **")]
    return [term.lower() for row in rows for term in re.findall(r"\*\*(.+?)\*\*", row.split("|")[1])]
