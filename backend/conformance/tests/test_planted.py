"""Planted participants, one per rule and several at its edge, walk through the study's API and are judged."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Role
from analysis.snapshots.counted import counted_votes
from analysis.snapshots.store import take_snapshot
from audit.models import AuditEntry
from conformance import tasks
from conformance.models import Verdict
from ratings.models import Exclusion, Recruitment, Session, Trial
from studies.models import Study
from testing import studies
from testing.people import (
    HELD_BACK_MS,
    RULES,
    START_MS,
    Person,
    findings_of,
    play,
    published,
)
from testing.planted import AT, PAIR_AT, PLANTED, away, early
from testing.web import Browser, post, put, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]

NAMES = list(RULES)[1:]


@pytest.fixture
def study(db: None) -> Study:
    return published()


@pytest.fixture
def browsers() -> Callable[[], Any]:
    """New browsers, each with its own cookies; they call the application without a socket between."""

    def new() -> Any:
        browser = Browser()

        def call(method: str, path: str, body: Any = None) -> tuple[int, Any]:
            answer = (post if method == "POST" else put)(browser, path, body)
            return answer.status_code, answer.json() if answer.content else None

        return call

    return new


def slug(study: Study) -> str:
    return study.fieldings.get().slug


def first_change_ms(session: Session) -> float:
    """Of the clip at AT, in its own time."""
    clip = Trial.objects.get(session=session, position=AT).stimulus.clip
    fvc_ms: float = clip.take.metrics["fvc_ms"]
    return START_MS + fvc_ms


def recruited(session: Session, recruiter_id: str) -> None:
    Recruitment.objects.create(
        participant=session.participant, study=session.fielding.study, recruiter="Crowd", recruiter_id=recruiter_id
    )


def judged(session: Session) -> Verdict:
    return Verdict.objects.get(session=session)


def left_out_by(session: Session) -> list[str]:
    return sorted(str(rule) for rule in Exclusion.objects.filter(session=session).values_list("rule", flat=True))


def test_every_planted_participant_gets_the_right_verdicts(study: Study, browsers: Any) -> None:
    walked = {name: Person(browsers(), **planted).walk(slug(study)) for name, (planted, _, _) in PLANTED.items()}
    assert not Verdict.objects.exists()
    tasks.catch_up()
    found = {
        name: (judged(session).accepted, judged(session).used, left_out_by(session)) for name, session in walked.items()
    }
    assert found == {name: (accepted, not rules, rules) for name, (_, accepted, rules) in PLANTED.items()}


@pytest.mark.parametrize(("beyond_ms", "broken"), [(0.0, "no"), (-0.1, "yes"), (-900.0, "yes"), (None, "unknown")])
def test_r4_compares_with_the_first_change_of_that_very_clip(
    study: Study, browsers: Any, beyond_ms: float | None, broken: str
) -> None:
    person = Person(browsers())
    session = person.begin(slug(study))
    session_row = Session.objects.get(pk=session["id"])
    answered_ms = None if beyond_ms is None else first_change_ms(session_row) + beyond_ms
    person.votes = early(answered_ms)
    for trial in session["trials"]:
        person.answer(trial)
    person.ok("PUT", "/api/session/controls/attention", person.mine | {"choice": "websites"})
    person.ok("POST", "/api/session/finish", person.mine | {"skipped": []})
    tasks.session_completed(session["id"])
    verdict = judged(session_row)
    (finding,) = [finding for finding in findings_of(verdict) if finding["rule"] == "R4"]
    assert (finding["broken"], verdict.used, verdict.accepted) == (broken, broken != "yes", True)
    assert (finding["trials"], finding["unknown"]) == ([AT] if broken == "yes" else [], int(broken == "unknown"))


def test_who_did_not_finish_is_neither_accepted_nor_used(study: Study, browsers: Any) -> None:
    person = Person(browsers())
    session = person.begin(slug(study))
    for trial in session["trials"]:
        person.answer(trial)
    status, answer = person.call("POST", "/api/session/finish", person.mine | {"skipped": []})
    assert (status, answer["error"]["code"], answer["error"]["details"]) == (
        409,
        "controls_missing",
        {"keys": ["attention"]},
    )
    tasks.session_completed(session["id"])
    tasks.catch_up()
    assert not Verdict.objects.exists()
    assert len(set(counted_votes(take_snapshot(study.sha256))["session_id"])) == 0


def test_votes_of_those_left_out_are_stored_but_not_counted_and_their_slots_are_free(
    study: Study, browsers: Any
) -> None:
    good, bad = Person(browsers()).walk(slug(study)), Person(browsers(), choice="animals").walk(slug(study))
    filled = studies.slot_counts()["filled"]
    tasks.catch_up()
    snapshot = take_snapshot(study.sha256)
    assert snapshot.votes == 12
    assert set(counted_votes(snapshot)["session_id"]) == {str(good.pk)}
    # nobody else has come yet to take them
    assert studies.slot_counts()["filled"] == filled - filled // 2
    assert not bad.trials.filter(slot__isnull=False).exists()


def test_the_researcher_sees_the_funnel_and_every_reason(study: Study, browsers: Any) -> None:
    owner = signed_in("olga", Role.RESEARCHER)
    Study.objects.update(published_by=owner.session["_auth_user_id"])
    for planted in ({}, {"choice": "animals"}, {"plays": {AT: away(12_300)}}):
        Person(browsers(), **planted).walk(slug(study))
    Person(browsers()).begin(slug(study))
    tasks.catch_up()
    base = f"/api/research/studies/{study.sha256}/conformance"
    body = owner.get(base).json()
    (group,) = body["groups"]
    assert (group["group"], group["started"], group["completed"], group["waiting"]) == ("laboratory", 4, 3, 0)
    assert [(step["rule"], step["broken"], step["left"]) for step in group["steps"]] == [
        ("R1", 0, 3), ("R2", 0, 3), ("R3", 1, 2), ("R4", 0, 2), ("R5", 0, 2), ("R6", 0, 2), ("R7", 1, 1),
        ("R8", 0, 1), ("R9", 0, 1),
    ]  # fmt: skip
    assert (group["used"], group["accepted"], body["may_pay"]) == (1, 2, True)
    assert body["rules"][2] == {
        "rule": "R3",
        "asked": True,
        "use": True,
        "pay": True,
        "thresholds": {"away_ms": 10_000},
    }
    sessions = owner.get(f"{base}/sessions").json()["sessions"]
    reasons = [
        finding["reason"] for session in sessions for finding in session["findings"] if finding["broken"] == "yes"
    ]
    assert sorted(reasons) == [
        "1 of 1 control questions wrong, at most 0 allowed; attention: answered animals, the right answer is websites",
        "trial 2: away for 12.3 s, at most 10 s allowed",
    ]
    assert [(session["used"], session["accepted"]) for session in sessions].count((None, None)) == 1


def test_a_play_that_the_server_refuses_is_held_against_nobody(study: Study, browsers: Any) -> None:
    person = Person(browsers(), plays={PAIR_AT: None})
    session = person.begin(slug(study))
    body = person.mine | play(PAIR_AT, {"wall_ms": "long"})
    status, answer = person.call("PUT", f"/api/session/plays/{uuid.uuid4()}", body)
    assert (status, answer["error"]["details"]) == (422, {"field": "evidence.wall_ms"})
    for trial in session["trials"]:
        person.answer(trial)
    person.ok("PUT", "/api/session/controls/attention", person.mine | {"choice": "websites"})
    person.ok("POST", "/api/session/finish", person.mine | {"skipped": []})
    tasks.session_completed(session["id"])
    verdict = judged(Session.objects.get(pk=session["id"]))
    assert (verdict.accepted, verdict.used) == (True, True)
    assert findings_of(verdict)[0] == {
        "rule": "R1",
        "broken": "unknown",
        "reason": f"trial {PAIR_AT}: no play of the video was stored",
        "trials": [],
        "unknown": 1,
    }


def test_a_wrong_control_names_its_delay(study: Study, browsers: Any) -> None:
    planted, _, _ = PLANTED["R6: the side held back"]
    session = Person(browsers(), **planted).walk(slug(study))
    tasks.session_completed(str(session.pk))
    (finding,) = [finding for finding in findings_of(judged(session)) if finding["rule"] == "R6"]
    assert HELD_BACK_MS == [0.0, 6000.0]
    assert finding["reason"] == (
        "1 of 1 control videos wrong, at most 0 allowed; trial 5: answered right, but the right side was delayed by 6 s"
    )


def test_recruiters_ids_are_the_owners_alone_and_each_reading_is_logged(study: Study, browsers: Any) -> None:
    owner, other = signed_in("olga", Role.RESEARCHER), signed_in("otto", Role.RESEARCHER)
    admin = signed_in("ada", Role.ADMIN)
    Study.objects.update(published_by=owner.session["_auth_user_id"])
    paid, unpaid = Person(browsers()).walk(slug(study)), Person(browsers(), choice="animals").walk(slug(study))
    Person(browsers()).walk(slug(study))  # accepted, but nobody recruited them
    for number, session in enumerate((paid, unpaid)):
        Recruitment.objects.create(
            participant=session.participant,
            study=session.fielding.study,
            recruiter="Crowd",
            recruiter_id=f"worker-{number}",
            arrival={"STUDY_ID": "=s", "SESSION_ID": f"submission-{number}"},
        )
    tasks.catch_up()
    path = f"/api/research/studies/{study.sha256}/conformance/accepted.csv"
    assert [client.get(path).status_code for client in (other, admin)] == [404, 403]
    assert not AuditEntry.objects.filter(what="export").exists()
    answer = owner.get(path)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines == [
        "group,recruiter,recruiter_id,completion_code,link_SESSION_ID,link_STUDY_ID",
        f"laboratory,Crowd,worker-0,{paid.completion_code},submission-0,'=s",
    ]
    (entry,) = AuditEntry.objects.filter(what="export")
    assert (entry.actor_name, entry.details) == ("olga", {"file": "accepted.csv", "participants": 1})


def test_the_list_to_pay_from_does_not_tell_who_finished_first(study: Study, browsers: Any) -> None:
    owner = signed_in("olga", Role.RESEARCHER)
    Study.objects.update(published_by=owner.session["_auth_user_id"])
    for number in (2, 0, 1):
        session = Person(browsers()).walk(slug(study))
        Recruitment.objects.create(
            participant=session.participant,
            study=session.fielding.study,
            recruiter="Crowd",
            recruiter_id=f"worker-{number}",
        )
    tasks.catch_up()
    lines = owner.get(f"/api/research/studies/{study.sha256}/conformance/accepted.csv").content.decode().splitlines()
    assert [line.split(",")[2] for line in lines[1:]] == ["worker-0", "worker-1", "worker-2"]
