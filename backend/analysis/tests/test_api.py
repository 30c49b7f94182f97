"""GET /api/research/studies/{sha256}/results: who may, and what comes in which state."""

import json
from typing import Any

import pytest
from django.test import Client
from scipy import stats

from accounts.models import ApiToken, Role, Scope, User
from analysis import tasks
from analysis.models import AnalysisState, Result
from conformance.models import Verdict
from eyelevel_stats import METHOD_VERSION
from ratings.models import Session
from studies.models import FieldingState
from testing import studies
from testing.exports import ask
from testing.tables import rows_in, rows_of
from testing.votes import Field, sha

from .in_depth_cases import H1, analysed, close, planned

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@pytest.fixture
def rosa() -> User:
    return studies.user("rosa", Role.RESEARCHER)


@pytest.fixture
def as_rosa(client: Client, rosa: User) -> Client:
    client.force_login(rosa)
    return client


def path(study: str) -> str:
    return f"/api/research/studies/{study}/results"


def results(client: Client, study: str, **query: str) -> Any:
    """As somebody who asked to see them while the study is in the field."""
    assert client.post(f"/api/research/studies/{study}/unblind").status_code == 204
    answer = client.get(path(study), query)
    assert answer.status_code == 200
    return answer.json()


def test_before_any_vote_there_is_nothing(as_rosa: Client) -> None:
    found = results(as_rosa, Field().study.sha256)
    assert (rows_of(found.pop("counts")), rows_of(found.pop("looks"))) == ([], [])
    assert found == {
        "origin": "person",
        "blinded": False,
        "collecting": True,
        "look": None,
        "status": "none",
        "snapshot": None,
        "votes_used": 0,
        "sessions_used": 0,
        "hypotheses": [],
        "effects": [],
        "tables": [],
        "identical_all": None,
        "simulated_sessions": 0,
        "simulated_started": 0,
        "planned_looks": [],
        "demographics": [],
        "departures": [],
    }


def test_results_come_with_their_snapshot_and_every_field_of_the_contract(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.rate("QUIC", 4)
    field.compare("left")
    tasks.votes_arrived(field.study.sha256)
    found = results(as_rosa, field.study.sha256)
    result = AnalysisState.objects.select_related("result__snapshot").get().result
    assert result is not None
    snapshot = found["snapshot"]
    assert found["status"] == "fresh"
    assert (snapshot["sha256"], snapshot["votes"], snapshot["sessions"]) == (result.snapshot.sha256, 3, 3)
    assert set(snapshot) == {"sha256", "created_at", "votes", "sessions"}
    (mos,) = rows_in(found, "mos")
    assert mos | {"sd": None, "ci_low": None, "ci_high": None} == {
        "site": "garden",
        "network": "DSL",
        "stack": "QUIC",
        "context": "work",
        "n": 2,
        "mos": 5.0,
        "sd": None,
        "ci_low": None,
        "ci_high": None,
    }
    assert mos["sd"] == pytest.approx(2**0.5)
    assert [row["metric"] for row in rows_in(found, "correlations")] == ["fvc", "si", "vc85", "lvc", "plt"]
    (point,) = rows_in(found, "points")
    assert (point["si_ms"], point["plt_ms"], point["mos"], point["n"]) == (800.0, None, 5.0, 2)


@pytest.mark.parametrize(
    ("lang", "title", "head", "meaning"),
    [
        ("en", "Mean opinion score of each condition", "participants", "number of participants"),
        ("de", "Mittlere Bewertung jeder Bedingung", "Personen", "Personen"),
    ],
)
def test_a_table_comes_as_it_is_declared_in_the_language_asked_for(
    as_rosa: Client, lang: str, title: str, head: str, meaning: str
) -> None:
    field = Field()
    field.rate("QUIC", 6)
    tasks.votes_arrived(field.study.sha256)
    found = results(as_rosa, field.study.sha256, lang=lang)
    assert [table["name"] for table in found["tables"]] == ["mos", "correlations", "points", "layouts"]
    table = found["tables"][0]
    columns = {column["name"]: column for column in table["columns"]}
    assert (table["title"], table["analysis"], list(columns)) == (
        title, "mos", ["site", "network", "stack", "context", "n", "mos", "ci_low", "ci_high", "sd"],
    )  # fmt: skip
    assert columns["n"] == {
        "name": "n", "title": head, "meaning": meaning, "type": "integer", "unit": None, "format": "count",
        "until": None, "words": {},
    }  # fmt: skip
    assert (columns["ci_low"]["until"], columns["mos"]["format"]) == ("ci_high", "decimal")


def test_hypotheses_are_answered_once_every_link_is_closed(as_rosa: Client) -> None:
    field = Field()
    h1 = {
        "key": "H1",
        "says": "QUIC is rated higher.",
        "kind": "rate",
        "pair": ["TCP+", "QUIC"],
        "networks": "each",
        "over": ["DSL"],
        "expects": "higher",
    }
    frozen = json.loads(field.study.frozen_text)
    frozen["study"]["plan"]["hypotheses"] = [h1]
    field.study.frozen_text = json.dumps(frozen)
    field.study.save()
    for slow, fast in [(3, 5), (4, 5), (3, 5), (3, 5)]:
        session = field.session()
        field.rate("TCP+", slow, by=session)
        field.rate("QUIC", fast, by=session)
    tasks.votes_arrived(field.study.sha256)
    open_ = results(as_rosa, field.study.sha256)
    assert (open_["collecting"], open_["hypotheses"], open_["effects"]) == (True, [], [])
    assert (open_["votes_used"], open_["sessions_used"]) == (8, 4)

    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    closed = results(as_rosa, field.study.sha256)
    (answer,), (effect,) = closed["hypotheses"], closed["effects"]
    assert closed["collecting"] is False
    assert (answer["hypothesis"], answer["outcome"]) == ("H1", "supported")
    # differences of 2, 1, 2 and 2 points: their mean, and a paired t of 7 with 3 degrees of freedom
    assert effect["estimate"] == pytest.approx(1.75)
    assert effect["p_value"] == pytest.approx(2 * stats.t.sf(7, 3))


def test_a_network_on_which_the_study_asks_and_that_has_no_votes_is_named_and_leaves_the_claim_undecided(
    as_rosa: Client,
) -> None:
    # without `over`, the claim is about every network of the study: DSL, which has votes, and LTE, which has none
    field = planned({name: value for name, value in H1.items() if name != "over"})
    analysed(field)
    close(field)
    found = results(as_rosa, field.study.sha256)
    (answer,) = found["hypotheses"]
    assert (answer["outcome"], answer["unknown"]) == ("undecided", "LTE")
    assert [effect["network"] for effect in found["effects"]] == ["DSL"]


def test_other_roles_are_told_apart_and_never_counted_as_answers(as_rosa: Client) -> None:
    field = Field()
    ann, ben = field.session(), field.session()
    field.rate("QUIC", 6, by=ann)
    field.rate("QUIC", 3, by=ann, role="repeat", repeats=1)
    field.rate("QUIC", 1, by=ann, role="training")
    field.rate("QUIC", 1, by=ann, role="control")
    field.compare("left", by=ann, which="alike", role="identical")
    field.compare("none", by=ben, which="alike", role="identical")
    field.place(62.5, by=ben)
    tasks.votes_arrived(field.study.sha256)
    found = results(as_rosa, field.study.sha256)
    assert [(row["mos"], row["n"]) for row in rows_in(found, "mos")] == [(6.0, 1)]
    assert rows_in(found, "comparisons") == []
    assert [(row["kind"], row["mean"], row["n"]) for row in rows_in(found, "values")] == [("slider", 62.5, 1)]
    (alike,) = rows_in(found, "identical")
    everything = {"n": 2, "participants": 2, "chose_left": 1, "chose_right": 0, "no_difference": 1}
    assert everything.items() < alike.items()
    assert alike == found["identical_all"] | {"network": "DSL", "stack": "QUIC"}
    assert (alike["share_different"], alike["ci_low"] < 0.5 < alike["ci_high"]) == (0.5, True)
    (repeat,) = rows_in(found, "repeats")
    assert (repeat["kind"], repeat["n"], repeat["equal"], repeat["mean_difference"]) == ("rate", 1, 0, 3.0)
    assert found["simulated_sessions"] == 0


def test_answers_about_the_person_are_counted_without_small_counts_and_also_while_blinded(as_rosa: Client) -> None:
    field = Field()
    for number in range(12):
        field.rate("QUIC", 6, by=field.session(answers={"age": "old" if number < 7 else "young"}))
    tasks.votes_arrived(field.study.sha256)
    found = as_rosa.get(path(field.study.sha256)).json()
    assert found["blinded"] is True
    (asked,) = found["demographics"]
    assert rows_of(asked) == [
        {"group": "volunteer", "choice": "young", "sessions": 5, "share": 5 / 12},
        {"group": "volunteer", "choice": "old", "sessions": 7, "share": 7 / 12},
    ]
    field.rate("QUIC", 6)
    AnalysisState.objects.update(not_before=None)
    tasks.votes_arrived(field.study.sha256)
    (asked,) = as_rosa.get(path(field.study.sha256)).json()["demographics"]
    # the one without an answer could be computed from the others
    assert [(row["choice"], row["sessions"]) for row in rows_of(asked)] == [("young", None), ("old", 7), ("", None)]


def test_simulated_sessions_are_left_out_unless_asked_for(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.rate("QUIC", 1, by=field.session(origin="simulated"))
    field.rate("QUIC", 2, by=field.session(origin="simulated", judged=False))
    tasks.votes_arrived(field.study.sha256)
    people, everybody = (results(as_rosa, field.study.sha256, origin=origin) for origin in ("person", "all"))
    assert results(as_rosa, field.study.sha256) == people
    assert [
        (result["origin"], rows_in(result, "mos")[0]["mos"], rows_in(result, "mos")[0]["n"])
        for result in (people, everybody)
    ] == [
        ("person", 6.0, 1),
        ("all", 3.5, 2),
    ]
    assert [(result["votes_used"], result["sessions_used"]) for result in (people, everybody)] == [(1, 1), (2, 2)]
    assert people["simulated_sessions"] == everybody["simulated_sessions"] == 1
    assert people["simulated_started"] == everybody["simulated_started"] == 2
    counted = [
        {row["outcome"]: (row["sessions"], row["votes"]) for row in rows_of(result["counts"]) if row["sessions"]}
        for result in (people, everybody)
    ]
    assert counted == [{"used": (1, 1), "simulated": (2, 2)}, {"used": (2, 2), "incomplete": (1, 1)}]
    assert as_rosa.get(path(field.study.sha256), {"origin": "robots"}).status_code == 422


def test_a_study_of_simulated_sessions_alone_is_empty_until_they_are_asked_for(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6, by=field.session(origin="simulated"))
    tasks.votes_arrived(field.study.sha256)
    people = results(as_rosa, field.study.sha256)
    assert (people["status"], rows_in(people, "mos"), people["simulated_sessions"]) == ("fresh", [], 1)
    assert rows_in(results(as_rosa, field.study.sha256, origin="all"), "mos")[0]["mos"] == 6.0


def test_simulated_sessions_of_which_none_is_used_are_counted_by_what_became_of_them(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.exclude(field.rate("QUIC", 1, by=field.session(origin="simulated")).session, "R7")
    tasks.votes_arrived(field.study.sha256)
    people, everybody = (results(as_rosa, field.study.sha256, origin=origin) for origin in ("person", "all"))
    assert [(result["simulated_sessions"], result["simulated_started"]) for result in (people, everybody)] == [
        (0, 1),
        (0, 1),
    ]
    assert rows_in(people, "mos") == rows_in(everybody, "mos")
    counted = [{row["outcome"]: row["sessions"] for row in rows_of(result["counts"])} for result in (people, everybody)]
    assert [(row["excluded"], row["simulated"]) for row in counted] == [(0, 1), (1, 0)]


def test_without_simulated_sessions_both_are_one_result(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    tasks.votes_arrived(field.study.sha256)
    people, everybody = (results(as_rosa, field.study.sha256, origin=origin) for origin in ("person", "all"))
    assert people | {"origin": "all"} == everybody


def test_a_new_vote_makes_them_stale_and_they_stay_readable(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    tasks.votes_arrived(field.study.sha256)
    field.rate("QUIC", 4)
    found = results(as_rosa, field.study.sha256)
    assert (found["status"], rows_in(found, "mos")[0]["n"]) == ("stale", 1)


def test_an_unknown_study_is_not_found(as_rosa: Client) -> None:
    answer = as_rosa.get(path(sha(9)))
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_nobody_else_may_look(client: Client, rosa: User) -> None:
    study = Field().study.sha256
    assert client.get(path(study)).status_code == 401
    batches = ApiToken.issue(user=rosa, name="capture", scope=Scope.BATCHES)
    assert client.get(path(study), HTTP_AUTHORIZATION=f"Bearer {batches}").status_code == 403
    token = ApiToken.issue(user=rosa, name="notebook", scope=Scope.STUDIES)
    assert client.get(path(study), HTTP_AUTHORIZATION=f"Bearer {token}").status_code == 200


def test_results_are_stale_while_somebody_who_finished_waits_for_a_verdict(as_rosa: Client) -> None:
    field = Field()
    field.rate("QUIC", 6)
    done = field.session(judged=False)
    field.rate("QUIC", 1, by=done)
    tasks.votes_arrived(field.study.sha256)
    assert results(as_rosa, field.study.sha256)["status"] == "fresh"
    ended = {"state": "completed", "completed_at": done.started_at}
    Session.objects.filter(pk=done.pk).update(**ended, to_judge_since=done.started_at)
    assert results(as_rosa, field.study.sha256)["status"] == "stale"
    Session.objects.filter(pk=done.pk).update(to_judge_since=None)
    Verdict.objects.create(session=done, version=1, accepted=True, used=True, findings=[])
    AnalysisState.objects.update(not_before=None)
    tasks.catch_up()
    tasks.votes_arrived(field.study.sha256)
    found = results(as_rosa, field.study.sha256)
    assert (found["status"], [row["n"] for row in rows_in(found, "mos")]) == ("fresh", [2])


OLDER = {"method_version": METHOD_VERSION - 1}
WITHOUT_A_FIELD = {"fields_sha256": ""}


@pytest.mark.parametrize("stored", [OLDER, WITHOUT_A_FIELD], ids=["older method", "missing field"])
def test_results_of_another_version_are_not_shown_and_computed_again(
    as_rosa: Client, monkeypatch: pytest.MonkeyPatch, stored: dict[str, Any]
) -> None:
    field = Field()
    session = field.session()
    field.rate("QUIC", 6, by=session)
    field.rate("TCP+", 2, by=session)
    tasks.votes_arrived(field.study.sha256)
    before = results(as_rosa, field.study.sha256)
    assert before["status"] == "fresh"
    # as the other version stored it
    row = Result.objects.get()
    short = [{name: value for name, value in mos_row.items() if name != "sd"} for mos_row in row.tables["mos"]]
    Result.objects.update(tables={"mos": short}, counts=[], **stored)
    found = results(as_rosa, field.study.sha256)
    assert (found["status"], found["snapshot"], rows_in(found, "mos"), rows_of(found["counts"])) == (
        "stale",
        None,
        [],
        [],
    )
    clip = field.stimuli["QUIC"].clip.sha256
    study = f"/api/research/studies/{field.study.sha256}"
    for rest in ("/results/figures", "/results/in-depth", f"/clips/{clip}"):
        assert as_rosa.get(f"{study}{rest}").status_code == 200, rest
    refused = ask(as_rosa, field.study.sha256)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "recomputing")
    # beat's task finds it, whether or not somebody opens the page
    asked: list[str] = []
    monkeypatch.setattr(tasks.analyse, "delay", asked.append)
    AnalysisState.objects.update(not_before=None)
    tasks.catch_up()
    assert asked == [field.study.sha256]
    tasks.analyse(field.study.sha256)
    after = results(as_rosa, field.study.sha256)
    assert {**after, "looks": before["looks"]} == before
    assert Result.objects.count() == 1
