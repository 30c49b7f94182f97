"""`eyelevel analyse --votes` of pairs: shares, Davidson's model, thresholds of metrics, and d'."""

import csv
from pathlib import Path

import pytest
from scipy.stats import norm

from .command import RATINGS, Page, Run, known_ratings, table


@known_ratings
def test_the_two_forms_of_the_netflix_comparisons_agree(run: Run, out: Path) -> None:
    path = RATINGS / "lukas_paired.csv"
    assert run("--votes", path, "--columns", "participant=observer,winner=stimulus,loser=compared_with").code == 0
    named = table(out / "comparisons.csv")
    columns = "participant=observer,left=stimulus,right=compared_with,choice=score"
    assert run("--votes", path, "--columns", columns, "--choices", "left=1").code == 0
    assert table(out / "comparisons.csv") == named
    assert sum(int(row["n"]) for row in named) == 2128
    with path.open(newline="") as file:
        of_two = [row for row in csv.DictReader(file) if {row["stimulus"], row["compared_with"]} == {"0", "2"}]
    row = next(row for row in named if (row["stimulus_a"], row["stimulus_b"]) == ("0", "2"))
    assert (int(row["n"]), int(row["prefer_a"])) == (len(of_two), sum(row["stimulus"] == "0" for row in of_two))


def test_pairs_give_shares_whichever_side_a_stimulus_was_on(run: Run, tmp_path: Path, out: Path) -> None:
    rows = ["ann,x,y,left", "ben,y,x,right", "cem,y,x,left", "dea,x,y,tie", "eve,x,y,NA", "ann,z,x,left"]
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *rows]))
    done = run("--votes", tmp_path / "p.csv", "--columns", "participant=who,left=l,right=r,choice=c")
    assert done.code == 0
    assert [list(row.values())[:7] for row in table(out / "comparisons.csv")] == [
        ["x", "y", "4", "2", "1", "1", "0.5"],
        ["x", "z", "1", "0", "1", "0", "0.0"],
    ]
    assert [list(row.values()) for row in table(out / "preferred.csv")] == [
        ["z", "1", "1", "0", "0", "1.0"],
        ["x", "5", "2", "2", "1", "0.5"],
        ["y", "4", "1", "2", "1", "0.375"],
    ]
    # Wilson's interval of 2 of 4, as by statsmodels' proportion_confint
    row = table(out / "comparisons.csv")[0]
    assert (float(row["ci_low"]), float(row["ci_high"])) == pytest.approx((0.1500390, 0.8499610), abs=1e-6)
    assert "note: 1\u00a0row of 6 without a choice left out. If an empty answer means" in done.err
    page = Page((out / "report.html").read_text())
    assert (len(page.all("svg")), len(page.all("table"))) == (1, 6)


def test_an_empty_answer_may_mean_a_tie(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("who,l,r,w\nann,x,y,x\nben,x,y,\n")
    done = run("--votes", tmp_path / "p.csv", "--columns", "participant=who,left=l,right=r,winner=w")
    assert (
        "1\u00a0row of 2 without a choice left out. If an empty answer means that neither was preferred, write"
        in done.err
    )


def test_choices_that_name_stimuli_as_well_are_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("who,l,r,c\nann,1,2,1\nben,2,1,1\n")
    done = run("--votes", tmp_path / "p.csv", *ASKED_PAIRS, "--choices", "left=1,right=2")
    assert (done.code, "note: Choices that also name a stimulus: 1. They have the meaning that" in done.err) == (
        0,
        True,
    )


ASKED_PAIRS = ("--columns", "participant=who,left=l,right=r,choice=c")


def pairs_of_one_jod() -> list[str]:
    """Twenty people see x and y in both orders, twice; half of them prefer x always, the others every other time."""
    rows = []
    for person in range(20):
        for left, right in (("x", "y"), ("y", "x")):
            x, y = ("left", "right") if left == "x" else ("right", "left")
            rows += [f"p{person:02},{left},{right},{choice}" for choice in (x, x if person % 2 else y)]
    return rows


def test_pairs_give_worths_and_jod_of_davidsons_model(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *pairs_of_one_jod()]))
    done = run("--votes", tmp_path / "p.csv", *ASKED_PAIRS)
    assert done.code == 0
    # 3 of 4 answers are for x
    worths = {row["stimulus"]: float(row["worth"]) for row in table(out / "statistics" / "worths.csv")}
    assert worths == pytest.approx({"x": 0.75, "y": 0.25})
    (distance,) = table(out / "statistics" / "jod.csv")
    assert (distance["stimulus_a"], distance["stimulus_b"], distance["n"]) == ("x", "y", "80")
    assert float(distance["jod"]) == pytest.approx(1)
    assert 0.3 < float(distance["ci_low"]) < 0.9
    assert 1.1 < float(distance["ci_high"]) < 1.7
    (fit,) = table(out / "statistics" / "pair-components.csv")
    assert (float(fit["nu"]), float(fit["side_bias"])) == pytest.approx((0, 0))
    assert done.out.endswith("The stimuli that differ most are x and y: 1.00 JOD in favour of x.\n")
    page = Page((out / "report.html").read_text())
    assert "Worths of stimuli" in page.text
    assert not (out / "statistics" / "detection.csv").exists()
    assert not (out / "statistics" / "thresholds.csv").exists()


def test_without_the_bootstrap_nothing_of_pairs_is_fitted(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *pairs_of_one_jod()]))
    run("--votes", tmp_path / "p.csv", *ASKED_PAIRS, "--no-bootstrap")
    assert sorted(path.name for path in out.iterdir()) == [
        "comparisons.csv", "data-dictionary.csv", "figures", "preferred.csv", "report.html",
    ]  # fmt: skip


def test_metrics_of_pairs_have_thresholds_in_the_direction_that_is_better(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *pairs_of_one_jod()]))
    (tmp_path / "m.csv").write_text("stimulus,si,rate\nx,1000,50\ny,2000,20\n")
    metrics = ("--metrics", tmp_path / "m.csv", "--higher-is-better", "rate")
    done = run("--votes", tmp_path / "p.csv", *ASKED_PAIRS, *metrics)
    found = {(row["metric"], row["threshold"]): row for row in table(out / "statistics" / "thresholds.csv")}
    # 75 % of the answers are for the side whose si is half, and whose rate is 2.5 times the other's
    assert float(found["si", "discrimination"]["value"]) == pytest.approx(1.0)
    assert float(found["rate", "discrimination"]["value"]) == pytest.approx(1.5)
    assert found["si", "indifference"]["why"].startswith("nu is 0.00")
    assert "By si, 75 % of the decided answers are for the better side from a difference of 100.0\u00a0%" in done.out


def test_identical_pairs_give_d_prime(run: Run, tmp_path: Path, out: Path) -> None:
    # of 80 answers about two stimuli, all name a side; of 20 about one stimulus twice, 4 do
    same = [f"p{person:02},x,x,{'left' if person < 4 else 'tie'}" for person in range(20)]
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *pairs_of_one_jod(), *same]))
    done = run("--votes", tmp_path / "p.csv", *ASKED_PAIRS)
    assert "Provenance" in Page((out / "report.html").read_text()).text
    (row,) = table(out / "statistics" / "detection.csv")
    assert [row[name] for name in ("n", "named", "one_take_n", "one_take_named")] == ["80", "80", "20", "4"]
    # z(80.5 / 81) - z(4.5 / 21)
    assert float(row["d_prime"]) == pytest.approx(norm.ppf(80.5 / 81) - norm.ppf(4.5 / 21), abs=1e-9)
    assert [comparison["n"] for comparison in table(out / "comparisons.csv")] == ["80"]
    assert "Sensitivity d′ is 3.29" in done.out


def test_winners_without_sides_are_fitted_without_a_side_bias(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "\n".join(["who,w,l", *(f"p{n:02},{'x,y' if n % 4 else 'y,x'}" for n in range(40))])
    )
    assert run("--votes", tmp_path / "p.csv", "--columns", "participant=who,winner=w,loser=l").code == 0
    (distance,) = table(out / "statistics" / "jod.csv")
    assert float(distance["jod"]) == pytest.approx(1)
    assert table(out / "statistics" / "pair-components.csv")[0]["side_bias"] == ""


def test_every_column_of_pairs_is_explained(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *pairs_of_one_jod(), "p00,x,x,none"]))
    (tmp_path / "m.csv").write_text("stimulus,si\nx,1000\ny,2000\n")
    run("--votes", tmp_path / "p.csv", *ASKED_PAIRS, "--metrics", tmp_path / "m.csv")
    explained = {(row["file"], row["column"]) for row in table(out / "data-dictionary.csv")}
    assert explained == {
        (str(path.relative_to(out)), column)
        for path in out.rglob("*.csv")
        if path.name != "data-dictionary.csv"
        for column in table(path)[0]
    }
    words = (out / "data-dictionary.csv").read_text()
    assert [word for word in ("stack", "Speed Index", "network") if word in words] == []


def test_metrics_of_stimuli_are_compared_with_the_majority_of_each_pair(run: Run, tmp_path: Path, out: Path) -> None:
    # most prefer x to y, z to x, and are split over y and z; `si` is right of x and y, and equal for x and z
    rows = ["ann,x,y,left", "ben,y,x,right", "cem,x,y,right", "ann,x,z,right", "ann,y,z,left", "ben,y,z,right"]
    (tmp_path / "p.csv").write_text("\n".join(["who,l,r,c", *rows]))
    (tmp_path / "m.csv").write_text("stimulus,si,vmaf\nx,1,2\ny,2,1\nz,1,3\nq,5,5\n")
    asked = ("--votes", tmp_path / "p.csv", "--columns", "participant=who,left=l,right=r,choice=c")
    done = run(*asked, "--metrics", tmp_path / "m.csv", "--higher-is-better", "vmaf")
    found = [list(row.values()) for row in table(out / "statistics" / "signs.csv")]
    assert [(name, pairs, agreeing, split, equal) for name, pairs, agreeing, _, _, _, split, equal, _ in found] == [
        ("si", "1", "1", "1", "1"),
        ("vmaf", "2", "2", "1", "0"),
    ]
    assert "note: 1\u00a0stimulus has metrics but no votes: q.\n" in done.err
    assert "Metrics against people" in Page((out / "report.html").read_text()).text
