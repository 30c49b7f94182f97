"""The section about Wolsing et al. 2019 on the page of a comparison, and its tables and figures."""

import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.compare.write import report_files
from eyelevel_papers.wolsing2019.section import section
from tests.compare.conftest import Compared
from tests.compare.made import Plan, write
from tests.compare.test_report import Page


@pytest.fixture
def files(compared: Compared) -> dict[str, str]:
    plan = Plan(sites=("alpha", "beta"), networks=("DSL", "LTE"), stacks=("TCP", "TCP+", "QUIC"), runs=4)
    found = compared(plan)
    return report_files(found, [section(found)])


def rows(files: dict[str, str], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[f"tables/{name}.csv"])))


def test_the_command_adds_it_to_each_comparison(tmp_path: Path) -> None:
    batch = write(Plan(sites=("alpha",), runs=2), tmp_path / "batch")
    result = CliRunner().invoke(compare_command, [str(batch), "--out", str(tmp_path / "report")])
    assert result.exit_code == 0, result.output
    page = Page((tmp_path / "report" / "report.html").read_text())
    assert "#replication" in {link["href"] for link in page.all("a")}
    assert (tmp_path / "report" / "tables" / "gains-2019.csv").is_file()


def test_its_tables_and_figures_are_on_the_page_and_files(files: dict[str, str]) -> None:
    assert {name for name in files if name.endswith("-2019.csv")} == {
        f"tables/{name}-2019.csv" for name in ("gains", "average-gains", "anova", "one-rtt", "beside")
    }
    panels = [f"cdf-{n}-{metric}" for n in ("DSL", "LTE") for metric in ("fvc", "si", "vc85", "lvc", "plt")]
    assert {f"figures/{name}.svg" for name in (*panels, "average-DSL", "average-LTE")} < set(files)
    page = Page(files["report.html"])
    assert len(page.all("svg")) == len([name for name in files if name.endswith(".svg")])
    assert len(page.all("caption")) == len(page.all("table")) > 15
    explained = {(row["file"], row["column"]): row["meaning"] for row in rows(files, "columns")}
    for name in (name for name in files if name.endswith("-2019.csv")):
        for column in next(csv.reader(io.StringIO(files[name]))):
            assert explained[name.removeprefix("tables/"), column]


def test_the_anova_table_is_laid_out_as_the_slides(files: dict[str, str]) -> None:
    lines = [row for row in rows(files, "anova-2019") if (row["network"], row["new_stack"]) == ("DSL", "TCP+")]
    assert [row["faster"] for row in lines] == ["TCP+", "TCP", "undecided"]
    assert [sum(int(row[f"{m}_sites"]) for row in lines) for m in ("fvc", "si", "vc85", "lvc", "plt")] == [2] * 5
    assert [row["paper_2019_si_sites"] for row in lines] == ["26", "0", "12"]
    assert {row["paper_2019_si_sites"] for row in rows(files, "anova-2019") if row["network"] == "LTE"} == {""}


def test_the_distributions_are_drawn_against_stock_tcp(files: dict[str, str]) -> None:
    assert "gain against TCP;" in files["figures/cdf-DSL-si.svg"]
    assert ">QUIC<" in files["figures/cdf-DSL-si.svg"]
    assert ">TCP+<" in files["figures/cdf-DSL-si.svg"]
