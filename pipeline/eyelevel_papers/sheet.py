"""A report about one paper: a page of sections, every table as CSV and every figure as SVG."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from eyelevel.compare.added import Report
from eyelevel.compare.model import Batch, Load
from eyelevel.compare.report.provenance import campaign_words, definition_words, tool_versions
from eyelevel.compare.wire import WIRE, WIRE_WORDS, wire_rows
from eyelevel.report.style import CSS
from eyelevel.report.table import Filled, dictionary, table_element
from eyelevel.report.words import plural
from eyelevel_figures.canvas import Drawing
from eyelevel_figures.elements import html_text, svg_text, tag

# a foldable table with more rows is collapsed at first
MOST_ROWS = 26


@dataclass(frozen=True)
class Panels:
    """Figures beside each other, with a caption."""

    figures: Sequence[Drawing]
    caption: str


@dataclass(frozen=True)
class Folded:
    """A detailed table, which the page collapses if it is long."""

    table: Filled


Part = str | Filled | Folded | Panels


@dataclass(frozen=True)
class Section:
    """A part of the page: paragraphs, tables and figures in their order. `key` is its place in the page's address."""

    key: str
    head: str
    content: Sequence[Part]


@dataclass(frozen=True)
class Sheet:
    """The whole report; the command prints `lead` and `said`. `loads`: the takes that count."""

    title: str
    lead: str
    said: Sequence[str]
    sections: Sequence[Section]
    remarks: Sequence[str]
    facts: Sequence[tuple[str, str]]
    loads: Sequence[Load]


def facts_of(batch: Batch, stacks: Iterable[str], networks: Iterable[str]) -> list[tuple[str, str]]:
    """Returns the facts that are needed to reproduce the report: name and value."""
    return [
        *(("campaign", campaign_words(campaign)) for campaign in batch.campaigns),
        ("batch", batch.digest or "no manifest of these takes"),
        ("takes", f"{len(batch.loads)}, together {batch.takes_digest}"),
        *((f"stack {name}", definition_words(batch.stacks[name])) for name in stacks),
        *((f"network {name}", definition_words(batch.networks[name])) for name in networks),
        *(("captured with " + name, value) for name, value in tool_versions(batch.loads)),
    ]


def report(sheet: Sheet) -> Report:
    """Writes the report; the same sheet gives the same bytes."""
    parts = [part for section in sheet.sections for part in section.content]
    tables = [part.table if isinstance(part, Folded) else part for part in parts if isinstance(part, Filled | Folded)]
    tables.append(Filled(WIRE, wire_rows(sheet.loads)))
    figures = [figure for part in parts if isinstance(part, Panels) for figure in part.figures]
    files = {
        "report.html": _page(sheet),
        **{f"tables/{table.file}": table.csv() for table in tables},
        "tables/columns.csv": dictionary(tables),
        **{f"figures/{figure.name}.svg": svg_text(figure.element()) for figure in figures},
    }
    return Report(files, [sheet.lead, *sheet.said], sheet.remarks)


def _page(sheet: Sheet) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", sheet.title),
        tag("style", CSS),
    )
    first = sheet.sections[0]
    section_links = [(section.key, section.head) for section in sheet.sections]
    links = [
        tag("li", tag("a", words, href=f"#{key}"))
        for key, words in [*section_links, ("data", "Takes"), ("provenance", "Provenance")]
    ]
    facts = [part for name, value in sheet.facts for part in (tag("dt", name), tag("dd", value))]
    every = tag("a", "columns.csv", href="tables/columns.csv")
    body = tag(
        "body",
        tag("a", f"To: {first.head}", href=f"#{first.key}", class_="skip"),
        tag("header", tag("h1", sheet.title), tag("p", sheet.lead, class_="lead")),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag(
            "main",
            [
                _section(section.key, section.head, [_part(part) for part in section.content])
                for section in sheet.sections
            ],
            _section(
                "data",
                "Takes",
                [tag("p", words) for words in sheet.remarks or ["Every take counts."]],
                tag("p", tag("a", WIRE.file, href=f"tables/{WIRE.file}"), f": {WIRE_WORDS}"),
            ),
            _section(
                "provenance",
                "Provenance",
                [tag("dl", facts, class_="facts"), tag("p", every, ": the meaning of every column of every table")],
            ),
        ),
        tag("footer", tag("p", "Made by eyelevel compare. The same batch gives the same bytes.")),
    )
    return html_text(tag("html", head, body, lang="en"))


def _section(key: str, head: str, *children: Iterable[Element] | Element) -> Element:
    return tag("section", tag("h2", head, id=f"{key}-head"), *children, id=key, aria_labelledby=f"{key}-head")


def _part(part: Part) -> Element:
    if isinstance(part, str):
        return tag("p", part)
    if isinstance(part, Panels):
        drawn = [tag("figure", figure.element()) for figure in part.figures]
        beside = "figures" if len(drawn) > 1 else None
        return tag("div", tag("div", drawn, class_=beside), tag("p", part.caption, class_="note"))
    if isinstance(part, Filled):
        return table_element(part)
    table = part.table
    summary = tag("summary", f"{table.caption}: {plural(len(table.rows), 'row')}")
    return tag("details", summary, table_element(table), open="open" if len(table.rows) <= MOST_ROWS else None)
