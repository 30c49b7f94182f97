"""`eyelevel analyse` run in this process."""

import sys
from pathlib import Path

import pytest

from eyelevel.cli import main

from .command import Done, Run, RunInto
from .exports import VOTES, text_of


@pytest.fixture
def run_into(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunInto:
    """`eyelevel analyse` with an output folder, in this process."""

    class Ended:
        def __init__(self, code: int, out: str, err: str) -> None:
            self.code, self.out, self.err = code, out, err

    def call(out: Path, *arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["eyelevel", "analyse", *map(str, arguments), "--out", str(out)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Ended(int(ended.value.code), printed.out, printed.err)

    return call


@pytest.fixture
def run(run_into: RunInto, out: Path) -> Run:
    """`eyelevel analyse` with `--out tmp_path/out`, in this process."""
    return lambda *arguments: run_into(out, *arguments)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """votes.csv of an export."""
    path = tmp_path / "votes.csv"
    path.write_text(text_of(VOTES), newline="")
    return path
