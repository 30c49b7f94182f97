"""`eyelevel analyse --votes` gives tables and a report from anyone's votes, equal to what others compute."""

import csv
import re
from pathlib import Path
from statistics import correlation, fmean
from urllib.parse import unquote
from xml.etree.ElementTree import fromstring

import pytest
from scipy.stats import spearmanr

from .command import RATINGS, Page, Run, known_ratings, table

SCORES = "participant=who,stimulus=clip,score=points"
SCALE = ("--scale", "1:5")

# 6 sites of 2 clips; clip a is better than b everywhere, and later sites are better
SITES = "uvwxyz"
PEOPLE = ("ann", "ben", "cem", "dea")


def made_votes() -> list[tuple[str, str, str, float]]:
    """(who, clip, page, points); ann is kind, dea strict."""
    return [
        (who, f"{site}-{clip}", site, max(1, min(9, 3 + place + (clip == "a") + shift)))
        for place, site in enumerate(SITES)
        for clip in "ab"
        for who, shift in zip(PEOPLE, (1, 0, 0, -1), strict=True)
    ]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "v.csv"
    rows = "".join(f"{who},{clip},{site},{points}\n" for who, clip, site, points in made_votes())
    path.write_text(f"who,clip,page,points\n{rows}")
    return path


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    """`si` falls with the scores, but for one pair; `plt` follows the sites alone, in the wrong direction within."""
    path = tmp_path / "m.csv"
    rows = []
    for place, site in enumerate(SITES):
        for clip in "ab":
            si = 3000 - 200 * place - 90 * (clip == "a") + 150 * (site == "w" and clip == "a")
            plt = 9000 - 700 * place + 100 * (clip == "a") * (place + 1)
            rows.append(f"{site}-{clip},{si},{plt}\n")
    path.write_text("clip,si,plt\n" + "".join(rows))
    return path


@known_ratings
def test_the_netflix_ratings_give_the_published_mos(run: Run, out: Path) -> None:
    columns = "participant=subject,stimulus=stimulus,score=score,site=content"
    done = run("--votes", RATINGS / "nflx_public_raw.csv", "--columns", columns, "--scale", "1:5")
    assert done.code == 0
    assert done.out.startswith("2,054\u00a0votes of 26\u00a0participants on 79\u00a0stimuli, on a scale from 1 to 5.\n")
    mos = [float(row["mos"]) for row in table(out / "mos.csv")]
    assert (len(mos), mos[0], mos[10]) == (79, 4.884615384615385, 2.076923076923077)
    assert fmean(mos) == pytest.approx(3.54479065238559, abs=1e-12)


def test_mos_is_sorted_by_name_with_figures_as_figures(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "v.csv").write_text("who,clip,points\nann,10,1\nann,9,2\nann,9,3\nben,9,5\n")
    done = run("--votes", tmp_path / "v.csv", "--columns", SCORES, "--scale", "1:5")
    assert done.code == 0
    names = ("stimulus", "n", "mos", "ci_low", "ci_high", "sd")
    assert table(out / "mos.csv") == [
        # Student's t: 12.7062 * sd / sqrt(2) goes beyond both ends of the scale
        dict(zip(names, ("9", "2", "3.75", "1.0", "5.0", "1.7677669529663689"), strict=True)),
        dict(zip(names, ("10", "1", "1.0", "", "", ""), strict=True)),
    ]
    assert done.err == (
        "note: Further votes of a participant on the same stimulus: 1. They were averaged first, so that each "
        "participant counts once per stimulus.\nComputing tables in depth ...\n"
        f"Tables and report.html are in {out}.\n"
    )


def test_an_interval_that_ends_where_the_scale_does_has_an_arrow_and_the_report_says_so(
    run: Run, tmp_path: Path, votes: Path, out: Path
) -> None:
    (tmp_path / "cut.csv").write_text("who,clip,points\nann,9,2\nben,9,5\n")
    run("--votes", tmp_path / "cut.csv", "--columns", SCORES, "--scale", "1:5")
    report = (out / "report.html").read_text()
    assert report.count('data-cut="yes"') == 2
    assert report.count("An arrow marks an interval that is cut at the end of the scale.") == 3
    run("--votes", votes, "--columns", SCORES, "--scale", "0:20")
    assert "data-cut" not in (out / "report.html").read_text()


def test_the_leaderboard_is_what_others_compute(run: Run, votes: Path, metrics: Path, out: Path) -> None:
    done = run("--votes", votes, "--columns", f"{SCORES},site=page", "--scale", "1:9", "--metrics", metrics)
    assert done.code == 0
    mos = {row["stimulus"]: float(row["mos"]) for row in table(out / "mos.csv")}
    site = {clip: site for _, clip, site, _ in made_votes()}
    assert [(row["stimulus"], row["site"]) for row in table(out / "mos.csv")] == sorted(site.items())
    board = {row["metric"]: row for row in table(out / "statistics" / "leaderboard.csv")}
    assert list(board) == ["si", "plt"]
    for name, row in board.items():
        values = {line["clip"]: float(line[name]) for line in table(metrics)}
        clips = sorted(mos)
        raw = [[values[clip] for clip in clips], [mos[clip] for clip in clips]]

        def within(of: dict[str, float], clips: list[str] = clips) -> list[float]:
            return [of[clip] - fmean(of[other] for other in clips if site[other] == site[clip]) for clip in clips]

        assert float(row["spearman"]) == pytest.approx(spearmanr(*raw).statistic)
        assert float(row["pearson"]) == pytest.approx(correlation(*raw))
        assert float(row["pearson_centred"]) == pytest.approx(correlation(within(values), within(mos)))
    assert float(board["si"]["spearman"]) < 0 < float(board["plt"]["pearson_centred"])
    # the report rounds the same columns to two decimals
    shown = {"Pearson": "pearson", "Pearson, mapped": "pearson_mapped", "rmse": "rmse", "rmse*": "rmse_star"}
    report = (out / "report.html").read_text()
    tables = re.findall(r"<table[^>]*>(?:(?!</table>).)*Pearson, mapped.*?</table>", report, re.DOTALL)
    (table_,) = tables
    head, *body = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", part, re.DOTALL) for part in table_.split("<tr")[1:]]
    for cells in body:
        row = dict(zip((re.sub(r"<[^>]+>", "", cell) for cell in head), cells, strict=True))
        assert {name: row[name] for name in shown} == {
            name: f"{float(board[row['metric']][column]):.2f}".replace("-", "\u2212") for name, column in shown.items()
        }
    assert len(body) == 2


def test_without_sites_nothing_is_centred_and_the_report_says_why(
    run: Run, votes: Path, metrics: Path, out: Path
) -> None:
    assert run("--votes", votes, "--columns", SCORES, "--scale", "1:9", "--metrics", metrics).code == 0
    board = table(out / "statistics" / "leaderboard.csv")
    assert [(row["pearson_centred"], row["spearman_centred"]) for row in board] == [("", ""), ("", "")]
    assert all(row["spearman"] for row in board)
    assert "sites are unknown" in Page((out / "report.html").read_text()).text


def test_sites_may_stand_in_the_table_of_metrics(run: Run, votes: Path, metrics: Path, out: Path) -> None:
    columns = f"{SCORES},site=page"
    assert run("--votes", votes, "--columns", columns, "--scale", "1:9", "--metrics", metrics).code == 0
    expected = (out / "statistics" / "leaderboard.csv").read_text()
    header, *rows = metrics.read_text().splitlines()
    metrics.write_text("\n".join([f"{header},source", *(f"{row},{row[0]}" for row in rows)]))
    columns = f"{SCORES},site=source"
    assert run("--votes", votes, "--columns", columns, "--scale", "1:9", "--metrics", metrics).code == 0
    assert (out / "statistics" / "leaderboard.csv").read_text() == expected


def test_conditions_are_a_column_and_no_part_of_a_stimulus(run: Run, tmp_path: Path, out: Path) -> None:
    (tmp_path / "v.csv").write_text("who,clip,points,net\nann,a,1,DSL\nben,a,3,DSL\nann,b,2,LTE\nben,b,2,DSL\n")
    done = run("--votes", tmp_path / "v.csv", "--columns", f"{SCORES},condition=net", "--scale", "1:5")
    rows = [(row["stimulus"], row["condition"], row["n"], row["mos"]) for row in table(out / "mos.csv")]
    assert rows == [("a", "DSL", "2", "2.0"), ("b", "", "2", "2.0")]
    assert "note: 1\u00a0stimulus has votes under several conditions" in done.err


def test_stimuli_without_metrics_or_votes_are_counted(run: Run, votes: Path, metrics: Path) -> None:
    lines = metrics.read_text().replace("u-a,", "q-q,").splitlines()
    metrics.write_text("\n".join(lines))
    done = run("--votes", votes, "--columns", SCORES, "--scale", "1:9", "--metrics", metrics)
    assert "note: 1\u00a0stimulus has votes but no metrics: u-a.\n" in done.err
    assert "note: 1\u00a0stimulus has metrics but no votes: q-q.\n" in done.err
    metrics.write_text("clip,si\nA,1\n")
    done = run("--votes", votes, "--columns", SCORES, "--scale", "1:9", "--metrics", metrics)
    assert done.code == 4
    assert "have no stimulus in common: the metrics begin with 'A', the votes with 'u-a'." in done.err


def test_the_report_needs_nothing_else_and_hides_nothing(run: Run, votes: Path, metrics: Path, out: Path) -> None:
    run("--votes", votes, "--columns", f"{SCORES},site=page", "--scale", "1:9", "--metrics", metrics)
    html = (out / "report.html").read_text()
    page = Page(html)
    assert not [name for name, _ in page.elements if name in {"img", "link", "iframe", "object"}]
    assert page.all("script") == [{}]
    assert "url(" not in html
    assert "@import" not in html
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [link["href"] or "#" for link in page.all("a")]
    assert {link[1:] for link in links if not link.startswith("data:text/csv;")} <= set(ids)
    assert len(page.all("caption")) == len(page.all("table")) == 14
    for drawing in page.all("svg"):
        assert drawing["role"] == "img"
        assert all(part in ids for part in (drawing["aria-labelledby"] or "").split())
    # opinions, distribution, leaderboard, and a scatter plot for each metric
    assert len(page.all("svg")) == 5
    assert page.text.count("How to read this.") == 7
    assert "48 votes of 4 participants on 12 stimuli, on a scale from 1 to 9." in page.text
    assert (
        "Of 2 metrics, si follows the scores most closely: Spearman’s correlation −0.98, and −0.80 within sites"
        in page.text
    )


def test_every_figure_of_the_report_has_its_table_as_csv_and_is_a_file_that_names_its_source(
    run: Run, votes: Path, metrics: Path, out: Path
) -> None:
    run("--votes", votes, "--columns", f"{SCORES},site=page", "--scale", "1:9", "--metrics", metrics)
    page = Page((out / "report.html").read_text())
    names = ["opinions", "scores", "leaderboard", "scatter-0", "scatter-1"]
    assert [line["data-figure"] for line in page.all("p") if "data-figure" in line] == names
    assert sorted(path.stem for path in (out / "figures").iterdir()) == sorted(names)
    for name in names:
        svg = fromstring((out / "figures" / f"{name}.svg").read_text())  # noqa: S314 - it is our own
        said = [text.text or "" for text in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert re.search(r"Votes of v\.csv, SHA-256 [0-9a-f]{12}\.$", " ".join(said))
    tables = {
        link["download"]: unquote((link["href"] or "").partition(",")[2])
        for link in page.all("a")
        if "download" in link
    }
    assert list(tables) == [f"{name}.csv" for name in names]
    assert tables["opinions.csv"].splitlines()[0] == "site,stimulus,n,mos,ci_low,ci_high,sd"
    assert sorted(tables["opinions.csv"].splitlines()) == sorted((out / "mos.csv").read_text().splitlines())
    assert tables["scatter-0.csv"].splitlines()[:2] == ["stimulus,mos,si", "u-a,4.0,2910.0"]


def test_every_column_is_explained(run: Run, votes: Path, metrics: Path, out: Path) -> None:
    run("--votes", votes, "--columns", f"{SCORES},site=page", "--scale", "1:9", "--metrics", metrics)
    explained = {(row["file"], row["column"]) for row in table(out / "data-dictionary.csv") if row["description"]}
    found = {
        (str(path.relative_to(out)), name)
        for path in out.rglob("*.csv")
        for name in next(csv.reader(path.read_text().splitlines()))
    }
    assert {entry for entry in found if entry[0] != "data-dictionary.csv"} == explained
    assert {file for file, _ in explained} == {
        *("mos.csv", "distribution.csv", "participants.csv", "predictions.csv"),
        *(f"statistics/{name}.csv" for name in ("leaderboard", "noise-ceilings", "best-metrics", "mappings")),
        *(f"statistics/{name}.csv" for name in ("reliability", "sos", "subjects", "subject-clips", "straight-lining")),
    }


def test_the_same_input_gives_the_same_bytes(run: Run, votes: Path, metrics: Path, out: Path) -> None:
    asked = ("--votes", votes, "--columns", f"{SCORES},site=page", "--scale", "1:9", "--metrics", metrics)
    run(*asked)
    first = {path: path.read_bytes() for path in out.rglob("*.*")}
    run(*asked)
    assert {path: path.read_bytes() for path in out.rglob("*.*")} == first


def test_a_metric_of_which_more_is_better_has_the_expected_direction(
    run: Run, votes: Path, metrics: Path, out: Path
) -> None:
    metrics.write_text(metrics.read_text().replace("clip,si", "clip,quality").replace(",2", ",-2").replace(",3", ",-3"))
    asked = ("--votes", votes, "--columns", SCORES, "--scale", "1:9", "--metrics", metrics)
    run(*asked)
    assert table(out / "statistics" / "leaderboard.csv")[0]["direction"] == "opposite"
    assert "quality: better values go with lower scores." in Page((out / "report.html").read_text()).text
    run(*asked, "--higher-is-better", "quality")
    assert table(out / "statistics" / "leaderboard.csv")[0]["direction"] == "expected"
    assert float(table(out / "statistics" / "leaderboard.csv")[0]["spearman"]) > 0.9
    done = run(*asked, "--higher-is-better", "VMAF")
    assert (done.code, "has no such metric; its metrics are quality, plt." in done.err) == (4, True)


def test_the_set_of_best_metrics_comes_last_and_can_be_left_out(run: Run, tmp_path: Path, out: Path) -> None:
    """12 sites of 2 clips and 8 participants: `si` orders the scores, `noise` does not."""
    clips = [(f"s{site}-{clip}", site, clip) for site in range(12) for clip in range(2)]
    given = [
        f"p{who},{name},s{site},{1 + site * 0.5 + clip * 2 + (who * 7 + site * 3) % 5 * 0.2}"
        for who in range(8)
        for name, site, clip in clips
    ]
    (tmp_path / "v.csv").write_text("\n".join(["who,clip,page,points", *given]))
    known = [f"{name},{9000 - site * 300 - clip * 1000},{(site * 5 + clip * 3) % 7}" for name, site, clip in clips]
    (tmp_path / "m.csv").write_text("\n".join(["clip,si,noise", *known]))
    asked = ("--votes", tmp_path / "v.csv", "--columns", f"{SCORES},site=page", "--scale", "1:10")
    done = run(*asked, "--metrics", tmp_path / "m.csv", "--no-bootstrap")
    assert "Computing" not in done.err
    assert not (out / "statistics" / "best-metrics.csv").exists()
    done = run(*asked, "--metrics", tmp_path / "m.csv")
    assert "Computing tables in depth ...\n" in done.err
    assert done.out.endswith("si agrees best with people; noise agrees less well.\n")
    assert [(row["metric"], row["best"]) for row in table(out / "statistics" / "best-metrics.csv")] == [
        ("si", "yes"),
        ("noise", "no"),
    ]
    (ceiling,) = table(out / "statistics" / "noise-ceilings.csv")
    assert (ceiling["clips"], ceiling["sites"], ceiling["participants"]) == ("24", "12", "8")
    assert 0.9 < float(ceiling["ceiling"]) <= 1
    assert [row["metric_a"] for row in table(out / "statistics" / "metric-differences.csv")] == ["si"]
    assert "si agrees best with people; noise agrees less well." in Page((out / "report.html").read_text()).text


def test_a_metric_that_rises_with_the_scores_is_not_called_bad_because_nobody_named_it(
    run: Run, tmp_path: Path, out: Path
) -> None:
    clips = [(f"s{site}-{clip}", site, clip) for site in range(12) for clip in range(2)]
    given = [f"p{who},{name},s{site},{1 + site * 0.5 + clip * 2}" for who in range(8) for name, site, clip in clips]
    (tmp_path / "v.csv").write_text("\n".join(["who,clip,page,points", *given]))
    known = [f"{name},{site * 300 + clip * 1000},{(site * 5 + clip * 3) % 7}" for name, site, clip in clips]
    (tmp_path / "m.csv").write_text("\n".join(["clip,vmaf,noise", *known]))
    asked = ("--votes", tmp_path / "v.csv", "--columns", f"{SCORES},site=page", "--scale", "1:10")
    done = run(*asked, "--metrics", tmp_path / "m.csv")
    assert "Rising with the scores: vmaf." in done.err
    assert done.out.endswith("vmaf agrees best with people; noise agrees less well.\n")


def test_columns_that_may_be_no_metrics_are_named_and_can_be_left_out(
    run: Run, votes: Path, metrics: Path, out: Path
) -> None:
    asked = ("--votes", votes, "--columns", SCORES, "--scale", "1:9")
    run(*asked)
    mos = {row["stimulus"]: row["mos"] for row in table(out / "mos.csv")}
    header, *rows = metrics.read_text().splitlines()
    with_more = [f"{row},{place},-{mos[row.split(',')[0]]}" for place, row in enumerate(rows)]
    metrics.write_text("\n".join([f"{header},ID,quality", *with_more]))
    done = run(*asked, "--metrics", metrics)
    assert "note: Used as metrics, although their names suggest other columns: ID. If they are not" in done.err
    assert "note: Nearly the same as the means of the scores: quality. If they are not metrics, choose" in done.err
    done = run(*asked, "--metrics", metrics, "--metric", "si", "--metric", "plt")
    assert [row["metric"] for row in table(out / "statistics" / "leaderboard.csv")] == ["si", "plt"]
    assert "choose metrics" not in done.err


def test_a_table_of_means_is_noticed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("id,clip,mos\n1,a,1.5\n2,b,3.2\n")
    done = run("--votes", tmp_path / "v.csv", "--columns", "participant=id,stimulus=clip,score=mos", *SCALE)
    assert (done.code, "note: Each stimulus has one vote. If the table has a row per stimulus with" in done.err) == (
        0, True,
    )  # fmt: skip


def test_words_of_scores_and_what_marks_missing_ones_are_listed_in_the_report(
    run: Run, tmp_path: Path, out: Path
) -> None:
    (tmp_path / "v.csv").write_text("who,clip,points\nann,a,Good\nben,a,bad\ncem,a,-1\n")
    asked = ("--votes", tmp_path / "v.csv", "--columns", SCORES, *SCALE)
    done = run(*asked, "--scores", "bad=1,good=4", "--missing", "-1")
    assert (done.code, "note: 1\u00a0row of 3 without a score left out." in done.err) == (0, True)
    assert [row["mos"] for row in table(out / "mos.csv")] == ["2.5"]
    page = Page((out / "report.html").read_text()).text
    assert "'bad' is 1, 'good' is 4" in page
    assert "missing scores" in page


@pytest.mark.parametrize("name", ["mos.csv", "statistics/reliability.csv"])
def test_no_input_is_overwritten(run: Run, votes: Path, tmp_path: Path, out: Path, name: str) -> None:
    (out / name).parent.mkdir(parents=True)
    given = votes.rename(out / name)
    before = given.read_bytes()
    done = run("--votes", given, "--columns", SCORES, "--scale", "1:9")
    said = f"{name} in --out {out} would replace {given}, which is an input; give another folder."
    assert (done.code, said in done.err, given.read_bytes() == before) == (4, True, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give either an export (EXPORT_DIR_OR_CSV) or --votes with another table of votes."),
        (("export.zip", "--votes", "v.csv"), "or --votes with another table of votes, not both."),
        (("export.zip", "--scale", "1:5"), "--scale applies only with --votes; an export already"),
        (("--votes", "v.csv"), "--votes needs --columns with the roles of the table's columns"),
        (("--votes", "v.csv", "--columns", SCORES), "needs --scale LOW:HIGH, the lowest and the highest score"),
        (("--votes", "v.csv", "--columns", SCORES, "--scale", "5"), "--scale: '5' is not of the form LOW:HIGH"),
        (("--votes", "v.csv", "--columns", "who"), "--columns: 'who' is not of the form ROLE=COLUMN"),
        (("--votes", "v.csv", "--columns", SCORES, *SCALE, "--choices", "left=1"), "--choices applies only to pairs"),
        (("--votes", "v.csv", "--columns", SCORES, *SCALE, "--higher-is-better", "x"), "needs --metrics"),
        (("--votes", "v.csv", "--columns", SCORES, *SCALE, "--metric", "x"), "--metric needs --metrics."),
        (("--votes", "v.csv", "--columns", SCORES, *SCALE, "--scores", "x"), "--scores: 'x' is not of the form WORD="),
        (("--votes", "v.csv", "--columns", "participant=p,winner=w,loser=l", "--missing", "9"), "--missing applies"),
        (("--votes", "v.csv", "--columns", "participant=p,winner=w,loser=l,site=s"), "the role site applies only"),
        *(
            (("export.zip", option, value), f"{option} applies only with --votes; an export already")
            for option, value in (
                ("--columns", SCORES),
                ("--scores", "bad=1"),
                ("--missing", "9"),
                ("--choices", "left=1"),
                ("--metrics", "m.csv"),
                ("--metric", "x"),
                ("--higher-is-better", "x"),
            )
        ),
        (
            ("--votes", "v.csv", "--columns", SCORES, *SCALE, "--origin", "all"),
            "--origin applies only to an export; other tables of votes have no origins.",
        ),
        (("--votes", "v.csv", "--columns", "participant=p,winner=w,loser=l", *SCALE), "--scale applies only to scores"),
    ],
)  # fmt: skip
def test_wrong_use_is_refused_before_anything_is_written(
    run: Run, out: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    done = run(*arguments)
    assert (done.code, done.out, out.exists()) == (2, "", False)
    assert sentence in done.err
