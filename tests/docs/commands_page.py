"""Makes docs/reference/commands.md from the commands themselves: arguments, options, defaults, statuses, examples."""

import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import relpath

import click
from docs.management_commands import Management, management_commands
from docs.tables import block, page, paragraph, table

from eyelevel.cli import eyelevel
from eyelevel.errors import Exit

# what click writes in brackets at the end of an option's help
EXTRA = re.compile(r"\s*\[((?:default: |env var: |required|[^\[\]]*[<>]=?x|x[<>])[^\[\]]*)\]\s*$")
BETWEEN = r"(?:(?P<low>[-\d.]+)(?P<above><=?))?x(?:(?P<below><=?)(?P<high>[-\d.]+))?"
RANGE = re.compile(rf"^{BETWEEN}$|^x(?P<from>>=?)(?P<least>[-\d.]+)$")
EXAMPLE = re.compile(r"^Examples?:[ \n]")
STATUS = re.compile(r"^Exit status:\s*")
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )?eyelevel ")
PAGE = re.compile(r"\bdocs/[\w/-]+\.md\b")
FOLDER = "docs/reference"
HEAD = ("option", "meaning", "default", "values")


@dataclass(frozen=True)
class Option:
    names: tuple[str, ...]
    row: tuple[str, str, str, str]


@dataclass(frozen=True)
class Command:
    """`name` is the whole of it: eyelevel study check."""

    name: str
    usage: str
    help: str
    options: tuple[Option, ...]


def commands() -> list[Command]:
    """Every command of click, in the order of `eyelevel --help`; groups with their commands behind them."""
    return list(_commands(eyelevel, click.Context(eyelevel, info_name="eyelevel")))


def _commands(command: click.Command, context: click.Context) -> Iterator[Command]:
    usage = " ".join(command.collect_usage_pieces(context))
    text = inspect.cleandoc(command.help or "")
    yield Command(context.command_path, f"{context.command_path} {usage}", text, tuple(_options(command, context)))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _commands(inner, click.Context(inner, info_name=name, parent=context))


def _options(command: click.Command, context: click.Context) -> Iterator[Option]:
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if not isinstance(option, click.Option) or record is None or "--help" in option.opts:
            continue
        # click's own brackets stand behind ours
        extras: list[str] = []
        text = record[1]
        while found := EXTRA.search(text):
            extras += _split(found[1])
            text = text[: found.start()]
        default = next((part.removeprefix("default: ") for part in extras if part.startswith("default: ")), "")
        if "required" in extras:
            default = "required"
        values = [f"`{choice}`" for choice in option.type.choices] if isinstance(option.type, click.Choice) else []
        values += [_range(part) for part in extras if RANGE.match(part)]
        variables = [part.removeprefix("env var: ") for part in extras if part.startswith("env var: ")]
        text += "".join(f" Environment variable: `{name}`." for name in variables)
        names = (*option.opts, *option.secondary_opts)
        metavar = "" if option.is_flag or isinstance(option.type, click.Choice) else f" {_metavar(option, context)}"
        shown = ", ".join(f"`{name}{metavar if name == names[-1] else ''}`" for name in names)
        yield Option(names, (shown, text, default, ", ".join(values)))


def _split(extra: str) -> list[str]:
    """A default may have a semicolon of its own."""
    parts = extra.split("; ")
    ours = [part for part in parts[1:] if not (RANGE.match(part) or part == "required")]
    return ["; ".join([parts[0], *ours]), *(part for part in parts[1:] if part not in ours)]


def _metavar(option: click.Option, context: click.Context) -> str:
    return option.make_metavar(context).removesuffix(" RANGE")


def _range(text: str) -> str:
    found = RANGE.match(text)
    if found is None:
        raise ValueError(f"{text} is no range.")
    if found["from"]:
        return f"{'at least' if found['from'] == '>=' else 'above'} {found['least']}"
    low = "" if found["low"] is None else f"{'' if found['above'] == '<=' else 'above '}{found['low']}"
    high = "" if found["high"] is None else f"{'' if found['below'] == '<=' else 'below '}{found['high']}"
    if low and high:
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}"


def marked(text: str) -> str:
    """Plain help as Markdown: links to pages, options as code, and no accidental emphasis or markup."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") else _marked(part) for part in parts)


def _marked(text: str) -> str:
    text = re.sub(r"([*<\[\]])", r"\\\1", text)
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", text)
    return PAGE.sub(lambda found: f"[{found[0]}]({relpath(found[0], FOLDER)})", text)


def text_of(command: Command) -> str:
    """The section of a command."""
    texts, status, examples = [], "", []
    is_example = False
    for part in command.help.split("\n\n"):
        verbatim = part.removeprefix("\b\n")
        is_example = bool(EXAMPLE.match(verbatim)) or (is_example and bool(COMMAND.match(verbatim)))
        if is_example:
            shown = textwrap.dedent(EXAMPLE.sub("", verbatim))
            examples.append(shown if verbatim != part else " ".join(shown.split()))
        elif STATUS.match(part):
            status = part
        else:
            texts.append(part)
    return page(
        f"## {command.name}",
        *(paragraph(marked(text)) for text in texts),
        block(command.usage),
        table(HEAD, [tuple(map(marked, option.row)) for option in command.options]) if command.options else "",
        paragraph(marked(status)) if status else "",
        *(["Examples:" if len("\n".join(examples).split("\neyelevel ")) > 1 else "Example:"] if examples else []),
        "\n".join(map(block, examples)),
    ).rstrip("\n")


def management_text(command: Management) -> str:
    rows = [tuple(map(marked, (f"`{option.shown}`", option.help, option.default))) for option in command.options]
    return page(
        f"### {command.name}",
        paragraph(marked(command.help)),
        block(
            f"eyelevel manage {command.name} {' '.join(argument.metavar for argument in command.arguments)}".rstrip()
        ),
        table(("argument", "meaning", "default"), rows) if rows else "",
    ).rstrip("\n")


def commands_page() -> str:
    every = [command for command in commands() if command.name != "eyelevel"]
    return page(
        "# Commands",
        paragraph(
            "Every `eyelevel` command, in the order of the flow. `eyelevel COMMAND --help` prints the same. "
            "This page is generated from the commands by `make reference`; do not edit it."
        ),
        paragraph(
            "[Testbed commands](testbed-commands.md) lists what `eyelevel testbed` passes on to the testbed's program, "
            "and [Settings](settings.md) the environment variables."
        ),
        "## Exit statuses",
        paragraph("Every command ends with one of these, and prints one sentence on stderr where it failed."),
        table(("status", "meaning"), [(str(int(status)), status.meaning) for status in Exit]),
        *map(text_of, every),
        "## Management commands",
        paragraph(
            "Run them on a running platform by `eyelevel manage`, or in containers by "
            "`docker compose exec web ./entrypoint COMMAND`."
        ),
        *map(management_text, management_commands()),
    )
