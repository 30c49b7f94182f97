"""Figures of metrics against people: leaderboard and scatter plots."""

import re
from dataclasses import replace

import pytest

from eyelevel_core.model.metrics import METRIC_OF
from eyelevel_figures import leaderboard, scatter
from eyelevel_figures.encoding import encoding_of
from eyelevel_figures.figure import Figure, Look
from eyelevel_figures.words import Words
from eyelevel_stats.rows.metrics import ModelRow
from eyelevel_stats.rows.study import PointRow

from .made import EN, all_of, best, leader, model, point, texts

SI = METRIC_OF["si"]


def drawn(*points: PointRow, mappings: tuple[ModelRow, ...] = (), look: Look = EN) -> Figure:
    return scatter.draw(SI, points, look, encoding=encoding_of(points), mappings=mappings)


def test_metrics_are_sorted_by_their_agreement_and_those_of_the_best_set_are_starred() -> None:
    figure = leaderboard.draw(
        [leader("PLT", -0.4), leader("SI", -0.9)], [best("SI", 0.8, "yes"), best("PLT", 0.3, "no")], EN
    )
    names = [text for text in texts(figure) if text.removeprefix("★ ") in ("SI", "PLT")]
    assert names == ["★ SI", "PLT"]
    assert figure.alternative.startswith(
        "SI: within sites 0.80 [0.60, 0.90], over all clips 0.90; may be the best metric."
    )
    assert [row[:2] for row in figure.table.rows] == [["SI", "yes"], ["PLT", "no"]]


def test_a_metric_that_goes_against_its_direction_agrees_less_than_not_at_all() -> None:
    rows = [leader("SI", -0.9), leader("odd", 0.5, direction="opposite"), leader("CLS", 0.4)]
    assert {line.metric: line.theta_raw for line in leaderboard.lines_of(rows, [])} == {
        "SI": 0.9,
        "odd": -0.5,
        "CLS": 0.4,
    }


def test_a_metric_whose_agreement_within_sites_is_unknown_has_its_mark_over_all_clips_alone() -> None:
    unknown = leader("size", 0.7, direction="expected", spearman_centred=None, ceiling_centred=None)
    figure = leaderboard.draw([unknown, leader("SI", -0.9)], [], EN, stimuli=True)
    assert "size: over all clips 0.70." in figure.alternative
    assert [row[4] for row in figure.table.rows] == [0.8, None]
    assert leaderboard.lines_of([replace(leader("none", 0.1), spearman=None)], []) == []


def test_without_a_best_set_there_are_no_intervals_and_the_figure_says_so() -> None:
    figure = leaderboard.draw([leader("SI", -0.9)], [], EN)
    assert "Too few clips or sites for intervals and a best set" in figure.alternative
    assert [row[5:7] for row in figure.table.rows] == [[None, None]]


def test_noise_ceilings_are_lines_where_they_are_known() -> None:
    known = leaderboard.draw([leader("SI", -0.9)], [], EN)
    unknown = leaderboard.draw([leader("SI", -0.9, ceiling=None, ceiling_centred=None)], [], EN)
    # two in the plot and two in the legend
    assert [
        sum("stroke-dasharray" in path.attrib for path in all_of(figure, "path")) for figure in (known, unknown)
    ] == [
        4,
        0,
    ]


def test_the_axis_is_logarithmic_where_the_largest_value_is_more_than_four_times_the_smallest() -> None:
    def is_log(*values: float) -> bool:
        return "SI in s (logarithmic)" in texts(drawn(*(point(si_ms=value) for value in values)))

    assert [is_log(1000, 4000), is_log(1000, 4100), is_log(0, 9000)] == [False, True, False]


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([point(mos=6.2), point(mos=6.4)], "5 to 7"),
        ([point(mos=1.2)], "1 to 3"),
        ([point(mos=5.5, ci_low=3.4, ci_high=6.1)], "3 to 7"),
    ],
)
def test_the_axis_of_scores_is_cut_to_two_points_at_least_and_the_figure_says_so(
    points: list[PointRow], said: str
) -> None:
    assert f"The axis of scores is cut: {said} of 1 to 7." in drawn(*points).alternative
    assert "cut" not in drawn(point(mos=1.5), point(mos=6.5)).alternative


def test_a_clip_has_an_error_bar_where_its_interval_is_known() -> None:
    figure = drawn(point(mos=4), point(mos=5, ci_low=4, ci_high=6))
    [[bar]] = [group for group in all_of(figure, "g") if group.get("stroke-opacity")]
    # the axis shows 4 to 6
    assert {float(bar.get("y1", 0)), float(bar.get("y2", 0))} == {scatter.TOP, scatter.BOTTOM}


def test_an_error_bar_that_ends_where_the_scale_does_has_an_arrow_and_the_figure_says_so() -> None:
    figure = drawn(point(mos=2, ci_low=1, ci_high=3), point(mos=6.5, ci_low=5.5, ci_high=7), point(mos=7))
    arrows = [path.get("d", "") for path in all_of(figure, "path") if "data-cut" in path.attrib]
    # down from the lower end, up from the upper one
    assert [float(re.findall(r"l [\d.]+ (-?[\d.]+)", d)[0]) for d in arrows] == [4.0, -4.0]
    assert [float(d.split()[2]) for d in arrows] == [scatter.BOTTOM, scatter.TOP]
    assert "cut at the end of the scale" in figure.alternative
    assert "cut at the end" not in drawn(point(mos=5, ci_low=4, ci_high=6)).alternative


def test_a_mark_is_a_button_with_the_digest_of_its_clip_where_clips_can_be_opened() -> None:
    digest = "b" * 64
    [mark] = [circle for circle in all_of(drawn(point(clip_sha256=digest)), "circle") if circle.get("data-clip")]
    assert [mark.get(name) for name in ("data-clip", "role", "tabindex")] == [digest, "button", "0"]
    assert mark.get("aria-label") == "garden, DSL, QUIC: SI in s 1.000, MOS 4.00, n = 9"
    assert "data-clip" not in drawn(point(), look=Look(Words("en"))).svg


def test_the_mapping_chosen_for_all_networks_is_drawn_with_a_band_of_its_error() -> None:
    points = [point(mos=mos, si_ms=si_ms) for mos, si_ms in ((6, 3000), (4, 10_000), (1, 20_000))]
    mappings = (model("linear", chosen=True), model("wql", chosen=False), model("linear", chosen=True, network="DSL"))
    figure = drawn(*points, mappings=mappings)
    [band, curve] = [path.get("d", "") for path in all_of(figure, "path")]
    ends = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", curve)]
    assert len(ends) == scatter.STEPS
    # 7 - 0.0003 x falls to the right, and is cut at the ends of the scale
    assert ends[0][1] < ends[-1][1] <= scatter.BOTTOM
    edge = [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", band)]
    # half a point to each side, on an axis from 1 to 6
    middle = scatter.STEPS // 2
    half = 0.5 * (scatter.BOTTOM - scatter.TOP) / 5
    assert ends[middle][1] - edge[middle][1] == pytest.approx(half, abs=0.2)
    assert edge[-1 - middle][1] - ends[middle][1] == pytest.approx(half, abs=0.2)
    assert "Fitted mapping: linear; its error for clips of other sites is 0.50 points." in figure.alternative
    assert "The curve is the mapping" in figure.how_to_read
    assert "The curve" not in drawn(*points, mappings=mappings[1:]).how_to_read


def test_fewer_than_10_clips_are_said_to_be_too_few() -> None:
    few = [point(si_ms=1000 + at) for at in range(10)]
    assert "Fewer than 10 clips" in drawn(*few[:9]).alternative
    assert "Fewer than 10 clips" not in drawn(*few).alternative
