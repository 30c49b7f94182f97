"""Makes the folder that the documentation site is built from: the pages of docs/, and what they link to elsewhere.

Pages are written in CommonMark for GitHub; Zensical reads Python-Markdown. The copies differ from the pages in four
points: addresses of links, indentation of lists, names of headings, and the escape of bars in tables.
"""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from urllib.parse import quote, unquote

from docs import markdown
from docs.markdown import ELSEWHERE, LINK, REFERENCE, REPOSITORY, SPAN, Kind, Line

DOCS = PurePosixPath("docs")
# where the site has what is not in docs/ or a page at the top
FILES = PurePosixPath("files")
README = "README.md"
# the home page is docs/README.md
REPOSITORY_PAGE = PurePosixPath("repository.md")
PY_INDENT = 4
NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"


class DeadLinkError(Exception):
    """A page links to what is not there."""


def assemble(target: Path, pages: list[str]) -> None:
    """Write docs/ and `pages` of the repository's top into `target`, with everything that they link to.

    Raise DeadLinkError for a link to nothing.
    """
    shutil.rmtree(target, ignore_errors=True)
    waiting = [PurePosixPath(name) for name in (*markdown.tracked("docs"), *pages)]
    done = set(waiting)
    while waiting:
        source = waiting.pop()
        wanted = _write(source, target)
        waiting += sorted(wanted - done)
        done |= wanted


def _write(source: PurePosixPath, target: Path) -> set[PurePosixPath]:
    """Write one file or folder of the repository; what it links to."""
    path, copy = REPOSITORY / source, target / place(source)
    copy.parent.mkdir(parents=True, exist_ok=True)
    wanted: set[PurePosixPath] = set()

    def moved(address: str) -> str:
        where, linked = _moved(address, source)
        wanted.update(linked)
        return where

    if path.is_dir():
        copy.write_text(NOT_SEARCHED + converted(_listing(source), moved))
    elif source.suffix == ".md":
        copy.write_text(converted(path.read_text(), moved))
    elif source.is_relative_to(DOCS):
        shutil.copyfile(path, copy)
    else:
        copy.write_text(NOT_SEARCHED + _source_page(source, path.read_text()))
    return wanted


def place(source: PurePosixPath) -> PurePosixPath:
    """Where the site's folder has a file or folder of the repository."""
    if (REPOSITORY / source).is_dir():
        return place(source / README)
    if source.is_relative_to(DOCS):
        return source.relative_to(DOCS)
    if source == PurePosixPath(README):
        return REPOSITORY_PAGE
    if source.suffix == ".md":
        return source if len(source.parts) == 1 else FILES / source
    return FILES / f"{source}.md"


def _moved(address: str, source: PurePosixPath) -> tuple[str, set[PurePosixPath]]:
    """The address on the site of what `source` links to, and that file of the repository."""
    where, hash_, anchor = unquote(address).partition("#")
    if ELSEWHERE.match(address) or not where:
        return address, set()
    base = source if (REPOSITORY / source).is_dir() else source.parent
    linked = PurePosixPath(normpath(base / where))
    if ".." in linked.parts or not (REPOSITORY / linked).exists():
        raise DeadLinkError(f"{source} links to {address}, which does not exist.")
    if (REPOSITORY / linked / README).is_file():
        linked /= README
    to = relpath(place(linked), place(source).parent)
    return quote(to) + hash_ + anchor, {linked}


def _listing(folder: PurePosixPath) -> str:
    """A page that links to the files of a folder; those that are pages by their titles."""
    names = sorted(PurePosixPath(name) for name in markdown.tracked(str(folder)))
    rows = [f"- [{_title(name) or name.relative_to(folder)}]({quote(str(name.relative_to(folder)))})" for name in names]
    return "\n".join([f"# Files in `{folder}`", "", *rows, ""])


def _title(name: PurePosixPath) -> str:
    return markdown.title((REPOSITORY / name).read_text()) if name.suffix == ".md" else ""


def _source_page(source: PurePosixPath, text: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"# `{source}`\n\n{fence}\n{text.rstrip()}\n{fence}\n"


def converted(text: str, moved: Callable[[str], str]) -> str:
    """A page as Python-Markdown reads it; `moved` gives the new address of a link."""
    return "\n".join(_lines(_relinked(text, moved))) + "\n"


def _relinked(text: str, moved: Callable[[str], str]) -> str:
    code = [range(*found.span()) for found in SPAN.finditer(text)]
    offsets, start = {}, 0
    for line in markdown.lines(text):
        offsets[line.number] = range(start, start + len(line.raw) + 1)
        start += len(line.raw) + 1
    code += [offsets[line.number] for line in markdown.lines(text) if line.kind not in (Kind.TEXT, Kind.BLANK)]

    def new(found: re.Match[str]) -> str:
        if any(found.start() in part for part in code):
            return found[0]
        return found[0].replace(found[1], moved(found[1]), 1)

    return REFERENCE.sub(new, LINK.sub(new, text)) if REFERENCE.search(text) else LINK.sub(new, text)


def _lines(text: str) -> Iterator[str]:
    names = dict(markdown.headings(text))
    before: Line | None = None
    is_loose = False
    for line in markdown.lines(text):
        if line.opens_item:
            begins = line.depth == 0 and before is not None and not (before.opens_item or before.depth)
            if before and before.kind is not Kind.BLANK and (begins or is_loose):
                yield ""  # Python-Markdown wants a blank line before a list, and before an item after a paragraph
            is_loose = False
        is_loose = is_loose or line.kind is Kind.BLANK
        content = line.raw[len(line.raw) - len(line.raw.lstrip(" ")) :]
        if line.kind is Kind.TEXT and content.startswith("|"):
            content = SPAN.sub(lambda found: found[0].replace("\\|", "|"), content)
        if line.number in names:
            content = f"{content} {{: #{names[line.number]} }}"
        yield " " * (PY_INDENT * line.depth + line.indent) + content if content else ""
        before = line
