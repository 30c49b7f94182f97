"""A number that is out of bounds, or none, is refused where the option is read."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.cli import eyelevel


@pytest.mark.parametrize(
    ("given", "message"), [("nan", "'nan' is not a number."), ("0.5", "0.5 is not in the range 1<=x<=86400.")]
)
def test_a_limit_of_nan_is_refused_as_one_out_of_bounds_is(given: str, message: str, tmp_path: Path) -> None:
    options = ["download", "--bytes", "1000", "--out", str(tmp_path / "out"), "--limit-s", given]
    done = CliRunner().invoke(eyelevel, options)
    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "out").exists()
