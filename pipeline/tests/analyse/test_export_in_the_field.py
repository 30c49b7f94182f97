"""An export made during data collection is answered at planned looks only."""

from pathlib import Path

import pytest

from .command import Run, table
from .exports import PLAN, compare, in_the_field, rate


@pytest.mark.parametrize("origin", ["person", "simulated"])
def test_an_export_from_the_field_is_answered_at_planned_looks_alone(run: Run, tmp_path: Path, origin: str) -> None:
    looks = "\n  looks:\n    at: [3]\n    spending: pocock\n"
    votes = [
        rate(2 * n + side, participant=n, stack=stack, score=score + n % 2, origin=origin)
        for n in range(6)
        for side, (stack, score) in enumerate((("QUIC", 6), ("TCP+", 2)))
    ]
    answered = []
    for plan in (PLAN, PLAN.rstrip() + looks):
        export = in_the_field(tmp_path / "export", votes, plan=plan)
        done = run(export, "--origin", "all", "--no-bootstrap")
        assert (done.code, "note: The study was still in the field" in done.err) == (0, True)
        assert "note: Not listed in manifest.json, so not checked: study.json and votes.csv." in done.err
        assert "The study was still in the field" in (tmp_path / "out" / "report.html").read_text()
        answered.append([row["participants"] for row in table(tmp_path / "out" / "effects.csv")])
    assert answered == [[], ["3"] if origin == "person" else []]


def of_twenty_clips() -> list[dict[str, object]]:
    """Four people rate twenty clips of ten sites, and compare two more."""
    rated = [
        rate(
            100 * n + place,
            participant=n,
            stack="QUIC" if place % 2 else "TCP+",
            score=1 + (place + n) % 7,
            site=f"s{place // 2}",
            clip_sha256=f"{place:064x}",
            si_ms=500 + 90 * place,
            plt_ms=900 + place**2,
        )
        for n in range(4)
        for place in range(20)
    ]
    return [*rated, *(compare(9000 + n, participant=n, choice="left") for n in range(4))]


def test_an_export_from_the_field_has_nothing_in_depth_and_compares_no_metrics(run: Run, tmp_path: Path) -> None:
    done = run(in_the_field(tmp_path / "export", of_twenty_clips(), plan=PLAN))
    assert done.code == 0
    assert not (tmp_path / "out" / "statistics").exists()
    page = (tmp_path / "out" / "report.html").read_text()
    for said in ("agrees best", "most closely", "Which metric", "In depth"):
        assert said not in done.out + page
    assert len(table(tmp_path / "out" / "correlations.csv")) == 5
