"""Finds what pages name in code: `eyelevel` commands with their options, make targets, and paths of the repository."""

import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from docs import markdown
from docs.commands_page import commands
from docs.management_commands import management_commands
from docs.markdown import REPOSITORY

ENDS = re.compile(r"\s\||;|&&|\)(?=\s|$)|\s#|\n")
EYELEVEL = re.compile(r"(?:^|(?<=[\s`(])|(?<=bin/))eyelevel[ \t]+(?=[\w-])", re.MULTILINE)
MANAGE = re.compile(r"(?:manage\.py|\./entrypoint)[ \t]+(?=[a-z])")
MAKE = re.compile(r"(?:^|(?<=[\s`(]))make((?:[ \t]+[a-z][a-z0-9-]*)+)(?![\w.])", re.MULTILINE)
TARGET = re.compile(r"^([a-z][a-z0-9 -]*):(?!=)", re.MULTILINE)
OPTION = re.compile(r"--[a-z][a-z0-9-]*")
ROW = re.compile(r"^\| (`-.*?`) \|", re.MULTILINE)
ROOTS = ("docs", "pipeline", "backend", "frontend", "tests", "deploy", "fixtures", ".ci", ".github")
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, ROOTS))}|eyelevel(?:_\w+)?)/[\w.*/-]*[\w*/]")
# an identifier such as eyelevel/batch/1
CONTRACT = re.compile(r"eyelevel/[\w-]+/\d+")
# a path of an earlier commit
IN_HISTORY = re.compile(r"commit [0-9a-f]{7,40},\s+`[^`]+`")
# a name in capitals stands for any
ANY = re.compile(r"(?<!\w)(?!README)[A-Z][A-Z_]*(?!\w)|\.\.\.")
SOURCES = (".ci", "backend", "deploy", "pipeline", "tests", ":!*.md", ":!tests/docs")
# tests of the testbed, by the path in its package
SHORT = {"tests/it/": "pipeline/testbed/tests/it/"}
# what a build or a run makes
MADE = ("frontend/dist", "frontend/node_modules", "deploy/secrets", "pipeline/testbed/target")
# services that `backend/entrypoint` starts, and commands of Django
SERVICES = {"web", "worker", "in-depth", "beat", "check", "makemigrations", "migrate", "shell", "test"}
ALWAYS = {"--help", "-h", "--version"}
# options of Slurm, and a name of Kubernetes that looks like a path
OTHERS = {"--exclusive", "--requeue", "deploy/eyelevel-web"}


@dataclass(frozen=True)
class Known:
    """What the product has: options by command, options by management command, make targets, and files.

    `options` are those of all programs in the repository, benches and Chromium's switches included.
    """

    commands: Mapping[str, frozenset[str]]
    management: Mapping[str, frozenset[str]]
    targets: frozenset[str]
    paths: frozenset[str]
    options: frozenset[str]
    groups: frozenset[str]


@cache
def product() -> Known:
    every = {
        command.name: frozenset(name for option in command.options for name in option.names) for command in commands()
    }
    every |= testbed_options((REPOSITORY / "docs/reference/testbed-commands.md").read_text())
    groups = frozenset(name.rpartition(" ")[0] for name in every) - {""}
    management = {
        command.name: frozenset(sum((each.names for each in command.options), ())) for command in management_commands()
    }
    files = markdown.tracked()
    folders = {str(parent) for name in files for parent in Path(name).parents}
    makefile = (REPOSITORY / "Makefile").read_text()
    targets = frozenset(name for found in TARGET.findall(makefile) for name in found.split())
    return Known(every, management, targets, frozenset((*files, *folders)), _written_options(), groups)


def _written_options() -> frozenset[str]:
    """Every option that a program or a test in the repository names."""
    command = ["git", "grep", "--untracked", "-hoE", "-e", r"--[a-z][a-z0-9-]*", "--", *SOURCES]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


def testbed_options(page: str) -> dict[str, frozenset[str]]:
    """Options by command, from the generated page: the program may not be built."""
    _, *sections = re.split(r"^## (?=eyelevel testbed )", page, flags=re.MULTILINE)
    return {
        section.partition("\n")[0]: frozenset(OPTION.findall(" ".join(ROW.findall(section)))) for section in sections
    }


def faults(text: str, known: Known) -> list[str]:
    """What the code of a page names and the product does not have, with line numbers."""
    found = []
    text = IN_HISTORY.sub(lambda past: re.sub(r"[^\n]", " ", past[0]), text)
    for number, code in (*markdown.spans(text), *markdown.blocks(text)):
        joined = re.sub(r"\\\n\s*", " ", code)
        found += [f"{number}: {fault}" for fault in (*_commands(joined, known), *_options(joined, known))]
        found += [f"{number}: make {name}: no such target" for name in _targets(joined) if name not in known.targets]
        found += [f"{number}: {path}: no such path" for path in paths(joined) if not exists(path, known.paths)]
    return found


def _commands(code: str, known: Known) -> Iterator[str]:
    for words in _calls(EYELEVEL, code):
        name, rest = _resolved(words, known)
        if name is None:
            yield f"eyelevel {' '.join(words[:2])}: no such command"
        elif name == "eyelevel manage":
            yield from _managed(_after_options(rest), known)
        else:
            yield from _unknown(rest, known.commands[name], name)
    for words in _calls(MANAGE, code):
        yield from _managed(words, known)


def _calls(pattern: re.Pattern[str], code: str) -> Iterator[list[str]]:
    """The words behind each match, up to the end of that command."""
    for match in pattern.finditer(code):
        rest = code[match.end() :]
        ends = ENDS.search(rest)
        yield _words(rest[: ends.start()] if ends else rest)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation that goes on in the next line
        return text.split()


def _resolved(words: list[str], known: Known) -> tuple[str | None, list[str]]:
    """The longest name of a command, and the words behind it; None for an unknown name in small letters."""
    name = "eyelevel"
    while words and name in known.groups and re.fullmatch(r"[a-z][a-z-]*[,.:]?", words[0]):
        longer = f"{name} {words[0].rstrip(',.:')}"
        if longer not in known.commands:
            return None, words
        name, words = longer, words[1:]
    return name, words


def _after_options(words: list[str]) -> list[str]:
    return words[2:] if words[:1] == ["--data"] else words


def _managed(words: list[str], known: Known) -> Iterator[str]:
    if not words or not re.fullmatch(r"[a-z_-]+", words[0]) or words[0] in SERVICES:
        return
    if words[0] not in known.management:
        yield f"{words[0]}: no such management command"
        return
    yield from _unknown(words[1:], known.management[words[0]], words[0])


def _unknown(words: list[str], options: frozenset[str], name: str) -> Iterator[str]:
    own_words = words[: words.index("--")] if "--" in words else words
    for word in own_words:
        option = OPTION.match(word)
        if option and option[0] not in options | ALWAYS:
            yield f"{name} has no option {option[0]}"


def _options(code: str, known: Known) -> Iterator[str]:
    """An option that stands alone, such as `--no-clips`, is one of some command."""
    alone = re.fullmatch(rf"({OPTION.pattern})(?:[ =].*)?", code)
    if alone and alone[1] not in known.options | ALWAYS | OTHERS:
        yield f"{alone[1]}: no command has this option"


def _targets(code: str) -> Iterator[str]:
    for match in MAKE.finditer(code):
        yield from match[1].split()


def paths(code: str) -> Iterator[str]:
    for match in PATH.finditer(code):
        if not CONTRACT.fullmatch(match[0]) and match[0] not in OTHERS:
            yield match[0].rstrip("/")


def exists(path: str, tracked_files: Iterable[str]) -> bool:
    """Whether the repository has it, or a build makes it; `*` and names in capitals stand for any name."""
    wanted = path if path.partition("/")[0] in ROOTS else f"pipeline/{path}"
    for short, whole in SHORT.items():
        wanted = whole + wanted.removeprefix(short) if wanted.startswith(short) else wanted
    if any(wanted == place or wanted.startswith(f"{place}/") for place in MADE):
        return True
    pattern = ANY.sub("*", wanted)
    return (
        wanted in tracked_files
        if pattern == wanted and "*" not in wanted
        else any(fnmatch(name, pattern) for name in tracked_files)
    )
