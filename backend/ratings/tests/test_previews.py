"""A preview goes the whole way of a participant, and leaves nothing that counts."""

import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from accounts.models import Role, User
from analysis.snapshots import queries
from ratings.models import ControlAnswer, Origin, Participant, PersonAnswers, Play, Session, Trial, Vote
from ratings.retention import sweep_previews
from studies.models import Fielding, Slot
from testing import studies
from testing.web import SCREEN, Browser, participant, play_body, post, put, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

BODY = {"language": "en", "consent_version": "1", "screen": SCREEN}


@pytest.fixture
def rita(db: None) -> User:
    return studies.user("rita", Role.RESEARCHER)


@pytest.fixture
def fielding(rita: User) -> Fielding:
    studies.visible_batch()
    return studies.study(owner=rita).fieldings.get()


def begin(fielding: Fielding, rita: User) -> tuple[Browser, dict[str, Any]]:
    """Rita's browser with a preview begun in it."""
    browser = Browser()
    browser.force_login(rita)
    response = post(browser, f"/api/research/fieldings/{fielding.slug}/preview", BODY)
    assert response.status_code == 201, response.content
    session: dict[str, Any] = response.json()
    browser.session_id = session["id"]
    return browser, session


def vote(browser: Client, trial: dict[str, Any], vote_id: uuid.UUID | None = None, **changes: Any) -> Any:
    return put(browser, f"/api/session/votes/{vote_id or uuid.uuid4()}", vote_body(trial, **changes))


def whole_way(browser: Client, session: dict[str, Any]) -> Any:
    """Answer everything, and give the answer to the end."""
    assert put(browser, "/api/session/person", {"answers": {"age": "old"}}).status_code == 204
    for trial in session["trials"]:
        assert put(browser, f"/api/session/plays/{uuid.uuid4()}", play_body(trial)).status_code == 200
        assert vote(browser, trial).status_code == 200
    return post(browser, "/api/session/finish", {"skipped": []})


def again(browser: Client, fielding: Fielding) -> dict[str, Any]:
    session: dict[str, Any] = browser.get(f"/api/session?slug={fielding.slug}&preview=true").json()
    return session


def test_a_preview_has_all_that_a_participant_sees(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    _, real = participant(fielding.slug)
    assert (session["preview"], real["preview"]) == (True, False)
    assert [trial["kind"] for trial in session["trials"]] == [trial["kind"] for trial in real["trials"]]
    assert session["study"] == real["study"]
    assert again(browser, fielding) == session


def test_the_whole_way_ends_without_a_code_that_anyone_pays_for(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    ended = whole_way(browser, session)
    assert (ended.status_code, ended.json()["completion_code"]) == (200, "PREVIEW")
    assert post(browser, "/api/session/finish", {"skipped": []}).json() == ended.json()
    resumed = again(browser, fielding)
    assert (resumed["state"], resumed["person_answered"]) == ("completed", True)
    assert resumed["answered"] == [trial["position"] for trial in session["trials"]]
    assert Session.objects.get().completion_code is None


def test_nothing_of_it_is_data(fielding: Fielding, rita: User, django_capture_on_commit_callbacks: Any) -> None:
    before = rita_sees(rita, fielding)
    browser, session = begin(fielding, rita)
    with django_capture_on_commit_callbacks() as called:
        whole_way(browser, session)
    assert called == []
    assert [model.objects.count() for model in (Vote, Play, PersonAnswers, ControlAnswer)] == [0] * 4
    assert set(Slot.objects.values_list("state", flat=True)) == {"open"}
    assert not Trial.objects.filter(slot__isnull=False).exists()
    fielding.refresh_from_db()
    assert (fielding.sessions_without_assignment, Session.objects.get().number) == (0, None)
    assert not fielding.assignments.filter(times_given__gt=0).exists()
    assert rita_sees(rita, fielding) == before


def test_a_preview_does_not_count_beside_those_who_do(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    whole_way(browser, session)
    person, real = participant(fielding.slug)
    for trial in real["trials"]:
        vote(person, trial)
    post(person, "/api/session/finish", {"skipped": []})
    assert Session.objects.get(pk=real["id"]).number == 1
    row, cells = rita_sees(rita, fielding)
    others = {"excluded": 0, "over_quota": 0, "simulated": 0}
    assert (row["votes"], row["sessions"]) == (6, {"started": 1, "completed": 1, "counted": 1, **others})
    assert (row["fieldings"][0]["sessions_started"], row["fieldings"][0]["sessions_completed"]) == (1, 1)
    assert sum(cell["votes"] for cell in cells) == 6


@pytest.mark.django_db(transaction=True)
def test_analyses_and_exports_read_nothing_of_it(fielding: Fielding, rita: User, tmp_path: Path) -> None:
    browser, session = begin(fielding, rita)
    whole_way(browser, session)
    rows = queries.read(fielding.study_id, tmp_path)
    assert (rows.parts, rows.sessions, rows.exclusions) == ([], [], [])
    person, real = participant(fielding.slug)
    vote(person, real["trials"][0])
    rows = queries.read(fielding.study_id, tmp_path)
    assert [str(session_id) for part in rows.parts for session_id in part.session_ids] == [real["id"]]
    assert (rows.votes, [row[0] for row in rows.sessions]) == (1, [real["id"]])


def rita_sees(rita: User, fielding: Fielding) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    client = Client()
    client.force_login(rita)
    row = client.get(f"/api/research/studies/{fielding.study_id}").json()
    return row, row["cells"]


def test_all_is_checked_as_a_participants_answers_are(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    trial = session["trials"][0]
    wrong = vote(browser, trial, data={"score": 8})
    assert (wrong.status_code, wrong.json()["error"]["details"]["field"]) == (422, "data.score")
    other = vote(browser, trial, clip_digest="0" * 64)
    assert (other.status_code, other.json()["error"]["details"]["field"]) == (422, "clip_digest")
    nowhere = put(browser, f"/api/session/plays/{uuid.uuid4()}", play_body(trial, position=99))
    assert nowhere.json()["error"]["details"]["field"] == "position"
    person = put(browser, "/api/session/person", {"answers": {"age": "ancient"}})
    assert person.json()["error"]["details"]["field"] == "answers.age"
    ended = post(browser, "/api/session/finish", {"skipped": [1]})
    assert ended.json()["error"]["details"]["field"] == "skipped"
    assert post(browser, "/api/session/finish", {"skipped": []}).json()["error"]["code"] == "votes_missing"
    resumed = again(browser, fielding)
    assert (resumed["answered"], resumed["person_answered"], resumed["state"]) == ([], False, "started")


def test_a_repeat_gets_the_first_receipt_and_a_second_vote_none(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    trial, mine = session["trials"][0], uuid.uuid4()
    first = vote(browser, trial, mine)
    assert vote(browser, trial, mine, data={"score": 1}).json() == first.json()
    assert vote(browser, trial).json()["error"]["code"] == "already_answered"
    assert again(browser, fielding)["answered"] == [trial["position"]]


def test_control_questions_are_asked_and_no_answer_is_kept(rita: User) -> None:
    studies.visible_batch()
    choices = [{"key": key, "label": {"en": key, "de": key}} for key in ("websites", "people")]
    question = {"key": "subject", "label": {"en": "What?", "de": "Was?"}, "choices": choices, "right": "websites"}
    study = studies.study(owner=rita, controls={"questions": [question]})
    browser, session = begin(study.fieldings.get(), rita)
    assert (len(session["controls"]), session["controls_answered"]) == (1, [])
    assert whole_way(browser, session).json()["error"]["code"] == "controls_missing"
    wrong = put(browser, "/api/session/controls/subject", {"choice": "trees"})
    assert wrong.json()["error"]["details"]["field"] == "choice"
    for _ in range(2):
        assert put(browser, "/api/session/controls/subject", {"choice": "people"}).status_code == 204
    assert ControlAnswer.objects.count() == 0
    assert again(browser, study.fieldings.get())["controls_answered"] == ["subject"]
    assert post(browser, "/api/session/finish", {"skipped": []}).json()["completion_code"] == "PREVIEW"


def test_comparisons_may_be_skipped_in_a_narrow_window(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    for trial in session["trials"][:4]:
        vote(browser, trial)
    skipped = [trial["position"] for trial in session["trials"][4:]]
    assert post(browser, "/api/session/finish", {"skipped": skipped}).json()["completion_code"] == "PREVIEW"
    assert set(Slot.objects.values_list("state", flat=True)) == {"open"}


def test_the_end_asks_nothing_about_the_researcher(rita: User) -> None:
    studies.visible_batch()
    browser, session = begin(studies.study(owner=rita, questions=[studies.AGE]).fieldings.get(), rita)
    for trial in session["trials"]:
        vote(browser, trial)
    assert post(browser, "/api/session/finish", {"skipped": []}).json()["completion_code"] == "PREVIEW"


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_what_takes_nobody_can_be_previewed(fielding: Fielding, rita: User, state: str) -> None:
    Fielding.objects.update(state=state)
    assert len(begin(fielding, rita)[1]["trials"]) == 6


def test_a_full_fielding_can_be_previewed(fielding: Fielding, rita: User) -> None:
    Slot.objects.update(state="assigned")
    assert len(begin(fielding, rita)[1]["trials"]) == 6


def test_who_previews_may_take_part_in_the_same_browser(fielding: Fielding, rita: User) -> None:
    browser, preview = begin(fielding, rita)
    assert browser.get(f"/api/session?slug={fielding.slug}").status_code == 204
    assert browser.get("/api/session").status_code == 401
    _, real = participant(fielding.slug, browser)
    assert browser.get(f"/api/session?slug={fielding.slug}").json()["id"] == real["id"]
    assert again(browser, fielding)["id"] == preview["id"]
    for trial in (preview["trials"][0], real["trials"][0]):
        session_id = (preview if trial is preview["trials"][0] else real)["id"]
        assert vote(browser, trial, session_id=session_id).status_code == 200
    assert Vote.objects.count() == 1


def test_the_clips_are_the_previews_own(fielding: Fielding, rita: User) -> None:
    browser, session = begin(fielding, rita)
    address = session["trials"][0]["clip"]["url"]
    assert Client().get(address).status_code == 404
    person, _ = participant(fielding.slug)
    assert person.get(address).status_code == 404
    assert browser.head(address).status_code == 200


def test_a_preview_is_begun_in_a_language_of_the_study(fielding: Fielding, rita: User) -> None:
    browser = Client()
    browser.force_login(rita)
    response = post(browser, f"/api/research/fieldings/{fielding.slug}/preview", BODY | {"language": "fr"})
    assert (response.status_code, response.json()["error"]["details"]["field"]) == (422, "language")
    assert Session.objects.count() == 0


def test_old_previews_are_deleted_in_time(fielding: Fielding, rita: User) -> None:
    begin(fielding, rita)
    participant(fielding.slug)
    Session.objects.update(started_at=timezone.now() - timedelta(days=8))
    _, newer = begin(fielding, rita)
    assert sweep_previews(timezone.now(), delete=False) == 1
    assert Session.objects.count() == 3
    assert sweep_previews(timezone.now(), delete=True) == 1
    left = Session.objects.order_by("origin").values_list("origin", flat=True)
    assert list(left) == ["person", "preview"]
    assert Session.objects.filter(pk=newer["id"]).exists()
    assert (Participant.objects.count(), Trial.objects.count()) == (2, 12)


@pytest.mark.parametrize(
    ("origin", "number", "kept"),
    [("preview", 1, {}), ("preview", None, None), ("person", None, None), ("person", 2, {})],
)
def test_the_database_knows_previews_by_what_they_lack(
    fielding: Fielding, rita: User, origin: str, number: int | None, kept: dict[str, Any] | None
) -> None:
    begin(fielding, rita)
    with pytest.raises(IntegrityError, match="previews_have_no_number"):
        Session.objects.filter(origin=Origin.PREVIEW).update(origin=origin, number=number, preview=kept)
