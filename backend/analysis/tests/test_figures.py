"""Figures of results: what is drawn for whom, from which rows, in which language and layout."""

from dataclasses import asdict, replace
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client

from analysis import tasks
from analysis.models import AnalysisState, InDepthResult, InDepthState, Result
from analysis.showing import figures
from analysis.stored import IN_DEPTH_FIELDS
from eyelevel_core.study.design import Group
from eyelevel_stats.rows.hypotheses import EffectRow
from studies.lifecycle import change_state
from studies.models import FieldingState, forget_designs
from testing.votes import Field

pytestmark = [pytest.mark.services, pytest.mark.django_db]

EFFECT = EffectRow(
    hypothesis="H1", kind="rate", network="DSL", first="TCP+", second="QUIC", estimate=2.0, level=0.95, ci_low=1.0,
    ci_high=3.0, inner_level=0.9, inner_low=1.2, inner_high=2.8, p_value=0.01, p_holm=0.01, holds_alone="yes",
    claim="supported", p_equivalence=None,
    margin=None, margin_d=None, margin_si=None, margin_si_why="the plan states no margin",
    margin_si_reason='{"code": "no_margin", "values": {}}', least_margin=2.8, power=0.8,
    detectable=1.1, verdict="different", scope="these very sites", votes=8, participants=4, sites=1, sentence="",
)  # fmt: skip
SCORES = [[None, "DSL", "QUIC", None, 5, 3, 4, 0.75], [None, "DSL", "QUIC", None, 6, 1, 4, 0.25]]


def voted() -> Field:
    """A study with votes of four people for both stacks, and one of a pair."""
    forget_designs()
    field = Field()
    for slow, fast in [(3, 5), (4, 5), (3, 6), (3, 5)]:
        session = field.session()
        field.rate("TCP+", slow, by=session)
        field.rate("QUIC", fast, by=session)
    field.compare("left")
    tasks.votes_arrived(field.study.sha256)
    return field


def latest() -> Result:
    result = AnalysisState.objects.select_related("result__snapshot").get().result
    assert result is not None
    return result


def figures_of(client: Client, field: Field, **query: str) -> dict[str, Any]:
    answer = client.get(f"/api/research/studies/{field.study.sha256}/results/figures", query)
    assert answer.status_code == 200
    return {figure["name"]: figure for figure in answer.json()}


def unblind(client: Client, field: Field) -> None:
    assert client.post(f"/api/research/studies/{field.study.sha256}/unblind").status_code == 204


def test_while_results_are_blinded_only_figures_that_show_nothing_by_stack_are_drawn(as_rosa: Client) -> None:
    field = voted()
    assert list(figures_of(as_rosa, field)) == ["scores", "screening-volunteer"]
    unblind(as_rosa, field)
    names = list(figures_of(as_rosa, field))
    assert names == [
        *("satisfaction", "mos-dsl", "scores", "pairs-dsl-quic-tcp+"),
        *("against-fvc", "against-si", "against-vc85", "against-lvc", "screening-volunteer"),
    ]


def test_before_any_vote_there_is_the_funnel_alone(as_rosa: Client) -> None:
    forget_designs()
    field = Field()
    unblind(as_rosa, field)
    by_name = figures_of(as_rosa, field)
    assert list(by_name) == ["screening-volunteer"]
    assert "Study demo, as of now." in by_name["screening-volunteer"]["svg"]
    assert "R2: no stall over 0.5 s" in by_name["screening-volunteer"]["svg"]


def test_the_figures_of_results_and_of_screening_can_be_asked_for_apart(as_rosa: Client) -> None:
    field = voted()
    unblind(as_rosa, field)
    every, results, screening = (figures_of(as_rosa, field, part=part) for part in ("all", "results", "screening"))
    assert list(screening) == ["screening-volunteer"]
    assert "scores" in results
    assert "screening-volunteer" not in results
    assert every == results | screening


@pytest.mark.django_db(transaction=True)
def test_hypotheses_and_tables_in_depth_are_drawn_once_the_study_is_closed(as_rosa: Client) -> None:
    field = voted()
    result = latest()
    result.tables["effects"] = [asdict(EFFECT)]
    result.save()
    unblind(as_rosa, field)
    assert "effects-rate" not in figures_of(as_rosa, field)
    change_state(field.fielding, FieldingState.CLOSED)
    InDepthResult.objects.update_or_create(
        result=result,
        defaults={
            "state": InDepthState.DONE,
            "tables": {"scores": SCORES},
            "hypotheses": [],
            "fields_sha256": IN_DEPTH_FIELDS,
        },
    )
    by_name = figures_of(as_rosa, field)
    assert next(iter(by_name)) == "effects-rate"
    assert by_name["score-distributions"]["table"]["rows"] == [row[1:3] + row[4:] for row in SCORES]


def test_a_figure_comes_with_words_table_and_its_study_and_snapshot(as_rosa: Client) -> None:
    field = voted()
    unblind(as_rosa, field)
    scores = figures_of(as_rosa, field)["scores"]
    assert set(scores) == {"name", "title", "svg", "alternative", "how_to_read", "table"}
    assert scores["title"] == "Distribution of all 8 ratings"
    assert scores["table"] == {
        "columns": [
            {"name": "score", "label": "score", "digits": None},
            {"name": "count", "label": "votes", "digits": None},
            {"name": "share", "label": "share", "digits": 3},
        ],
        "rows": [[1, 0, 0.0], [2, 0, 0.0], [3, 3, 0.375], [4, 1, 0.125], [5, 3, 0.375], [6, 1, 0.125], [7, 0, 0.0]],
    }
    assert f"Study demo, snapshot {latest().snapshot_id[:12]}." in scores["svg"]


def test_figures_are_in_the_language_and_as_wide_as_asked(as_rosa: Client) -> None:
    field = voted()
    unblind(as_rosa, field)
    by_name = figures_of(as_rosa, field, lang="de", layout="narrow")
    assert by_name["scores"]["title"] == "Verteilung aller 8 Bewertungen"
    assert {float(fromstring(figure["svg"]).get("width", 0)) for figure in by_name.values()} == {340}  # noqa: S314 - our own
    assert float(fromstring(figures_of(as_rosa, field)["scores"]["svg"]).get("width", 0)) == 720  # noqa: S314 - our own
    path = f"/api/research/studies/{field.study.sha256}/results/figures"
    assert as_rosa.get(path, {"lang": "fr"}).status_code == 422


def test_simulated_sessions_are_left_out_unless_they_are_asked_for(as_rosa: Client) -> None:
    field = voted()
    field.rate("QUIC", 7, by=field.session(origin="simulated"))
    AnalysisState.objects.update(not_before=None)
    tasks.votes_arrived(field.study.sha256)
    unblind(as_rosa, field)
    people, everybody = figures_of(as_rosa, field), figures_of(as_rosa, field, origin="all")
    assert [by_name["scores"]["title"] for by_name in (people, everybody)] == [
        "Distribution of all 8 ratings",
        "Distribution of all 9 ratings",
    ]
    assert "simulated sessions included" in everybody["scores"]["svg"]
    assert "simulated" not in people["scores"]["svg"]


def test_marks_of_clips_can_be_opened_on_the_page(as_rosa: Client) -> None:
    field = voted()
    unblind(as_rosa, field)
    svg = figures_of(as_rosa, field)["against-si"]["svg"]
    clips = {point["clip_sha256"] for point in latest().tables["points"]}
    assert all(f'data-clip="{clip}"' in svg for clip in clips)


def test_groups_are_named_as_the_study_names_them() -> None:
    forget_designs()
    design = Field().study.design
    labelled = replace(design, groups=(Group("lab", 2, label={"en": "Laboratory"}), Group("crowd", 2)))
    assert figures.group_names(labelled, "de") == {"lab": "Laboratory", "crowd": "crowd"}
