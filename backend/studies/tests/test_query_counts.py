"""What the pages ask every few seconds costs the same, however much there is; and a vote reads no study."""

import uuid
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Role, User
from conformance.models import Verdict
from eyelevel_stats.conformance import RULES
from ratings.models import Exclusion, Session, SessionState
from studies.lifecycle import change_state
from studies.models import FieldingState, ShareLevel, Slot, Study, StudyShare
from testing import studies
from testing.web import participant, play_body, put, signed_in, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

GROUPS = [{"key": "paid"}, {"key": "volunteer"}]


def queries(client: Client, path: str) -> int:
    # the first one of a browser may have more to do
    assert client.get(path).status_code == 200
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


def published(name: str, owner: User, *, sessions: int) -> Study:
    """With two groups, one of them with a closed fielding beside the open one, and votes."""
    study = studies.study(owner=owner, name=name, groups=GROUPS)
    change_state(study.fieldings.get(group="paid"), FieldingState.CLOSED)
    studies.study(owner=owner, name=name, groups=GROUPS)
    for _ in range(sessions):
        session, _ = studies.start(study.fieldings.get(group="volunteer"))
        studies.vote(session.trials.get(position=1))
        studies.play(session.trials.get(position=1))
    return study


@pytest.mark.parametrize("who", ["owner", "reader", "admin"])
def test_the_list_of_studies_costs_the_same_for_any_number_of_them(who: str) -> None:
    studies.visible_batch()
    client = signed_in(who, Role.ADMIN if who == "admin" else Role.RESEARCHER)
    asks = User.objects.get(username=who)
    owner = asks if who == "owner" else studies.user("rita", Role.RESEARCHER)

    def share(study: Study) -> None:
        if who == "reader":
            StudyShare.objects.create(study=study, user=asks, level=ShareLevel.READ)

    share(published("first", owner, sessions=0))
    before = queries(client, "/api/research/studies")
    for name in ("second", "third"):
        share(published(name, owner, sessions=2))
    assert queries(client, "/api/research/studies") == before
    rows = client.get("/api/research/studies").json()
    assert [(row["name"], row["votes"], row["sessions"]["started"], len(row["fieldings"])) for row in rows] == [
        ("third", 2, 2, 3),
        ("second", 2, 2, 3),
        ("first", 0, 0, 3),
    ]
    assert {tuple(row["rights"]) for row in rows} == {
        ("export", "read") if who == "reader" else ("edit", "export", "read", "share")
    }


def test_a_study_costs_the_same_for_any_number_of_fieldings_and_sessions() -> None:
    studies.visible_batch()
    client = signed_in("owner", Role.RESEARCHER)
    owner = User.objects.get()
    small, large = published("small", owner, sessions=1), published("large", owner, sessions=3)
    # all slots of these are taken; those of large's volunteers may be yielded, so that group needs no new fielding
    full = [small.fieldings.get(group="paid", state="open"), *large.fieldings.filter(state="open")]
    Slot.objects.filter(fielding__in=full).update(state="assigned")
    for name in ("small", "large"):
        studies.study(owner=owner, name=name, groups=GROUPS)
    assert (small.fieldings.count(), large.fieldings.count()) == (4, 4)
    for path in ("", "/conformance", "/conformance/sessions"):
        costs = [queries(client, f"/api/research/studies/{study.sha256}{path}") for study in (small, large)]
        assert costs[0] == costs[1], path


def test_of_each_session_the_newest_verdict_alone_is_loaded() -> None:
    studies.visible_batch()
    client = signed_in("owner", Role.RESEARCHER)
    study = published("judged", User.objects.get(), sessions=3)
    for number, session in enumerate(Session.objects.order_by("number")):
        Session.objects.filter(pk=session.pk).update(state=SessionState.COMPLETED)
        for accepted in (False, False, True):
            Verdict.objects.create(session=session, version=1, accepted=accepted, used=True, findings=rules("no"))
        if number == 0:
            Verdict.objects.create(session=session, version=1, accepted=False, used=False, findings=rules("yes"))
            Exclusion.objects.create(session=session, rule="R1")
    loaded: list[Verdict] = []

    def note(instance: Verdict, **_: Any) -> None:
        loaded.append(instance)

    post_init.connect(note, sender=Verdict)
    try:
        path = f"/api/research/studies/{study.sha256}/conformance"
        _, group = client.get(path).json()["groups"]
        assert (group["started"], group["completed"], group["used"], group["accepted"]) == (3, 3, 2, 2)
        assert [step for step in group["steps"] if step["rule"] == "R1"] == [
            {"rule": "R1", "broken": 1, "unknown": 0, "left": 2}
        ]
        assert len(loaded) == 3
        sessions = client.get(f"{path}/sessions").json()["sessions"]
    finally:
        post_init.disconnect(note, sender=Verdict)
    assert len(loaded) == 6
    assert sorted((session["accepted"], session["left_out_by"]) for session in sessions) == [
        (False, ["R1"]),
        (True, []),
        (True, []),
    ]


def rules(broken: str) -> list[dict[str, Any]]:
    """What a verdict says in which R1 is broken, or kept."""
    found = {name: broken if name == "R1" else "no" for name in RULES}
    return [{"rule": name, "broken": value, "reason": "", "trials": [], "unknown": 0} for name, value in found.items()]


def test_a_play_and_a_vote_read_no_study() -> None:
    studies.visible_batch()
    browser, session = participant(studies.study().fieldings.get().slug)
    trial = session["trials"][0]
    with CaptureQueriesContext(connection) as asked:
        assert put(browser, f"/api/session/plays/{uuid.uuid4()}", play_body(trial)).status_code == 200
        assert put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial)).status_code == 200
    assert [query["sql"] for query in asked if "frozen_text" in query["sql"]] == []
