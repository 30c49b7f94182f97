"""A participant's way through the API: begin, answer, finish."""

import json
import uuid
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from ratings.models import PersonAnswers, Play, Session, Trial, Vote
from ratings.room import rooms
from studies.models import Fielding, Slot, forget_designs
from testing import clips, studies
from testing.studies import EVIDENCE
from testing.web import SCREEN, participant, play_body, post, put, stranger, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def answer(client: Client, trial: dict[str, Any], **changes: Any) -> Any:
    return put(client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial, **changes))


def error_code(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def test_an_invitation_tells_what_comes(fielding: Fielding) -> None:
    told = stranger().get(f"/api/participate/{fielding.slug}").json()
    assert told["state"] == "open"
    assert told["title"] == {"en": "How fast is it?", "de": "Wie schnell ist es?"}
    # 90 s, six answers of 8 s, six clips of half a second
    assert (told["trial_count"], told["seconds"]) == (6, 141)
    assert told["questions"][0]["required"] is False


def test_an_invitation_tells_the_terms_as_far_as_there_are_any(fielding: Fielding) -> None:
    terms = ("ethics", "retention", "pay")
    told = stranger().get(f"/api/participate/{fielding.slug}").json()
    assert [told[term] for term in terms] == [None, None, None]
    study = studies.study(
        ethics={"board": "Board"},
        retention={"months": 12, "text": {"en": "A year.", "de": "Ein Jahr."}},
        pay={"amount": 2.5, "currency": "EUR", "fair_hourly": 12},
    )
    told = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    assert [told[term] for term in terms] == [
        {"board": "Board", "number": None},
        {"months": 12, "text": {"en": "A year.", "de": "Ein Jahr."}},
        # what the researcher thinks fair is not told
        {"amount": 2.5, "currency": "EUR"},
    ]


def test_an_invitation_counts_training_repeats_and_controls(fielding: Fielding) -> None:
    trials = [{"kind": "rate", "count": 4, "training": 2, "repeats": 1}, {"kind": "compare", "count": 2}]
    study = studies.study(trials=trials)
    told = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    # 90 s, nine answers of 8 s, nine clips of half a second
    assert (told["trial_count"], told["seconds"]) == (9, 166.5)


def test_a_slug_that_is_not_there_is_404(fielding: Fielding) -> None:
    assert error_code(stranger().get("/api/participate/nothing")) == (404, "not_found")


def test_a_session_has_its_trials_in_blocks(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    assert [(trial["position"], trial["kind"]) for trial in session["trials"]] == [
        (1, "rate"), (2, "rate"), (3, "rate"), (4, "rate"), (5, "compare"), (6, "compare")
    ]  # fmt: skip
    assert (session["state"], session["answered"], session["person_answered"]) == ("started", [], False)
    assert len(session["trials"][0]["params"]["labels"]) == 7
    assert session["trials"][5]["params"]["min_width_px"] == 1024
    assert client.get("/api/session").json() == session


def test_the_cookie_is_out_of_scripts_reach(fielding: Fielding, settings: Any) -> None:
    settings.SECURE_COOKIES = True
    client, _ = participant(fielding.slug)
    cookie = client.cookies[f"eyelevel_session_{fielding.slug}"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", True)
    assert not Session.objects.filter(token_sha256=cookie.value).exists()


def test_without_a_cookie_there_is_no_session(fielding: Fielding) -> None:
    assert error_code(stranger().get("/api/session")) == (401, "no_session")
    assert error_code(put(stranger(), f"/api/session/votes/{uuid.uuid4()}", {})) == (422, "invalid")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"consent_version": "0"}, "consent_version"),
        ({"screen": SCREEN | {"width_px": -1}}, "screen.width_px"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_wrong_beginning_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    body = {"language": "en", "consent_version": "1", "screen": SCREEN} | changes
    response = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    assert (response.status_code, response.json()["error"]["details"]["field"]) == (422, field)
    assert Session.objects.count() == 0


def test_a_form_of_another_site_cannot_begin_a_session(fielding: Fielding) -> None:
    body = (
        '{"language": "en", "consent_version": "1", "screen": {"width_px": 1, "height_px": 1, "device_pixel_ratio": 1}}'
    )
    response = stranger().post(f"/api/participate/{fielding.slug}/sessions", body, content_type="text/plain")
    assert error_code(response) == (400, "not_json")


def test_a_study_of_another_version_of_a_kind_takes_nobody(fielding: Fielding) -> None:
    study = fielding.study
    study.frozen_text = json.dumps(study.frozen | {"kinds": {"rate": 1, "compare": 2}})
    study.save(update_fields=["frozen_text"])
    forget_designs()
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    try:
        answer = post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)
    finally:
        forget_designs()
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_open")
    assert "version 1 of rate, and this platform asks version 2" in answer.json()["error"]["message"]
    assert not Session.objects.exists()


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_fielding_that_is_not_open_takes_nobody(fielding: Fielding, state: str) -> None:
    Fielding.objects.update(state=state)
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    assert error_code(post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)) == (409, "not_open")
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == state


def test_a_full_fielding_takes_nobody(fielding: Fielding) -> None:
    for _ in range(6):
        client, session = participant(fielding.slug)
        studies.watched(Trial.objects.get(session=session["id"], position=1))
        put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(session["trials"][0]))
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    assert error_code(post(stranger(), f"/api/participate/{fielding.slug}/sessions", body)) == (409, "not_open")
    assert stranger().get(f"/api/participate/{fielding.slug}").json()["state"] == "full"
    assert set(Slot.objects.values_list("state", flat=True)) == {"assigned"}


def test_a_vote_row_is_complete_in_itself(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][4]
    vote_id = str(uuid.uuid4())
    body = vote_body(trial, data={"choice": "right", "sureness": 2})
    receipt = put(client, f"/api/session/votes/{vote_id}", body).json()
    vote = Vote.objects.get()
    clip, previous = vote.trial.stimulus.clip, vote.session.trials.get(position=4)
    assert (receipt["id"], receipt["position"]) == (vote_id, 5)
    assert (str(vote.session_id), vote.study, vote.position) == (session["id"], fielding.study, 5)
    assert (vote.clip_sha256, vote.stacks) == (clip.sha256, clip.stacks)
    assert (vote.kind, vote.kind_version, vote.context) == ("compare", 2, "work")
    assert (vote.data, vote.replays, vote.answer_ms) == ({"choice": "right", "sureness": 2}, 1, 1234.5)
    assert (vote.role, vote.previous_clip_sha256) == ("main", previous.stimulus.clip.sha256)
    assert vote.trial.slot is not None
    assert studies.slot_counts()["filled"] == 1
    assert client.get("/api/session").json()["answered"] == [5]


def test_the_first_vote_has_no_clip_before_it(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    assert Vote.objects.get().previous_clip_sha256 is None


def test_a_repeated_vote_gets_the_first_receipt_whatever_it_says(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/votes/{uuid.uuid4()}"
    first = put(client, path, vote_body(session["trials"][0]))
    again = put(client, path, vote_body(session["trials"][0], data={"score": 1}))
    assert (first.status_code, again.json()) == (200, first.json())
    assert Vote.objects.get().data == {"score": 4}


def test_a_second_vote_for_a_trial_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    assert error_code(answer(client, session["trials"][0])) == (409, "already_answered")


def test_another_sessions_id_is_refused_and_tells_nothing(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/votes/{uuid.uuid4()}"
    put(client, path, vote_body(session["trials"][0]))
    other, others = participant(fielding.slug)
    response = put(other, path, vote_body(others["trials"][0]))
    assert error_code(response) == (409, "id_taken")
    assert set(response.json()["error"]["details"]) == set()
    assert Vote.objects.count() == 1


@pytest.mark.parametrize("path", ["votes/{}", "plays/{}", "person", "finish"])
def test_what_names_no_session_is_refused(fielding: Fielding, path: str) -> None:
    client, session = participant(fielding.slug)
    bodies: dict[str, Any] = {
        "votes/{}": vote_body(session["trials"][0]),
        "plays/{}": play_body(session["trials"][0]),
        "person": {"answers": {"age": "old"}},
        "finish": {"skipped": []},
    }
    client.session_id = None
    send = post if path == "finish" else put
    response = send(client, f"/api/session/{path.format(uuid.uuid4())}", bodies[path])
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "session_id"})


def test_an_answer_to_another_clip_is_refused_even_where_the_trial_has_one(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    answer(client, session["trials"][0])
    other = session["trials"][1]["clip"]["digest"]
    response = answer(client, session["trials"][0], clip_digest=other)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "clip_digest"})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"data": {"score": 8}}, "data.score"),
        ({"data": {"choice": "left", "sureness": 1}}, "data.choice"),
        ({"kind": "compare"}, "kind"),
        ({"kind_version": 1}, "kind_version"),
        ({"layout": "grid"}, "layout"),
        ({"position": 7}, "position"),
        ({"clip_digest": "0" * 64}, "clip_digest"),
        ({"session_id": "mine"}, "session_id"),
        ({"replays": -1}, "replays"),
        ({"answer_ms": -0.1}, "answer_ms"),
        ({"media_ms": "all"}, "media_ms"),
        ({"away": [{"at_ms": 1, "ms": -1}]}, "away[0].ms"),
        ({"away": [{"at_ms": 1, "ms": 1}] * 101}, "away"),
        ({"answered_at": "yesterday"}, "answered_at"),
        ({"answered_at": "2026-01-01T12:00:00"}, "answered_at"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_wrong_vote_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    client, session = participant(fielding.slug)
    response = answer(client, session["trials"][0], **changes)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    assert Vote.objects.count() == 0


@pytest.mark.parametrize("body", ['{"position": NaN}', "{", "\xff", '{"position": 1e400}'])
def test_what_is_no_json_is_said_to_be_none(fielding: Fielding, body: str) -> None:
    client, _ = participant(fielding.slug)
    data = body.encode("latin-1")
    response = client.put(f"/api/session/votes/{uuid.uuid4()}", data, content_type="application/json")
    assert error_code(response) in [(400, "not_json"), (422, "invalid")]
    assert Vote.objects.count() == 0


def test_plays_are_kept_and_a_repeat_gets_the_first_receipt(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/plays/{uuid.uuid4()}"
    first = put(client, path, play_body(session["trials"][1]))
    assert first.status_code == 200
    assert put(client, path, play_body(session["trials"][1], replay=True)).json() == first.json()
    broken = EVIDENCE | {"complete": False, "frames_presented": None, "frames_dropped": None}
    put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(session["trials"][1], replay=True, evidence=broken))
    plays = Play.objects.order_by("replay")
    assert [(play.replay, play.frames_presented, play.frames_dropped, play.trial.position) for play in plays] == [
        (False, 213, 0, 2),
        (True, None, None, 2),
    ]
    assert [play.evidence for play in plays] == [EVIDENCE, broken]


def test_a_play_without_evidence_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    silent = play_body(session["trials"][0])
    del silent["evidence"]
    for body in (silent, silent | {"evidence": None}):
        response = put(client, f"/api/session/plays/{uuid.uuid4()}", body)
        assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "evidence"})
    assert Play.objects.count() == 0


@pytest.mark.parametrize(
    "moment",
    [
        # PostgreSQL keeps each of them, and Python cannot read it back: 1 BC, and the year 10000
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "1969-12-31T23:59:59.999Z",
        "1970-01-01T00:59:59+01:00",
        "2100-01-01T00:00:00.001Z",
        "2100-01-01T00:00:00-00:01",
    ],
)
def test_a_moment_that_no_clock_shows_is_refused(fielding: Fielding, moment: str) -> None:
    client, session = participant(fielding.slug)
    trial = session["trials"][0]
    for field in ("started_at", "ended_at"):
        response = put(client, f"/api/session/plays/{uuid.uuid4()}", play_body(trial, **{field: moment}))
        assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    response = put(client, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial, answered_at=moment))
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "answered_at"})
    assert (Play.objects.count(), Vote.objects.count()) == (0, 0)


@pytest.mark.parametrize("moment", ["1970-01-01T00:00:00Z", "2099-12-31T23:59:59.999Z"])
def test_a_clock_that_is_wrong_costs_no_vote(fielding: Fielding, moment: str) -> None:
    client, session = participant(fielding.slug)
    body = play_body(session["trials"][0], started_at=moment, ended_at=moment)
    assert put(client, f"/api/session/plays/{uuid.uuid4()}", body).status_code == 200
    answer(client, session["trials"][0], answered_at=moment)
    assert Vote.objects.get().answered_at == Play.objects.get().ended_at == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": 2}, "evidence.version"),
        ({"media_ms": -1}, "evidence.media_ms"),
        ({"off_speed_ms": "much"}, "evidence.off_speed_ms"),
        ({"off_speed": None}, "evidence.off_speed"),
        ({"frames_presented": 1.5}, "evidence.frames_presented"),
        ({"stalls": [{"at_ms": 0, "ms": 1}, {"at_ms": 5, "ms": -1}]}, "evidence.stalls[1].ms"),
        ({"hidden": [{"at_ms": 0}]}, "evidence.hidden[0]"),
        ({"pauses": [{"at_ms": 0, "ms": 0}] * 101}, "evidence.pauses"),
        ({"window": {"width_px": 1440}}, "evidence.window"),
        ({"shown": {"width_px": 1, "height_px": 1, "scale": 1e400, "device_scale": 1}}, "evidence"),
        ({"wall_ms": float("nan")}, "evidence"),
        ({"user_agent": "Mozilla"}, "evidence"),
    ],
)
def test_wrong_evidence_names_its_field(fielding: Fielding, changes: dict[str, Any], field: str) -> None:
    client, session = participant(fielding.slug)
    body = play_body(session["trials"][0], evidence=EVIDENCE | changes)
    response = put(client, f"/api/session/plays/{uuid.uuid4()}", body)
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": field})
    assert Play.objects.count() == 0


def test_a_vote_tells_how_far_the_film_was_and_when_the_person_was_away(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    away = [{"at_ms": 100.5, "ms": 12_000.0}]
    answer(client, session["trials"][0], media_ms=812.5, away=away)
    answer(client, session["trials"][1], media_ms=None)
    older = vote_body(session["trials"][2])
    del older["media_ms"], older["away"]
    put(client, f"/api/session/votes/{uuid.uuid4()}", older)
    votes = Vote.objects.order_by("position")
    assert [(vote.media_ms, vote.away) for vote in votes] == [(812.5, away), (None, []), (None, None)]


def test_a_trial_tells_when_it_may_be_answered_and_the_speed_of_its_film(fielding: Fielding) -> None:
    _, session = participant(fielding.slug)
    assert {trial["answer_from"] for trial in session["trials"]} == {"end"}
    assert {trial["clip"]["frame_rate"] for trial in session["trials"]} == {10.0}
    trials = [{"kind": "rate", "count": 4, "answer_from": "start"}, {"kind": "compare", "count": 2}]
    other = studies.study(name="from-start", trials=trials).fieldings.get()
    _, session = participant(other.slug)
    assert [trial["answer_from"] for trial in session["trials"]] == ["start"] * 4 + ["end"] * 2


def test_another_sessions_play_is_refused(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    path = f"/api/session/plays/{uuid.uuid4()}"
    put(client, path, play_body(session["trials"][0]))
    other, others = participant(fielding.slug)
    assert error_code(put(other, path, play_body(others["trials"][0]))) == (409, "id_taken")


def test_answers_about_the_person_stay_once_the_session_is_complete(fielding: Fielding) -> None:
    browser, session = participant(fielding.slug)
    path = "/api/session/person"
    for age in ("young", "old"):
        assert put(browser, path, {"answers": {"age": age}}).status_code == 204
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    post(browser, "/api/session/finish", {"skipped": []})
    late = put(browser, path, {"answers": {"age": "young"}})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "completed")
    assert late.json()["error"]["message"] == "The session is complete; the answers about you can no longer change."
    assert PersonAnswers.objects.get().answers == {"age": "old"}


def test_answers_about_the_person_are_checked_against_the_study(fielding: Fielding) -> None:
    client, _ = participant(studies.study(questions=[studies.AGE]).fieldings.get().slug)
    path = "/api/session/person"
    wrong = [{}, {"age": "ancient"}, {"age": "old", "shoe": "42"}]
    fields = [put(client, path, {"answers": answers}).json()["error"]["details"]["field"] for answers in wrong]
    assert fields == ["answers.age", "answers.age", "answers"]
    assert put(client, path, {"answers": {"age": "old"}}).status_code == 204
    assert client.get("/api/session").json()["person_answered"] is True


def test_the_code_comes_once_every_vote_is_there(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    for trial in session["trials"][:-1]:
        answer(client, trial)
    early = post(client, "/api/session/finish", {"skipped": []})
    assert error_code(early) == (409, "votes_missing")
    assert early.json()["error"]["details"] == {"positions": [6]}
    answer(client, session["trials"][-1])
    code = post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    assert len(code) == 10
    assert post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"] == code
    assert client.get("/api/session").json()["state"] == "completed"


def test_the_code_comes_once_every_required_question_about_the_person_has_an_answer(fielding: Fielding) -> None:
    questions = [studies.AGE, studies.AGE | {"key": "glasses"}, studies.AGE | {"key": "job", "required": False}]
    client, session = participant(studies.study(questions=questions).fieldings.get().slug)
    for trial in session["trials"]:
        answer(client, trial)
    early = post(client, "/api/session/finish", {"skipped": []})
    assert error_code(early) == (409, "person_missing")
    assert early.json()["error"]["details"] == {"keys": ["age", "glasses"]}
    assert early.json()["error"]["message"] == (
        "The questions about the person age, glasses have no answer yet; ask them, then finish."
    )
    # whoever comes back is asked, and not told of an end
    told = client.get("/api/session").json()
    assert (told["state"], told["person_answered"], len(told["answered"])) == ("started", False, 6)
    put(client, "/api/session/person", {"answers": {"age": "old", "glasses": "old"}})
    code = post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"]
    assert len(code) == 10
    # of a session that was complete before this was asked for
    PersonAnswers.objects.all().delete()
    assert post(client, "/api/session/finish", {"skipped": []}).json()["completion_code"] == code


def test_comparisons_may_be_skipped_and_their_slots_go_to_others(fielding: Fielding) -> None:
    client, session = participant(fielding.slug)
    for trial in session["trials"][:4]:
        answer(client, trial)
    assert error_code(post(client, "/api/session/finish", {"skipped": [1, 5, 6]})) == (422, "invalid")
    assert error_code(post(client, "/api/session/finish", {"skipped": [5]})) == (409, "votes_missing")
    assert "completion_code" in post(client, "/api/session/finish", {"skipped": [5, 6]}).json()
    counts = studies.slot_counts()
    assert (counts["filled"], counts["assigned"]) == (4, 0)
    assert error_code(answer(client, session["trials"][5])) == (409, "skipped")


def test_an_invitation_tells_the_room_of_each_block_and_what_is_left_out_without_it(fielding: Fielding) -> None:
    trials = [
        {"kind": "rate", "count": 4, "training": 1, "min_scale": 0.4},
        {"kind": "compare", "count": 2, "min_width_px": 800, "min_device_scale": 0.9},
    ]
    study = studies.study(trials=trials)
    told = stranger().get(f"/api/participate/{study.fieldings.get().slug}").json()
    _, session = participant(study.fieldings.get().slug)

    def largest(kind: str) -> dict[str, int]:
        clips = [trial["clip"] for trial in session["trials"] if trial["kind"] == kind]
        return {name: max(clip[name] for clip in clips) for name in ("width_px", "height_px")}

    rate = {"min_width_px": 0, "min_scale": 0.4, "min_device_scale": 0.48, "skippable": False, "trials": 5}
    compare = {"min_width_px": 800, "min_scale": 0.48, "min_device_scale": 0.9, "skippable": True, "trials": 2}
    assert told["room"] == [
        {"kind": "rate", "clip": largest("rate"), "trial_s": 8.5} | rate,
        {"kind": "compare", "clip": largest("compare"), "trial_s": 8.5} | compare,
    ]
    assert session["study"]["room"] == told["room"]


def test_control_videos_count_with_the_block_that_alone_has_them(db: None) -> None:
    clips.control_clips(studies.visible_batch())
    trials = [{"kind": "rate", "count": 3}, {"kind": "compare", "count": 2}]
    study = studies.study(trials=trials, controls={"videos": {"count": 1}})
    assert [(room.kind, room.trials) for room in rooms(study)] == [("rate", 3 + 1), ("compare", 2)]


def test_a_study_may_let_nobody_begin_without_room_and_nobody_skip(fielding: Fielding) -> None:
    whole = studies.study(session={"narrow_window": "refuse"}).fieldings.get()
    told = stranger().get(f"/api/participate/{whole.slug}").json()
    client, session = participant(whole.slug)
    assert (told["narrow_window"], session["study"]["narrow_window"]) == ("refuse", "refuse")
    assert [room["skippable"] for room in told["room"]] == [False, False]
    for trial in session["trials"][:4]:
        answer(client, trial)
    refused = post(client, "/api/session/finish", {"skipped": [5, 6]})
    assert (refused.status_code, refused.json()["error"]["details"]) == (422, {"field": "skipped"})
    for trial in session["trials"][4:]:
        answer(client, trial)
    assert "completion_code" in post(client, "/api/session/finish", {"skipped": []}).json()


def test_a_rating_may_not_be_skipped(fielding: Fielding) -> None:
    client, _ = participant(fielding.slug)
    response = post(client, "/api/session/finish", {"skipped": [1, 2, 3, 4, 5, 6]})
    assert (response.status_code, response.json()["error"]["details"]) == (422, {"field": "skipped"})


def test_a_trial_takes_so_many_plays_and_no_more(fielding: Fielding, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratings.plays.MAX_PLAYS", 2)
    client, session = participant(fielding.slug)
    first, second = session["trials"][:2]
    ids = [uuid.uuid4() for _ in range(3)]
    told = [put(client, f"/api/session/plays/{play_id}", play_body(first)) for play_id in ids]
    assert [one.status_code for one in told] == [200, 200, 409]
    error = told[2].json()["error"]
    assert error["code"] == "too_many_plays"
    assert error["message"] == "Trial 1 already has 2 plays; further plays are not stored."
    # a repeat still gets its receipt, another trial has room of its own, and the vote is taken
    assert put(client, f"/api/session/plays/{ids[0]}", play_body(first)).json() == told[0].json()
    assert put(client, f"/api/session/plays/{ids[2]}", play_body(second)).status_code == 200
    assert answer(client, first).status_code == 200
