"""The tables of each paper's report are those that were written before, byte for byte but for rounding."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.compare.write import report_files
from eyelevel_papers.download.command import files
from eyelevel_papers.wolsing2019.section import section
from tests.compare.conftest import Compared
from tests.compare.made import Plan, write
from tests.compare.pinned import check_golden, text_of
from tests.compare.test_golden import ATTEMPTS, EVERYTHING

from . import test_nepomuceno2018, test_saif2020
from .test_download import CELLS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("paper", "plan"), [("nepomuceno2018", test_nepomuceno2018.PLAN), ("saif2020", test_saif2020.PLAN)]
)
def test_every_table_of_a_paper(paper: str, plan: Plan, tmp_path: Path) -> None:
    batch = write(plan, tmp_path / "batch")
    result = CliRunner().invoke(compare_command, [str(batch), "--as", paper, "--out", str(tmp_path / "report")])
    assert result.exit_code == 0, result.output
    tables = sorted((tmp_path / "report" / "tables").glob("*.csv"))
    found = text_of({path.name: path.read_text(encoding="utf-8") for path in tables})
    check_golden(found, GOLDEN / f"{paper}.txt", tmp_path)


def test_every_table_of_downloads(tmp_path: Path) -> None:
    check_golden(text_of(files(CELLS)), GOLDEN / "download.txt", tmp_path)


def test_the_tables_of_2019_and_their_place_in_the_dictionary(compared: Compared, tmp_path: Path) -> None:
    found = compared(EVERYTHING, attempts=ATTEMPTS)
    files = report_files(found, [section(found)])
    tables_2019 = {name: text for name, text in files.items() if name.endswith(("-2019.csv", "columns.csv"))}
    check_golden(text_of(tables_2019), GOLDEN / "wolsing2019.txt", tmp_path)
