"""The report says what the tables hold, in a page that needs nothing else and hides nothing from a screen reader."""

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from eyelevel.compare.inference import RATIOS
from eyelevel.compare.report.answers import answers, verdict
from eyelevel.compare.report.provenance import facts as provenance
from eyelevel.compare.write import report_files
from eyelevel.report.words import percent
from eyelevel_figures.elements import html_text, tag

from .conftest import Compared
from .made import HOW, Plan

SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """Elements with their attributes, and the text of the page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for element, attributes in self.elements if element == name]


@pytest.fixture
def files(compared: Compared) -> dict[str, str]:
    plan = Plan(sites=("alpha", "beta"), networks=("DSL", "LTE"), stacks=("TCP", "TCP+", "QUIC"), runs=4)
    return report_files(compared(plan))


def rows(files: dict[str, str], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[f"tables/{name}.csv"])))


def test_the_page_needs_nothing_from_elsewhere(files: dict[str, str]) -> None:
    page = Page(files["report.html"])
    assert not [name for name, _ in page.elements if name in {"script", "img", "link", "iframe", "object"}]
    links = [link["href"] or "" for link in page.all("a")]
    ids = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    for link in links:
        assert link in files if not link.startswith("#") else link[1:] in ids, link
    assert "url(" not in files["report.html"]
    assert "@import" not in files["report.html"]


def test_tables_have_captions_and_headers_and_figures_their_words(files: dict[str, str]) -> None:
    page = Page(files["report.html"])
    assert page.all("html")[0]["lang"] == "en"
    assert len(page.all("caption")) == len(page.all("table")) > 10
    assert {header.get("scope") for header in page.all("th")} == {"col", "row"}
    ids = Counter(attributes["id"] for _, attributes in page.elements if "id" in attributes)
    assert set(ids.values()) == {1}
    for drawing in page.all("svg"):
        assert drawing["role"] == "img"
        assert all(part in ids for part in (drawing["aria-labelledby"] or "").split())
    assert len(page.all("svg")) == len([name for name in files if name.endswith(".svg")])


def test_every_figure_is_a_file_of_its_own_with_a_title_and_a_description(files: dict[str, str]) -> None:
    figures = {name: text for name, text in files.items() if name.endswith(".svg")}
    assert set(figures) == {
        *(f"figures/gain-{network}.svg" for network in ("DSL", "LTE")),
        *(f"figures/runs-{network}.svg" for network in ("DSL", "LTE")),
        "figures/sites.svg",
    }
    for text in figures.values():
        root = ElementTree.fromstring(text)  # noqa: S314 - our own file
        assert root.tag == f"{SVG}svg"
        assert (root.findtext(f"{SVG}title") or "").strip()
        assert len(root.findtext(f"{SVG}desc") or "") > 10


def test_every_column_is_explained_and_units_are_in_the_names(files: dict[str, str]) -> None:
    explained = {(row["file"], row["column"]): row["meaning"] for row in rows(files, "columns")}
    for name, text in files.items():
        if name.endswith(".csv") and name != "tables/columns.csv":
            header = next(csv.reader(io.StringIO(text)))
            assert len(set(header)) == len(header)
            for column in header:
                assert explained.pop((name.removeprefix("tables/"), column))
    assert not explained


def test_every_run_has_a_mark_and_those_without_a_value_are_counted(compared: Compared) -> None:
    unsettled = frozenset({"takes/alpha/DSL/QUIC/run-02"})
    figure = report_files(compared(Plan(sites=("alpha", "beta"), runs=4, unsettled=unsettled)))["figures/runs-DSL.svg"]
    root = ElementTree.fromstring(figure)  # noqa: S314 - our own file
    titles = [title.text or "" for title in root.iter(f"{SVG}title") if ", run " in (title.text or "")]
    assert len(titles) == 15
    assert not [words for words in titles if words.startswith("alpha, QUIC, run 2:")]
    assert "15\u00a0runs of 2\u00a0sites with QUIC, TCP+" in (root.findtext(f"{SVG}desc") or "")
    assert (root.findtext(f"{SVG}desc") or "").endswith("; 1\u00a0run without a value.")


def test_unknown_is_an_empty_cell_and_a_dash_never_zero(compared: Compared) -> None:
    files = report_files(compared(Plan(sites=("alpha",), runs=1), attempts=None))
    row = rows(files, "overall")[0]
    assert (row["gain_ci_low"], row["p_value"], row["p_adjusted"], row["here_p_value"]) == ("", "", "", "")
    assert row["not_estimated_because"] == "one site says nothing about others"
    assert rows(files, "runs")[0]["void"] == ""
    text = Page(files["report.html"]).text
    assert "too little data to tell QUIC from TCP+ on DSL" in text.replace("Too", "too")
    assert "Nothing can be concluded from 2\u00a0runs of 1\u00a0site" in text
    assert "the number of void attempts is unknown" in text


def test_what_is_left_out_is_in_the_report_with_its_reason(compared: Compared) -> None:
    take = "takes/beta/DSL/QUIC/run-02"
    plan = Plan(
        sites=("alpha", "beta", "gamma"), runs=4, served_otherwise=[take], unlike=["takes/gamma/DSL/TCP+/run-01"],
        zero_error_ms={"TCP+": 60.0},
    )  # fmt: skip
    files = report_files(compared(plan))
    (row,) = rows(files, "served-otherwise")
    assert row == {
        "site": "beta", "network": "DSL", "stack": "QUIC", "run": "2", "take": take, "lacks": "1", "adds": "0",
    }  # fmt: skip
    (answer,) = rows(files, "served-otherwise-answers")
    assert answer == {
        "take": take, "kind": "lacks", "url": "https://ads.example/banner.js?slot=1", "status": "200",
        "body_bytes": "7000",
    }  # fmt: skip
    (scene,) = rows(files, "unlike")
    assert (scene["site"], scene["network"], scene["how"]) == ("gamma", "DSL", HOW)
    assert len(rows(files, "with-all-takes")) == len(RATIOS)
    assert {row["take"] for row in rows(files, "off-by-a-frame")} == {
        f"takes/{site}/DSL/TCP+/run-0{run}" for site in ("alpha", "beta") for run in (1, 2, 3, 4)
    }
    text = Page(files["report.html"]).text
    assert "QUIC 1 of 8 and TCP+ 0 of 8" in text
    assert "ads.example/banner.js" in text
    assert "slot=1" not in text
    assert "8\u00a0films whose time origin is off by more than a frame" in text


def test_a_film_of_unknown_zero_is_reported_as_unknown_and_not_as_well_aligned(compared: Compared) -> None:
    plan = Plan(sites=("alpha", "beta"), runs=2, paint_unknown=("takes/beta",))
    files = report_files(compared(plan))
    assert rows(files, "first-paint") == [
        {"site": "alpha", "network": "DSL", "takes": "4", "off_by_a_frame": "0", "unknown": "0"},
        {"site": "beta", "network": "DSL", "takes": "4", "off_by_a_frame": "0", "unknown": "4"},
    ]
    text = Page(files["report.html"]).text
    assert "The first paint of 4\u00a0films of 8 does not explain the first change" in text
    assert "only the clocks show whether the time origin is off by a frame" in text
    calm = Page(report_files(compared(replace(plan, paint_unknown=())))["report.html"]).text
    assert "does not explain" not in calm


def test_the_floor_that_decides_is_shown_also_where_it_is_the_clocks(compared: Compared) -> None:
    files = report_files(
        compared(Plan(sites=("alpha", "beta"), zero_error_ms={"QUIC": None, "TCP+": None}), film_cost=0.0)
    )
    # nothing to read off the first paint; 0.1 ms by the clocks, and a sixtieth of a second
    assert cells(files, "Alignment")["by the first paint, ms"] == "–"
    assert cells(files, "Geometric mean gain")["floor, ms"] == "16.77"


def cells(files: dict[str, str], caption: str) -> dict[str | None, str | None]:
    """The first row of a table on the page, by the heads of its columns."""
    found = re.search(rf"<table><caption><span>{caption}.*?</table>", files["report.html"], re.DOTALL)
    assert found is not None
    head, row, *_ = ElementTree.fromstring(found[0]).iter("tr")  # noqa: S314 - our own report
    return dict(zip([cell.text for cell in head], [cell.text for cell in row], strict=True))


def test_a_planted_gain_is_said_in_a_sentence(compared: Compared) -> None:
    sites = ("a1", "b2", "c3", "d4", "e5", "f6")
    found = compared(Plan(sites=sites, runs=8, log_gain={"QUIC": -0.2}, run_sd=0.05, site_sd=0.01, seed=2))
    pair = found.choices.pairs[0]
    said = answers(found, pair)
    assert [(claim.network, claim.claim, claim.sites_like_these) for claim in said] == [("DSL", "faster", True)]
    assert said[0].sentence.startswith("QUIC is faster on sites like these 6: Speed Index −1")
    assert verdict(pair, said) == "QUIC is faster than TCP+ on DSL (−18\u00a0%)."


def test_sites_that_differ_much_bound_the_claim_to_these_very_sites(compared: Compared) -> None:
    found = compared(Plan(sites=("a1", "b2", "c3"), runs=10, log_gain={"QUIC": -0.3}, run_sd=0.03, site_sd=0.2, seed=3))
    said = answers(found, found.choices.pairs[0])
    assert (said[0].claim, said[0].sites_like_these) == ("faster", False)
    assert "on these very 3\u00a0sites, which says little about others" in said[0].sentence
    assert (
        verdict(found.choices.pairs[0], said)
        == f"QUIC is faster than TCP+ on DSL ({percent(said[0].gain)}) for these very sites only."
    )


def test_masks_and_volatile_parameters_of_each_site_are_named(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha", "beta"), runs=1))
    loads = [replace(load, mask_digest="ab" if load.site == "beta" else None) for load in found.batch.loads]
    facts = dict(provenance(replace(found, batch=replace(found.batch, loads=loads))))
    assert (facts["motion mask of alpha"], facts["motion mask of beta"]) == ("none", "ab")
    assert facts["volatile parameters of beta"] == "none"


def test_one_site_is_a_site_in_words(compared: Compared) -> None:
    found = compared(Plan(sites=("a1",), runs=10, log_gain={"QUIC": -0.3}, run_sd=0.03, seed=3))
    pair = found.choices.pairs[0]
    said = answers(found, pair)
    assert said[0].sentence.startswith("QUIC is faster on this very site, which says little about others:")
    assert verdict(pair, said).endswith(" for this very site only.")


def test_a_name_is_text_and_never_markup() -> None:
    assert html_text(tag("p", "<b>&", title='"')) == '<!doctype html>\n<p title="&quot;">&lt;b&gt;&amp;</p>\n'


def test_every_take_has_what_the_link_dropped(compared: Compared) -> None:
    found = compared(Plan(sites=("alpha",), runs=1, over_h3={"QUIC": 4, "TCP+": 0}))
    dropped = {(row["down_queue_drops"], row["down_losses"]) for row in rows(report_files(found), "wire")}
    assert dropped == {("3", "2")}
