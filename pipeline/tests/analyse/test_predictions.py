"""`eyelevel analyse` predicts the scores of left-out sites, and of new clips (`--predict`)."""

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from eyelevel.analyse.prediction import left_out
from eyelevel.analyse.prediction.new_clips import read_new_clips
from eyelevel.errors import BadInputError
from eyelevel_stats.in_depth import stimuli

from .command import Page, Run, table
from .exports import compare, rate, text_of

COLUMNS = "participant=who,stimulus=clip,score=points,site=page"
CUTS = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str | Path, ...]:
    """Seven sites of two clips, rated by twelve people on seven points; `si` decides, `size` says nothing."""
    rng = np.random.default_rng(3)
    si = np.exp(rng.normal(7.5, 0.6, (7, 2)))
    votes, metrics = ["who,clip,page,points"], ["clip,si,size"]
    for s in range(7):
        for c in range(2):
            metrics.append(f"{s}-{c},{si[s, c]:.0f},{rng.integers(100, 900)}")
            level = -1.8 * (np.log(si[s, c]) - 7.5) + rng.normal(0, 0.2)
            votes += [
                f"p{p},{s}-{c},{s},{1 + np.searchsorted(CUTS, level + 0.1 * p - 0.5 + rng.logistic())}"
                for p in range(12)
            ]
    (tmp_path / "v.csv").write_text("\n".join(votes))
    (tmp_path / "m.csv").write_text("\n".join(metrics))
    return ("--votes", tmp_path / "v.csv", "--columns", COLUMNS, "--scale", "1:7", "--metrics", tmp_path / "m.csv")


def test_each_clip_has_the_mos_that_was_predicted_without_its_site(
    run: Run, asked: tuple[str | Path, ...], out: Path
) -> None:
    done = run(*asked)
    assert done.code == 0
    rows = table(out / "predictions.csv")
    assert [row["stimulus"] for row in rows] == [f"{s}-{c}" for s in range(7) for c in range(2)]
    mos = {row["stimulus"]: float(row["mos"]) for row in table(out / "mos.csv")}
    known = [row for row in rows if row["predicted"]]
    assert len(known) >= 8
    for row in rows:
        assert float(row["mos"]) == pytest.approx(mos[row["stimulus"]])
        assert (row["predicted"] == "") == (row["refused"] != "")
    for row in known:
        inside = float(row["low"]) <= float(row["mos"]) <= float(row["high"])
        assert (row["metric"], row["inside"]) == ("si", "yes" if inside else "no")
    held = sum(row["inside"] == "yes" for row in known)
    said = f"Without the votes of its site, the MOS of {held} of {len(known)}\u00a0clips"
    assert said in done.out
    page = Page((out / "report.html").read_text())
    assert "Predictions for left-out sites" in page.text
    assert said.replace("\u00a0", " ") in page.text


def test_new_clips_are_the_same_table_with_their_predictions(
    run: Run, asked: tuple[str | Path, ...], tmp_path: Path, out: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text("name;note;si\nfast;=a;1500,5\nslow;;2500\nfar;;900000\nnone;;NA\n")
    done = run(*asked, "--predict", new, "--predict-votes", "20")
    assert done.code == 0
    fast, slow, far, none = delimited(out / "predicted.csv", ";")
    assert list(fast) == ["name", "note", "si", "metric", "votes", "mos", "low", "high", "refused"]
    assert (fast["name"], fast["note"], fast["si"], fast["metric"], fast["votes"]) == (
        "fast", "=a", "1500,5", "si", "20",
    )  # fmt: skip
    for row in (fast, slow):
        assert 1 <= figure(row["low"]) <= figure(row["mos"]) <= figure(row["high"]) <= 7
    assert figure(slow["mos"]) < figure(fast["mos"])
    assert "," in slow["mos"]
    assert (far["mos"], far["low"], far["high"], "is outside" in far["refused"]) == ("", "", "", True)
    assert none["refused"] == "si of the clip is unknown"
    assert (
        "Predicted the MOS of 2 of 4\u00a0new clips by si; for the others, the column refused of predicted.csv"
        in done.out
    )
    explained = {row["column"] for row in table(out / "data-dictionary.csv") if row["file"] == "predicted.csv"}
    assert explained == {"metric", "votes", "mos", "low", "high", "refused"}
    # usual: every clip has twelve votes
    run(*asked, "--predict", new)
    assert {row["votes"] for row in delimited(out / "predicted.csv", ";")} == {"12"}


def delimited(path: Path, delimiter: str) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def figure(text: str) -> float:
    """With a decimal comma, as in the table that was given."""
    return float(text.replace(",", "."))


def test_the_columns_of_the_table_that_was_given_come_back_as_they_were(
    run: Run, asked: tuple[str | Path, ...], tmp_path: Path, out: Path
) -> None:
    given = ["name\toffset\t@note\tsi", "a\t-3.5\t+1\t1500", 'b\t-0\t"tab\there"\t 2500 ']
    (tmp_path / "new.tsv").write_text("\n".join(given))
    assert run(*asked, "--predict", tmp_path / "new.tsv").code == 0
    lines = (out / "predicted.csv").read_text().splitlines()
    assert lines[0] == given[0] + "\tmetric\tvotes\tmos\tlow\thigh\trefused"
    for line, original in zip(lines[1:], given[1:], strict=True):
        assert line.startswith(original + "\tsi\t12\t")


def test_decimal_commas_come_back_where_the_table_has_them(
    run: Run, asked: tuple[str | Path, ...], tmp_path: Path, out: Path
) -> None:
    new = tmp_path / "new.tsv"
    for text, sign in (("si\tb\n1500,5\t1\n", ","), ("si\tb\n1500.5\t1\n", "."), ("si;b\n1500.5;1\n", ".")):
        new.write_text(text)
        assert run(*asked, "--predict", new).code == 0
        (row,) = delimited(out / "predicted.csv", ";" if ";" in text else "\t")
        assert sign in row["mos"]
    new.write_text("si\tsize\n1,500\t1\n")
    done = run(*asked, "--predict", new)
    assert (done.code, "the comma may be a decimal comma or separate thousands (si, line 2: '1,500')" in done.err) == (
        4, True,
    )  # fmt: skip


def test_stimuli_without_a_site_have_no_part_in_predictions(
    run: Run, asked: tuple[str | Path, ...], tmp_path: Path, out: Path
) -> None:
    path = tmp_path / "v.csv"
    path.write_text(path.read_text() + "".join(f"\np{p},x,NA,4" for p in range(12)))
    done = run(*asked)
    assert "note: 1\u00a0stimulus has no site. Results within sites and predictions for left-out" in done.err
    assert len(table(out / "predictions.csv")) == 14
    assert "x" in {row["stimulus"] for row in table(out / "mos.csv")}


def test_two_columns_of_one_metric_are_refused_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("name,SI,plt_ms,si_ms\na,900,1000,901\n")
    with pytest.raises(BadInputError, match="two columns of the metric SI: 'SI' and 'si_ms'; remove one of them"):
        read_new_clips(path, ["PLT", "SI"])
    # in a table of metrics that has both these are two metrics
    assert list(read_new_clips(path, ["SI", "si_ms"]).values) == ["SI", "si_ms"]


def test_where_left_out_sites_take_many_minutes_they_are_predicted_only_if_asked_for(
    run: Run, asked: tuple[str | Path, ...], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_out, "MOST_VOTES", 100)
    done = run(*asked)
    assert "168 votes on 14\u00a0clips of 7\u00a0sites with 2\u00a0metrics take many minutes; --predictions" in done.out
    assert not (out / "predictions.csv").exists()
    run(*asked, "--predictions")
    assert len(table(out / "predictions.csv")) == 14


def test_where_mappings_take_many_minutes_they_are_computed_only_if_asked_for(
    run: Run, asked: tuple[str | Path, ...], out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stimuli, "MOST_FITS", 100)
    done = run(*asked)
    assert "No mappings from metrics to scores: " in done.out
    assert not (out / "statistics" / "mappings.csv").exists()
    done = run(*asked, "--predictions")
    assert "No mappings" not in done.out
    assert {row["metric"] for row in table(out / "statistics" / "mappings.csv")} == {"si", "size"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name,plt\na,900\n", "has no column of a metric that the rated clips have (si, size); its columns are name,"),
        ("si,mos\n900,4\n", "already has a column 'mos', which --predict adds; rename it."),
        ("name,si\na,900\nb,fast\n", "line 3: si is 'fast', which is not a number; correct it."),
        ("name,si\n", "has no clip: there is no row below the header."),
    ],
)
def test_a_wrong_table_of_new_clips_is_named_before_anything_is_written(
    run: Run, asked: tuple[str | Path, ...], out: Path, text: str, sentence: str
) -> None:
    new = out.with_name("new.csv")
    new.write_text(text)
    done = run(*asked, "--predict", new)
    assert (done.code, sentence in done.err, done.err.count("\n")) == (4, True, 1)
    assert list(out.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--predict-votes", "9"), "--predict-votes needs --predict."),
        (("--predict", "new.csv", "--predict-votes", "1001"), "1001 is not in the range 1<=x<=1000"),
        (("--predictions", "--no-bootstrap"), "--predictions needs the model fits that --no-bootstrap skips"),
        (("--predict", "new.csv", "--no-bootstrap"), "--predict needs the model fits that --no-bootstrap skips"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    run: Run, asked: tuple[str | Path, ...], options: tuple[str, ...], sentence: str
) -> None:
    done = run(*asked, *options)
    assert (done.code, sentence in done.err) == (2, True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace(",4\n", ",4.5\n"), "the model needs scores that are whole numbers"),
        (
            lambda text: "\n".join(line for line in text.splitlines() if ",6," not in line and ",5," not in line),
            "it needs 10 clips of 6 sites, because it leaves out one; there are 10 of 5",
        ),
    ],
)
def test_without_predictions_the_summary_says_why_and_every_new_clip_is_refused(
    run: Run, asked: tuple[str | Path, ...], out: Path, change: Callable[[str], str], why: str
) -> None:
    path, new = out.with_name("v.csv"), out.with_name("new.csv")
    path.write_text(change(path.read_text()))
    new.write_text("name,si\na,1500\n")
    done = run(*asked, "--predict", new)
    assert done.code == 0
    assert f"No predictions for left-out sites: {why}." in done.out
    assert not (out / "predictions.csv").exists()
    (row,) = csv.DictReader((out / "predicted.csv").read_text().splitlines())
    assert (row["mos"], row["refused"]) == ("", why)


PAIRS = "participant=who,left=a,right=b,choice=said"
TOO_FEW = "No predictions for left-out sites: it needs 10 clips of 6 sites, because it leaves out one"


@pytest.mark.parametrize("option", [("--predictions",), ("--predict", "new.csv")])
def test_predictions_of_pairs_or_without_metrics_are_refused(
    run: Run, asked: tuple[str | Path, ...], option: tuple[str, ...]
) -> None:
    without_metrics = asked[:-2]
    for arguments in (without_metrics, ("--votes", "pairs.csv", "--columns", PAIRS)):
        done = run(*arguments, *option)
        said = f"{option[0]} needs scores and --metrics, from which the model is fitted."
        assert (done.code, said in done.err) == (2, True)


@pytest.mark.parametrize("option", [("--predictions",), ("--predict", "new.csv")])
def test_predictions_of_an_export_without_ratings_are_refused(
    run: Run, tmp_path: Path, out: Path, option: tuple[str, ...]
) -> None:
    (tmp_path / "votes.csv").write_text(text_of([compare(1, participant=1, choice="left")]), newline="")
    done = run(tmp_path / "votes.csv", *option)
    assert (done.code, f"{option[0]} needs ratings to fit the model" in done.err) == (4, True)
    assert list(out.iterdir()) == []


def test_with_few_stimuli_summary_and_report_say_why_there_are_no_predictions(
    run: Run, asked: tuple[str | Path, ...], out: Path
) -> None:
    path = out.with_name("v.csv")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if line.split(",")[2] in ("page", "0", "1")))
    done = run(*asked)
    said = f"{TOO_FEW}; there are 4 of 2."
    assert (done.code, done.out.count(said)) == (0, 1)
    assert said in Page((out / "report.html").read_text()).text


def test_an_export_with_few_clips_says_why_there_are_no_predictions(run: Run, tmp_path: Path, out: Path) -> None:
    votes = [rate(n, participant=n, stack="QUIC", score=3 + n) for n in (1, 2)]
    (tmp_path / "votes.csv").write_text(text_of(votes), newline="")
    done = run(tmp_path / "votes.csv")
    assert (done.code, done.out.count(TOO_FEW)) == (0, 1)
    assert TOO_FEW in Page((out / "report.html").read_text()).text
