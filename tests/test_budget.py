"""A step of the proof fails where it takes more processor time than its budget."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STEP = Path(__file__).resolve().parents[1] / ".ci" / "step"
# about 0.4 s of processor time on whatever machine
WORK = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.4: pass"]


@pytest.mark.parametrize(
    ("budget_s", "status", "said"),
    [
        (40, 0, "<== work: ok"),
        (
            0.01,
            3,
            "s of processor time at reference speed, but its budget is 0.01 s (+15 %); make it cheaper, or raise",
        ),
        (None, 0, "<== work: ok"),
    ],
)
def test_only_a_step_over_its_budget_fails(tmp_path: Path, budget_s: float | None, status: int, said: str) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(STEP, tmp_path / ".ci" / "step")
    budgets = {} if budget_s is None else {"work": budget_s}
    (tmp_path / ".ci" / "budget.json").write_text(json.dumps({"loop_ms": 4.0, "processor_seconds": budgets}))
    done = subprocess.run(
        [sys.executable, tmp_path / ".ci" / "step", "work", *WORK], capture_output=True, text=True, check=False
    )
    assert (done.returncode, said in done.stdout) == (status, True), done.stdout
    record = json.loads((tmp_path / "var" / "steps" / "work.json").read_text())
    assert record["processor_seconds"] >= 0.3
    assert record["scaled_seconds"] == pytest.approx(record["processor_seconds"] * 4.0 / record["loop_ms"], abs=0.1)
