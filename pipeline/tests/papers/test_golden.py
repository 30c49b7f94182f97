"""The tables of each paper's report are those that were written before, byte for byte but for rounding."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.replay.download.command import files
from tests.compare import test_nepomuceno2018, test_saif2020
from tests.compare.golden import check_golden, text_of
from tests.compare.made import Plan, write
from tests.replay.test_download import CELLS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize(
    ("paper", "plan"), [("nepomuceno2018", test_nepomuceno2018.PLAN), ("saif2020", test_saif2020.PLAN)]
)
def test_every_table_of_a_paper(paper: str, plan: Plan, tmp_path: Path) -> None:
    batch = write(plan, tmp_path / "batch")
    told = CliRunner().invoke(compare_command, [str(batch), "--as", paper, "--out", str(tmp_path / "report")])
    assert told.exit_code == 0, told.output
    tables = sorted((tmp_path / "report" / "tables").glob("*.csv"))
    found = text_of({path.name: path.read_text(encoding="utf-8") for path in tables})
    check_golden(found, GOLDEN / f"{paper}.txt", tmp_path)


def test_every_table_of_downloads(tmp_path: Path) -> None:
    check_golden(text_of(files(CELLS)), GOLDEN / "download.txt", tmp_path)
