"""Makes docs/reference/testbed-commands.md from `--help` of the testbed's program, which has to be built."""

import re
import subprocess
from pathlib import Path

from docs.commands_page import marked
from docs.tables import block, page, paragraph, table

COMMANDS = re.compile(r"^  (\w+) ", re.MULTILINE)
EXAMPLE = re.compile(r"^Example: (?=eyelevel )")
OPTION = re.compile(r"^ {2,6}(-.*?|<.*?>\S*)(?: {2,}(.*))?$")
DEFAULT = re.compile(r"\s*\[default: ([^\]]*)\]|; default: ([^;]*)$")


def testbed_page(program: Path) -> str:
    sections = _help(program)["Commands"]
    names = [name for name in COMMANDS.findall(sections) if name != "help"]
    return page(
        "# Testbed commands",
        paragraph(
            "The commands of `eyelevel testbed`, which replay a recording behind an emulated network. This page is "
            "generated from the testbed's program by `make reference`; do not edit it. "
            "[Commands](commands.md#eyelevel-testbed-browse) has `eyelevel testbed browse`."
        ),
        *(_section(name, _help(program, name)) for name in names),
    )


def _help(program: Path, *command: str) -> dict[str, str]:
    """The parts of a help text by their headings; the description is under an empty one, and the rest under `After`."""
    done = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True)
    text = done.stdout.replace("eyelevel-testbed", "eyelevel testbed")
    description, _, rest = text.partition("\nUsage: ")
    usage, _, rest = rest.partition("\n")
    parts = {"": description.strip(), "Usage": usage}
    for name in ("Arguments", "Commands", "Options"):
        found = re.search(rf"^{name}:\n((?:(?: .*)?\n)*)", rest, re.MULTILINE)
        if found:
            parts[name] = found[1]
            rest = rest.replace(found[0], "", 1)
    return parts | {"After": rest.strip("\n")}


def _section(name: str, parts: dict[str, str]) -> str:
    rows = _rows(parts.get("Arguments", "") + parts["Options"], parts["Usage"])
    return page(
        f"## eyelevel testbed {name}",
        *(paragraph(marked(part)) for part in parts[""].split("\n\n")),
        block(parts["Usage"]),
        table(("option", "meaning", "default"), rows) if rows else "",
        *map(_after, parts["After"].split("\n\n")),
    ).rstrip("\n")


def _after(part: str) -> str:
    """A sentence alone, or one with a list behind it, which stays as it is."""
    first, _, rest = part.partition("\n")
    if EXAMPLE.match(part):
        first, rest = "Example:", f"  {EXAMPLE.sub('', part)}"
    if not rest or not rest.startswith("  "):
        return paragraph(marked(part))
    listed = [line for line in rest.split("\n") if line.startswith("  ")]
    behind = "\n".join(line for line in rest.split("\n") if not line.startswith("  "))
    parts = [paragraph(marked(first)), block("\n".join(listed)), paragraph(marked(behind))]
    return "\n\n".join(part for part in parts if part)


def _rows(text: str, usage: str) -> list[tuple[str, str, str]]:
    """Option, meaning and default, of clap's short or long layout. The usage names options that are required."""
    rows: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if found := OPTION.match(line):
            rows.append((found[1], [found[2] or ""]))
        elif line.strip() and rows:
            rows[-1][1].append(line.strip())
    found_rows = []
    for names, said in rows:
        meaning = " ".join(part for part in said if part)
        default = DEFAULT.search(meaning)
        if "--help" not in names:
            value = (default[1] or default[2]) if default else "required" if names in usage else ""
            shown = ", ".join(f"`{name}`" for name in names.split(", "))
            found_rows.append((shown, marked(DEFAULT.sub("", meaning)), marked(value)))
    return found_rows
