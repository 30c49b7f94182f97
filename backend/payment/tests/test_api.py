"""The books over HTTP: from sessions of recruited people, for the owner alone, and nothing of the list is stored."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from audit.models import AuditEntry
from conformance.models import Verdict
from ratings import sessions
from ratings.models import Origin, Recruitment, Session
from studies.models import Study
from testing import studies
from testing.web import error_code, post, signed_in

pytestmark = [pytest.mark.services, pytest.mark.django_db]

GROUPS = [
    {
        "key": "prolific",
        "quota": {"sessions": 10},
        "recruiter": {
            "name": "Prolific",
            "id_parameter": "PROLIFIC_PID",
            "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
            "codes": {"completed": "C1DONE00", "other": "C1RETURN"},
        },
    }
]
FINDING = {"rule": "R9", "broken": "yes", "reason": "", "trials": [], "unknown": 0}


def owned() -> Study:
    """Of the researcher who has signed in."""
    studies.visible_batch()
    return studies.study(groups=GROUPS)


def recruited(
    study: Study, person: str, *, accepted: bool | None, submission: str, origin: Origin = Origin.PERSON
) -> None:
    fielding = study.fieldings.get()
    session, _ = sessions.start(
        sessions.fielding_of(fielding.slug),
        language="en",
        consent_version="1",
        screen=studies.SCREEN,
        arrival=sessions.Arrival(recruiter_id=person, parameters={"SESSION_ID": submission}, origin=origin),
    )
    if accepted is None:
        return
    Session.objects.filter(pk=session.pk).update(state="completed", completion_code=f"CODE{person.upper()}")
    Verdict.objects.create(
        session=session, version=3, accepted=accepted, used=accepted, findings=[] if accepted else [FINDING]
    )


def ask(client: Client, study: Study, text: str, **changes: Any) -> Any:
    body = {"group": "prolific", "format": "prolific", "text": text} | changes
    return post(client, f"/api/research/studies/{study.pk}/books", body)


def waiting(**codes: str) -> str:
    """Prolific's list: these people wait, and have submitted these codes."""
    rows = [f"s{number},{person},AWAITING REVIEW,{code}" for number, (person, code) in enumerate(codes.items(), 1)]
    return "\n".join(["Submission id,Participant id,Status,Completion code", *rows])


def test_the_books_say_whom_to_pay() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    study = owned()
    recruited(study, "ann", accepted=True, submission="s1")
    recruited(study, "bob", accepted=False, submission="s2")
    recruited(study, "eve", accepted=None, submission="s3")
    answer = ask(client, study, waiting(ann="C1DONE00", bob="C1DONE00", eve="C1RETURN"))
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert [(entry["person"], entry["action"], entry["rules"]) for entry in found["entries"]] == [
        ("ann", "approve", []),
        ("bob", "reject", ["R9"]),
        ("eve", "return", []),
    ]
    assert found["actions"] == {"approve": 1, "reject": 1, "return": 1}
    assert {file["name"]: file["text"] for file in found["files"]}["approve.txt"] == "s1\n"
    assert answer.headers["Cache-Control"] == "no-store"
    event = AuditEntry.objects.latest("at")
    assert (event.what, event.details) == ("export", {"file": "books", "participants": 3})
    assert Recruitment.objects.count() == 3


def test_a_group_without_a_recruiter_and_a_list_of_other_columns_are_named() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    study = owned()
    assert error_code(ask(client, study, "", group="nobody")) == (422, "invalid")
    other = ask(client, study, "who,code\nann,x\n", format="other", person="who", submission="", code="code")
    assert other.status_code == 200, other.content
    assert other.json()["entries"][0]["action"] == "decide"


def test_a_list_of_another_group_is_refused() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    study = owned()
    recruited(study, "ann", accepted=True, submission="s1")
    answer = ask(
        client, study, "Submission id,Participant id,Status,Completion code\ns9,zoe,AWAITING REVIEW,C1DONE00\n"
    )
    assert error_code(answer) == (422, "invalid")
    assert "took part in group 'prolific'" in answer.json()["error"]["message"]


def test_who_declined_is_asked_to_return_and_who_took_part_before_is_not() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    codes = GROUPS[0]["recruiter"] | {"codes": {"completed": "C1DONE00", "took_part": "C1BEFORE", "other": "C1RETURN"}}  # type: ignore[operator]
    studies.visible_batch()
    study = studies.study(groups=[GROUPS[0] | {"recruiter": codes}])
    answer = ask(client, study, waiting(dan="C1RETURN", tom="C1BEFORE", zoe="")).json()
    assert [(entry["action"], entry["why"]) for entry in answer["entries"]] == [
        ("return", "not_begun"),
        ("decide", "unknown_person"),
        ("decide", "unknown_person"),
    ]


def test_reasons_are_in_the_language_of_the_page() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    study = owned()
    recruited(study, "bob", accepted=False, submission="s1")
    for language, words in (("en", "broke rules that exclude payment. (R9)"), ("de", "verstoßen")):
        found = ask(client, study, waiting(bob="C1DONE00"), lang=language).json()
        (entry,) = found["entries"]
        assert words in entry["explanation"]
        assert entry["explanation"] in found["files"][0]["text"]
    assert error_code(ask(client, study, waiting(bob=""), lang="fr")) == (422, "invalid")


def test_simulated_participants_count_only_in_a_rehearsal() -> None:
    client = signed_in("rita", Role.RESEARCHER)
    study = owned()
    recruited(study, "sim-1", accepted=True, submission="s1", origin=Origin.SIMULATED)
    actions = [
        [entry["action"] for entry in ask(client, study, waiting(**{"sim-1": "C1DONE00"}), **more).json()["entries"]]
        for more in ({}, {"origin": "person"}, {"origin": "all"})
    ]
    assert actions == [["decide"], ["decide"], ["approve"]]
