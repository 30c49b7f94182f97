"""Tests of `.ci/step` and `.ci/summary`: budgets, and the reasons of failed tests."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1] / ".ci"
# about 0.4 s of processor time on whatever machine
WORK = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.4: pass"]


def copied(tmp_path: Path, budgets: dict[str, float]) -> Path:
    """The folder of a copy that writes its records into `tmp_path`."""
    ci = tmp_path / ".ci"
    ci.mkdir()
    for name in ("step", "summary"):
        shutil.copy(CI / name, ci / name)
    (ci / "budget.json").write_text(json.dumps({"loop_ms": 4.0, "processor_seconds": budgets}))
    return ci


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)


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
    ci = copied(tmp_path, {} if budget_s is None else {"work": budget_s})
    done = run([str(ci / "step"), "work", *WORK])
    assert (done.returncode, said in done.stdout) == (status, True), done.stdout
    record = json.loads((tmp_path / "var" / "steps" / "work.json").read_text())
    assert record["processor_seconds"] >= 0.3
    assert record["scaled_seconds"] == pytest.approx(record["processor_seconds"] * 4.0 / record["loop_ms"], abs=0.1)


def test_the_summary_gives_the_reason_of_a_failed_test(tmp_path: Path) -> None:
    ci = copied(tmp_path, {})
    test = tmp_path / "test_sums.py"
    test.write_text("def test_sum() -> None:\n    total = 1 + 1\n    assert total == 3\n")
    step = run([str(ci / "step"), "sums", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)])
    assert step.returncode == 1, step.stdout
    summary = run([str(ci / "summary"), "0", "sums"])
    assert summary.returncode == 1
    assert "test_sums.py::test_sum\n" in summary.stdout
    for line in (">       assert total == 3", "E       assert 2 == 3"):
        assert f"  {line}" in summary.stdout
