"""The command that runs the benches: what it keeps, and what it tells in the end."""

import json
from pathlib import Path

import pytest
from bench.run import main

BENCHES = ("fast", "slow", "never")


@pytest.fixture
def benches(tmp_path: Path) -> Path:
    (tmp_path / "fast.py").write_text("print('1.5 times, within 1')\n")
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "__main__.py").write_text("print('0.5 times, NOT within 1')\nraise SystemExit(1)\n")
    return tmp_path


def test_output_is_kept_and_the_table_tells_of_every_bench(benches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = benches / "kept"
    main(["fast"], here=benches, kept=kept, benches=BENCHES)
    with pytest.raises(SystemExit, match=r"^Out of bounds or failed: slow$"):
        main(["slow"], here=benches, kept=kept, benches=BENCHES)
    assert (kept / "fast.txt").read_text() == "1.5 times, within 1\n"
    assert (kept / "slow.txt").read_text() == "0.5 times, NOT within 1\n"
    assert {name: entry["status"] for name, entry in json.loads((kept / "verdicts.json").read_text()).items()} == {
        "fast": 0,
        "slow": 1,
    }
    rows = capsys.readouterr().out.splitlines()[-3:]
    assert [row.split()[0] for row in rows] == ["fast", "slow", "never"]
    assert "within its bounds" in rows[0]
    assert "out of bounds or failed" in rows[1]
    assert rows[2].endswith("not run")


def test_an_unknown_bench_is_named_and_nothing_runs(benches: Path) -> None:
    with pytest.raises(SystemExit, match=r"^There is no bench quick; there are fast, slow, never\.$"):
        main(["fast", "quick"], here=benches, kept=benches / "kept", benches=BENCHES)
    assert not (benches / "kept").exists()
