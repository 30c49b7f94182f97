"""Figures of scores: means with cut intervals, heat map, distributions, and notes about the ends of the scale."""

from dataclasses import replace
from json import loads
from xml.etree.ElementTree import Element

import pytest

from eyelevel_figures import distributions, heat_map, mos
from eyelevel_figures.encoding import encoding_of
from eyelevel_figures.figure import Figure, Look
from eyelevel_figures.words import Words
from eyelevel_stats.rows.answers import ScoreRow
from eyelevel_stats.rows.study import MosRow

from .made import EN, PHONE, all_of, opinion, share, tables, texts, tooltips


def drawn(*rows: MosRow, effects: str = "") -> Figure:
    shares = [share(row, effects) for row in rows] if effects else []
    return mos.draw(rows, "DSL", EN, encoding=encoding_of(rows), shares=shares)


@pytest.mark.parametrize(
    ("row", "cuts"),
    [
        (opinion(mos=6.8, ci_low=6.3, ci_high=7.0), 1),
        (opinion(mos=4.0, ci_low=1.0, ci_high=7.0), 2),
        (opinion(mos=5.0, ci_low=4.2, ci_high=5.8), 0),
        # every vote is a 7
        (opinion(mos=7.0, ci_low=7.0, ci_high=7.0), 0),
        (opinion(mos=1.0, ci_low=1.0, ci_high=1.0), 0),
        (opinion(mos=7.0, ci_low=None, ci_high=None), 0),
    ],
)
def test_an_interval_that_ends_where_the_scale_does_is_marked_and_explained(row: MosRow, cuts: int) -> None:
    figure = drawn(row)
    assert sum("data-cut" in path.attrib for path in all_of(figure, "path")) == cuts
    assert any("cut at the end of the scale" in text for text in texts(figure)) is (cuts > 0)


def test_a_mean_of_one_person_has_no_interval_and_the_figure_says_why() -> None:
    figure = drawn(opinion(n=1, ci_low=None, ci_high=None))
    assert "With a single participant there is no interval." in figure.alternative
    assert [line for line in all_of(figure, "line") if line.get("stroke") != "#dfe3e8"] == []


def test_means_lie_on_the_scale_from_1_to_7() -> None:
    middle, high = (
        next(float(circle.get("cx", 0)) for circle in all_of(drawn(opinion(mos=value)), "circle"))
        for value in (4.0, 7.0)
    )
    assert high - middle == pytest.approx((EN.width - 60 - 250) / 2, abs=0.01)


def test_conditions_with_over_a_quarter_of_votes_at_an_end_are_counted() -> None:
    rows = [opinion("QUIC", 6.5), opinion("TCP+", 6.1)]
    assert "Ceiling effect: in 2 of 2 conditions" in drawn(*rows, effects="ceiling").alternative
    assert "Floor effect: in 2 of 2 conditions" in drawn(*rows, effects="both").alternative
    assert "effect" not in drawn(*rows, effects="none").alternative


def test_before_shares_are_known_means_above_6_in_most_conditions_are_a_ceiling() -> None:
    ceiling = "Ceiling effect: most conditions have a mean above 6"
    assert ceiling in drawn(opinion("QUIC", 6.5), opinion("TCP+", 6.1), opinion("TCP", 3.0)).alternative
    assert ceiling not in drawn(opinion("QUIC", 6.5), opinion("TCP+", 3.0)).alternative


def test_the_heat_map_has_a_cell_per_condition_and_marks_those_at_an_end_of_the_scale() -> None:
    rows = [opinion("QUIC", 6.5), opinion("TCP+", 2.0), opinion("QUIC", 4.0, site="teashop")]
    shares = [share(rows[0], "ceiling"), share(rows[1], "none"), share(rows[2], "none")]
    figure = heat_map.draw(rows, EN, encoding=encoding_of(rows), shares=shares)
    assert [tip for tip in tooltips(figure) if "QUIC" in tip] == [
        "garden, DSL, QUIC, work: 6.50 [6.00, 7.00], n = 9",
        "teashop, DSL, QUIC, work: 4.00 [3.50, 4.50], n = 9",
    ]
    assert [path.get("data-end") for path in all_of(figure, "path")] == ["ceiling"]
    assert [rect for rect in all_of(figure, "rect") if rect.get("fill") == "none"] != []
    assert {"6.5", "2.0", "4.0"} <= set(texts(figure))


@pytest.mark.parametrize("figure", ["satisfaction", "mos-dsl"])
def test_a_mark_of_a_condition_is_a_button_that_names_it_where_clips_can_be_opened(figure: str) -> None:
    row = opinion("TCP+", 6.5, site="tea & shop")

    def marks(look: Look) -> list[Element]:
        encoding = encoding_of([row])
        drawn = [heat_map.draw([row], look, encoding=encoding), mos.draw([row], "DSL", look, encoding=encoding)]
        [drawing] = [candidate for candidate in drawn if candidate.name == figure]
        return [group for group in all_of(drawing, "g") if group.get("role") == "button"]

    [mark] = marks(EN)
    assert loads(mark.get("data-condition", "")) == {
        "site": "tea & shop", "network": "DSL", "stacks": ["TCP+"], "context": "work",
    }  # fmt: skip
    said = "tea & shop, DSL, TCP+, work: 6.50 [6.00, 7.00], n = 9"
    assert (mark.get("tabindex"), mark.get("aria-label"), mark[0].text) == ("0", said, said)
    assert marks(Look(Words("en"))) == []


def test_colours_of_the_heat_map_run_from_orange_over_pale_to_blue_and_text_stays_legible() -> None:
    assert [heat_map.shade(score) for score in (1, 4, 7)] == [
        ("#a83e08", "#ffffff"),
        ("#f6f3ec", "#1d2530"),
        ("#094f80", "#ffffff"),
    ]


def test_on_a_phone_networks_of_the_heat_map_stand_one_below_the_other() -> None:
    rows = tables()["mos"]

    def tops(look: Look) -> set[str | None]:
        figure = heat_map.draw(rows, look, encoding=encoding_of(rows))
        return {text.get("y") for text in all_of(figure, "text") if text.text in ("DSL", "LTE")}

    assert (len(tops(EN)), len(tops(PHONE))) == (1, 2)


def test_a_site_with_its_context_is_named_in_full_on_a_phone() -> None:
    rows = [opinion("QUIC", 6.5), replace(opinion("QUIC", 6.0), context="free-time")]
    assert "garden, free-time" in texts(heat_map.draw(rows, PHONE, encoding=encoding_of(rows)))


def test_the_overall_distribution_has_a_bar_per_score_and_says_where_votes_crowd() -> None:
    figure = distributions.draw_all({1: 1, 4: 2, 7: 5}, EN)
    heights = [float(rect.get("height", 0)) for rect in all_of(figure, "rect")[1:]]
    # scores that nobody gave have no height
    assert heights == pytest.approx([max(heights) * part / 5 for part in (1, 0, 0, 2, 0, 0, 5)], abs=0.02)
    assert "62\u00a0% of all ratings are 7, an end of the scale." in figure.alternative
    assert [row[1] for row in figure.table.rows] == [1, 0, 0, 2, 0, 0, 5]


def test_each_stack_and_network_has_a_panel_of_its_distribution() -> None:
    figure = distributions.draw_each(tables()["scores"], EN, encoding=encoding_of(tables()["mos"]))
    assert [text for text in texts(figure) if "n = " in text] == ["QUIC, n = 20", "TCP+, n = 20"] * 2
    heights = [float(rect.get("height", 0)) for rect in all_of(figure, "rect")[1:]]
    assert heights == pytest.approx([50 * count / 6 for count in (0, 1, 2, 3, 4, 4, 6)] * 4, abs=0.02)
    assert "In 4 panels, over a quarter of the votes lie at an end of the scale." in figure.alternative


def test_panels_of_distributions_have_one_height() -> None:
    rows = [
        ScoreRow(None, "DSL", stack, None, score, 1, 2, part)
        for stack, parts in (("QUIC", (0.5, 0.5)), ("TCP+", (0.25, 0.75)))
        for score, part in zip((4, 5), parts, strict=True)
    ]
    figure = distributions.draw_each(rows, EN, encoding=encoding_of(rows))
    heights = [float(rect.get("height", 0)) for rect in all_of(figure, "rect")[1:]]
    assert [height / max(heights) for height in heights] == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1], abs=1e-3)
