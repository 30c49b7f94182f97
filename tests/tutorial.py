"""Follows a tutorial of docs/tutorials: runs its blocks of commands in one shell, and compares what it says they print.

The shell starts in a folder that looks like a clone, so that nothing is written into the repository.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from docs.markdown import REPOSITORY, fenced

FOLDER = REPOSITORY / "docs" / "tutorials"
NAMES = ("demo.md", "first-study.md", "film-a-website.md", "read-a-result.md")
LINKED = (".venv", "docs", "fixtures", "pipeline")
PLATFORM = "http://127.0.0.1:8000"
END = "tutorial-block-ended"
# addresses, times and counts of a run are its own
VALUES = re.compile(r"(?<!\w)[-+−]?\d[\d.,:]*")
LEFT_OUT = re.compile(r"\.\.\.")
ENTRANCE = re.compile(re.escape(PLATFORM) + r"/s/\w+")
DIGEST = re.compile(r"\([0-9a-f]{12}\)")


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def command_blocks(name: str) -> list[str]:
    """The tutorial's blocks of commands, in their order."""
    return fenced(text_of(name), "sh")


def outputs(name: str) -> list[str]:
    """What the tutorial says that commands print or pages show."""
    return fenced(text_of(name), "text")


def labels(name: str, section: str) -> list[str]:
    """What is in bold in a section of a tutorial, in its order."""
    (text,) = re.findall(rf"^## {section}\. .*?\n(.*?)(?=^## |\Z)", text_of(name), re.MULTILINE | re.DOTALL)
    return re.findall(r"\*\*(.+?)\*\*", text)


def make_targets(text: str) -> set[str]:
    return set(re.findall(r"(?:^\s*|`)make ([a-z0-9-]+)", text, re.MULTILINE))


def entrance(printed: str) -> str:
    """Where the participants of a study enter, as publishing it printed."""
    (found,) = re.findall(r"^Participants enter at (\S+)", printed, re.MULTILINE)
    return str(found)


def says(printed: str, expected: str, *, exactly: bool = False) -> bool:
    """Whether the output has these words, on any number of lines; `...` is anything, and figures may be others."""
    words = _one_line(expected)
    if exactly:
        return words in _one_line(printed)
    parts = (LEFT_OUT, ".*"), (ENTRANCE, r"http://\S+"), (DIGEST, r"\([0-9a-f]{12}\)"), (VALUES, r"[-+−]?\d[\d.,:]*")
    return re.search(_pattern(words, parts), _one_line(printed)) is not None


def _one_line(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def _pattern(text: str, parts: Sequence[tuple[re.Pattern[str], str]]) -> str:
    """The text as a regular expression, with that of each part in place of what the part matches."""
    if not parts:
        return re.escape(text)
    (part, pattern), *others = parts
    return pattern.join(_pattern(rest, others) for rest in part.split(text))


def like_a_clone(folder: Path, data: Path, batch: Path) -> Path:
    """The folder with what a clone has once `make demo` runs there, with this platform's data and this batch."""
    for name in LINKED:
        (folder / name).symlink_to(REPOSITORY / name)
    (folder / "data").mkdir()
    (folder / "data" / "secrets").symlink_to(data / "secrets")
    (folder / "data" / "demo-batch").symlink_to(batch)
    return folder


class Shell:
    """A shell that keeps its variables and jobs from block to block, as a terminal does; it ends at the first failure.

    `replacements` maps what a tutorial writes to what stands there in this run, such as another address or a smaller
    number.
    """

    def __init__(self, folder: Path, *, replacements: Mapping[str, str], inside: Sequence[str] = ()) -> None:
        self._replacements = replacements
        environment = {key: value for key, value in os.environ.items() if key != "EYELEVEL_TOKEN"}
        self._process = subprocess.Popen(
            [*inside, "bash", "-e"],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=environment | {"PYTHONUNBUFFERED": "1"},
        )  # fmt: skip

    def __enter__(self) -> "Shell":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def run(self, block: str) -> str:
        """Run a block of commands, but for `make`, which a clone does once; what it printed."""
        for written, ours in self._replacements.items():
            block = block.replace(written, ours)
        block = re.sub(r"^make [a-z-]+\n", "", block, flags=re.MULTILINE)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{block}\necho {END}\n")
        self._process.stdin.flush()
        printed = []
        for line in self._process.stdout:
            if line.strip() == END:
                return "".join(printed)
            printed.append(line)
        raise AssertionError(f"a command of this block failed:\n{block}\nIt printed:\n{''.join(printed)}")
