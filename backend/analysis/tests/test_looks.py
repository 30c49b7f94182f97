"""Looks: each opening of results by stack while votes come in is recorded, listed, and held against the plan."""

import csv
import io
import json
import zipfile
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from analysis import tasks
from analysis.models import AnalysisState
from audit.models import AuditEntry
from studies.models import FieldingState
from testing import studies
from testing.exports import ask, download
from testing.tables import rows_of
from testing.votes import Field
from testing.web import post, signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]
H1 = {
    "key": "H1",
    "says": "QUIC is rated higher.",
    "kind": "rate",
    "pair": ["TCP+", "QUIC"],
    "networks": "pooled",
    "expects": "higher",
}


@pytest.fixture
def rosa(db: None) -> Client:
    return signed_in("rosa", Role.RESEARCHER)


@pytest.fixture
def field(rosa: Client) -> Field:
    return Field()


def planned(field: Field, *at: int) -> None:
    """The study's plan has H1 and looks after so many sessions, of 100 that its quota asks for."""
    plan = field.study.frozen["study"]["plan"]
    looked = {"looks": {"at": list(at), "spending": "pocock"}} if at else {}
    studies.refreeze(field.study, plan=plan | {"hypotheses": [H1]} | looked, groups=[group(100)])


def group(sessions: int) -> dict[str, Any]:
    return {"key": "volunteer", "quota": {"sessions": sessions}}


def votes(field: Field, sessions: int) -> None:
    """So many people rate both stacks, QUIC by 2 or 4 points higher, and their votes are analysed."""
    for number in range(sessions):
        session = field.session()
        field.rate("TCP+", 2, by=session)
        field.rate("QUIC", 4 + 2 * (number % 2), by=session)
    # analyses are apart by a pause
    AnalysisState.objects.update(not_before=None)
    tasks.votes_arrived(field.study.sha256)


def results(client: Client, field: Field) -> Any:
    return client.get(f"/api/research/studies/{field.study.sha256}/results").json()


def unblind(client: Client, field: Field) -> None:
    assert post(client, f"/api/research/studies/{field.study.sha256}/unblind", {}).status_code == 204


def recorded() -> list[tuple[str, str, int]]:
    entries = AuditEntry.objects.filter(what="look").order_by("pk")
    return [(entry.actor_name, entry.details["by"], entry.details["sessions"]) for entry in entries]


def an_hour_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    later = timezone.now() + timedelta(hours=1, seconds=1)
    monkeypatch.setattr(timezone, "now", lambda: later)


def test_seeing_results_by_stack_in_the_field_is_a_look_and_seeing_none_is_not(rosa: Client, field: Field) -> None:
    votes(field, 2)
    assert rows_of(results(rosa, field)["looks"]) == []
    unblind(rosa, field)
    assert recorded() == []
    (look,) = rows_of(results(rosa, field)["looks"])
    assert (look["actor"], look["by"], look["votes"], look["sessions"], look["planned"]) == ("rosa", "page", 4, 2, None)


def test_without_votes_of_people_there_is_nothing_to_look_at(rosa: Client, field: Field) -> None:
    unblind(rosa, field)
    assert rows_of(results(rosa, field)["looks"]) == []
    field.rate("QUIC", 6, by=field.session(origin="simulated"))
    tasks.votes_arrived(field.study.sha256)
    assert rows_of(results(rosa, field)["looks"]) == []


def test_what_one_person_sees_within_an_hour_is_one_look(
    rosa: Client, field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    votes(field, 1)
    unblind(rosa, field)
    results(rosa, field)
    votes(field, 1)
    results(rosa, field)
    assert recorded() == [("rosa", "page", 1)]
    an_hour_passes(monkeypatch)
    results(rosa, field)
    assert recorded() == [("rosa", "page", 1), ("rosa", "page", 2)]


def test_each_person_looks_on_their_own_and_a_program_as_its_owner(rosa: Client, field: Field) -> None:
    votes(field, 1)
    anna = signed_in("anna", Role.ADMIN)
    for client in (rosa, anna):
        unblind(client, field)
        results(client, field)
    owner = User.objects.create_account("ada", studies.PASSWORD, Role.ADMIN)
    token = ApiToken.issue(user=owner, name="nightly", scope=Scope.RESULTS)
    results(Client(headers={"Authorization": f"Bearer {token}"}), field)
    assert recorded() == [("rosa", "page", 1), ("anna", "page", 1), ("ada", "program", 1)]


@pytest.mark.django_db(transaction=True)
def test_an_export_and_a_clip_with_its_votes_are_looks_too(rosa: Client, field: Field) -> None:
    votes(field, 1)
    assert ask(rosa, field.study.sha256).status_code == 202
    assert recorded() == [("rosa", "export", 1)]
    anna = signed_in("anna", Role.ADMIN)
    clip = f"/api/research/studies/{field.study.sha256}/clips/{field.stimuli['QUIC'].clip.sha256}"
    anna.get(clip)
    assert len(recorded()) == 1
    unblind(anna, field)
    anna.get(clip)
    assert recorded()[1:] == [("anna", "page", 1)]


def test_figures_that_show_results_by_stack_are_the_look_that_the_tables_are(rosa: Client, field: Field) -> None:
    votes(field, 2)
    figures = f"/api/research/studies/{field.study.sha256}/results/figures"
    assert rosa.get(figures).status_code == 200
    assert recorded() == []
    unblind(rosa, field)
    assert rosa.get(figures).status_code == 200
    assert recorded() == [("rosa", "page", 2)]
    results(rosa, field)
    assert recorded() == [("rosa", "page", 2)]


@pytest.mark.django_db(transaction=True)
def test_after_the_field_nothing_is_a_look(rosa: Client, field: Field) -> None:
    votes(field, 1)
    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    results(rosa, field)
    assert ask(rosa, field.study.sha256).status_code == 202
    assert recorded() == []


def test_only_readers_of_the_log_see_who_looked(rosa: Client, field: Field) -> None:
    votes(field, 1)
    unblind(rosa, field)
    results(rosa, field)
    gus = signed_in("gus", Role.RESEARCHER)
    field.study.shares.create(user=User.objects.get(username="gus"), level="read")
    assert [look["actor"] for look in rows_of(results(gus, field)["looks"])] == [None]


def test_hypotheses_are_answered_at_a_planned_look_and_the_answer_stays_until_the_next(
    rosa: Client, field: Field
) -> None:
    planned(field, 4, 6)
    votes(field, 3)
    unblind(rosa, field)
    early = results(rosa, field)
    assert (early["look"], early["hypotheses"], early["effects"]) == (None, [], [])
    assert early["planned_looks"] == [
        {"number": 1, "sessions": 4, "level": None},
        {"number": 2, "sessions": 6, "level": None},
    ]
    votes(field, 1)
    first = results(rosa, field)
    assert (first["collecting"], first["look"]) == (True, 1)
    assert (first["hypotheses"][0]["hypothesis"], first["hypotheses"][0]["kind"]) == ("H1", "rate")
    assert (first["effects"][0]["estimate"], first["effects"][0]["participants"]) == (2.5, 4)
    votes(field, 1)
    later = results(rosa, field)
    assert (later["sessions_used"], later["effects"]) == (5, first["effects"])
    assert later["planned_looks"][0]["level"] == pytest.approx(0.0033, abs=1e-4)
    # an opening at which a planned look is reached is recorded, also within the hour
    assert [(look["sessions"], look["planned"]) for look in rows_of(later["looks"])] == [(3, None), (4, 1)]


def test_simulated_sessions_reach_no_look_and_with_them_nothing_is_answered(rosa: Client, field: Field) -> None:
    planned(field, 4)
    for _ in range(3):
        field.rate("QUIC", 6, by=field.session(origin="simulated"))
    votes(field, 3)
    unblind(rosa, field)

    def of_all() -> Any:
        return rosa.get(f"/api/research/studies/{field.study.sha256}/results", {"origin": "all"}).json()

    early = of_all()
    assert (early["sessions_used"], early["look"], early["hypotheses"], early["effects"]) == (6, None, [], [])
    assert early["planned_looks"] == [{"number": 1, "sessions": 4, "level": None}]
    votes(field, 1)
    reached = of_all()
    assert (reached["look"], reached["hypotheses"], reached["effects"]) == (None, [], [])
    assert reached["planned_looks"] == results(rosa, field)["planned_looks"]
    assert results(rosa, field)["look"] == 1


def test_while_results_are_blinded_no_look_answers_anything(rosa: Client, field: Field) -> None:
    planned(field, 2)
    votes(field, 3)
    hidden = results(rosa, field)
    assert (hidden["blinded"], hidden["hypotheses"], hidden["effects"]) == (True, [], [])


def test_at_the_end_all_votes_answer_at_the_level_that_is_left(rosa: Client, field: Field) -> None:
    planned(field, 4)
    votes(field, 6)
    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    found = results(rosa, field)
    assert (found["collecting"], found["look"], found["effects"][0]["participants"]) == (False, None, 6)
    assert "95 % interval" not in found["effects"][0]["sentence"]


@pytest.mark.django_db(transaction=True)
def test_an_export_answers_hypotheses_at_planned_looks_and_at_the_end_alone(rosa: Client, field: Field) -> None:
    planned(field, 4)
    field.rate("QUIC", 6, by=field.session(origin="simulated"))
    votes(field, 3)
    early = exported_by(rosa, field)
    assert (early["hypotheses.csv"], early["effects.csv"], early["collecting"]) == ([], [], True)
    assert "are empty without a planned look" in early["README.txt"]
    votes(field, 2)
    (effect,) = exported_by(rosa, field)["effects.csv"]
    assert (effect["hypothesis"], effect["participants"]) == ("H1", "4")
    assert "have the answers of planned look 1\n" in exported_by(rosa, field)["README.txt"]
    assert exported_by(rosa, field, origin="all")["effects.csv"] == []
    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    late = exported_by(rosa, field)
    assert ([row["participants"] for row in late["effects.csv"]], late["collecting"]) == (["5"], False)
    assert len(late["hypotheses.csv"]) == 1


def exported_by(client: Client, field: Field, origin: str = "person") -> Any:
    with zipfile.ZipFile(io.BytesIO(download(client, field.study.sha256, origin=origin))) as archive:
        found = {name: archive.read(name).decode() for name in ("hypotheses.csv", "effects.csv", "README.txt")}
        manifest = json.loads(archive.read("manifest.json"))
    tables = {name: list(csv.DictReader(io.StringIO(text))) for name, text in found.items() if name.endswith(".csv")}
    return {**tables, "README.txt": found["README.txt"], "collecting": manifest["collecting"]}


def test_departures_name_looks_and_analyses_that_the_plan_does_not(rosa: Client, field: Field) -> None:
    planned(field)
    votes(field, 2)
    assert results(rosa, field)["departures"] == []
    unblind(rosa, field)
    results(rosa, field)
    found = results(rosa, field)["departures"]
    assert [(departure["kind"], departure["subject"], departure["sessions"]) for departure in found] == [
        ("look", "results", 2),
        ("analysis", "metrics", None),
    ]


def test_a_study_closed_below_its_quota_departs_from_it_in_every_origin(rosa: Client, field: Field) -> None:
    planned(field)
    field.rate("QUIC", 1, by=field.session(origin="simulated"))
    votes(field, 2)
    field.fielding.state = FieldingState.CLOSED
    field.fielding.save()
    for origin in ("person", "all"):
        answer = rosa.get(f"/api/research/studies/{field.study.sha256}/results", {"origin": origin}).json()
        found = [departure for departure in answer["departures"] if departure["kind"] == "sample_size"]
        assert [(departure["before"], departure["sessions"]) for departure in found] == [("100", 2)]
    studies.refreeze(field.study, plan=field.study.frozen["study"]["plan"], groups=[group(2)])
    assert [departure["kind"] for departure in results(rosa, field)["departures"]] == ["analysis"]


def test_departures_name_what_changed_since_a_version_with_votes(rosa: Client, field: Field) -> None:
    planned(field)
    newer = Field(number=2)
    newer.study.parent_sha256 = field.study.sha256
    newer.study.save()
    studies.refreeze(newer.study, plan=field.study.frozen["study"]["plan"], groups=[group(120)])
    assert results(rosa, newer)["departures"] == []
    votes(field, 1)
    (departure,) = results(rosa, newer)["departures"]
    assert (departure["kind"], departure["subject"], departure["before"], departure["after"]) == (
        "design",
        "groups[volunteer].quota.sessions",
        "100",
        "120",
    )
    assert departure["sentence"].endswith("after 2 votes on the version before (demo).")
    assert datetime.fromisoformat(departure["at"]) - newer.study.published_at < timedelta(milliseconds=1)


def test_simulated_sessions_that_are_shown_are_a_departure(rosa: Client, field: Field) -> None:
    planned(field)
    field.rate("QUIC", 1, by=field.session(origin="simulated"))
    votes(field, 1)
    unblind(rosa, field)
    path = f"/api/research/studies/{field.study.sha256}/results"
    kinds = {
        origin: [
            departure["kind"] for departure in json.loads(rosa.get(path, {"origin": origin}).content)["departures"]
        ]
        for origin in ("person", "all")
    }
    assert ("simulated" in kinds["person"], "simulated" in kinds["all"]) == (False, True)
