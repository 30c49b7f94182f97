"""`eyelevel analyse` run in this process."""

import sys
from pathlib import Path

import pytest

from eyelevel.cli import main

from .command import Done, Run


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """`eyelevel analyse` with `--out tmp_path/out`, in this process."""

    class Ended:
        def __init__(self, code: int, out: str, err: str) -> None:
            self.code, self.out, self.err = code, out, err

    def call(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["eyelevel", "analyse", *map(str, arguments), "--out", str(tmp_path / "out")])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Ended(int(ended.value.code), printed.out, printed.err)

    return call


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
