"""Whoever comes back: the study's policy decides, and nothing that was answered is lost."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import digest_of
from eyelevel_core.study.design import SessionPolicy
from ratings import resume
from ratings.models import Exclusion, Session, SessionState, Vote
from ratings.resume import Comeback
from studies.models import Fielding, Slot
from testing import studies
from testing.web import SCREEN, Browser, participant, play_body, post, put, vote_body

BODY = {"language": "en", "consent_version": "1", "screen": SCREEN}
STARTED, COMPLETED = SessionState.STARTED, SessionState.COMPLETED


def test_the_policy_decides_for_whoever_has_seen_a_video() -> None:
    def decided(policy: Any, *, state: SessionState = STARTED, seen: bool = True, minutes_ago: float) -> Comeback:
        session_policy = SessionPolicy(policy, 60, lease_minutes=30, time_limit_minutes=60, narrow_window="skip")
        last_sign_at = studies.NOON - timedelta(minutes=minutes_ago)
        return resume.decide(session_policy, state=state, seen=seen, last_sign_at=last_sign_at, now=studies.NOON)

    rows = {
        (policy, minutes_ago): decided(policy, minutes_ago=minutes_ago).value
        for policy in ("resume", "restart", "block")
        for minutes_ago in (0, 60, 60.1)
    }
    assert rows == {
        ("resume", 0): "resume",
        ("resume", 60): "resume",
        ("resume", 60.1): "restart",
        ("restart", 0): "restart",
        ("restart", 60): "restart",
        ("restart", 60.1): "restart",
        ("block", 0): "block",
        ("block", 60): "block",
        ("block", 60.1): "block",
    }
    # who has seen nothing loses nothing, and who is done finds the code
    for policy in ("resume", "restart", "block"):
        assert decided(policy, seen=False, minutes_ago=59) == Comeback.RESUME
        assert decided(policy, seen=False, minutes_ago=61) == Comeback.RESTART
        assert decided(policy, state=COMPLETED, minutes_ago=9999) == Comeback.RESUME
        assert decided(policy, state=SessionState.RESTARTED, minutes_ago=0) == Comeback.RESTART


@pytest.mark.services
@pytest.mark.django_db
class TestComingBack:
    def begin(self, policy: str, **session: Any) -> tuple[Fielding, Browser, dict[str, Any]]:
        """Someone who has begun, played the first video and answered it."""
        studies.visible_batch()
        fielding = studies.study(session={"resume": policy} | session).fieldings.get()
        browser, begun = participant(fielding.slug)
        first = begun["trials"][0]
        assert put(browser, f"/api/session/plays/{uuid.uuid4()}", play_body(first)).status_code == 200
        assert put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(first)).status_code == 200
        return fielding, browser, begun

    def come_back(self, fielding: Fielding, browser: Browser) -> tuple[dict[str, Any], Any]:
        """What the page is told, and what pressing Begin gives."""
        shown = browser.get(f"/api/session?slug={fielding.slug}").json()
        return shown, post(browser, f"/api/participate/{fielding.slug}/sessions", BODY)

    def test_resume_goes_on_where_it_was(self) -> None:
        fielding, browser, begun = self.begin("resume")
        shown, again = self.come_back(fielding, browser)
        assert (shown["comeback"], shown["id"], shown["answered"]) == ("resume", begun["id"], [1])
        assert shown["trials"] == begun["trials"]
        assert (again.status_code, again.json()["id"]) == (200, begun["id"])
        assert Session.objects.count() == 1

    def test_resume_that_comes_too_late_begins_anew(self) -> None:
        self.begin("resume", resume_within_minutes=60)
        session = Session.objects.get()
        assert resume.comeback(session, now=timezone.now() + timedelta(minutes=59)) == Comeback.RESUME
        assert resume.comeback(session, now=timezone.now() + timedelta(minutes=61)) == Comeback.RESTART

    def test_restart_begins_anew_and_leaves_the_old_votes_out(self) -> None:
        fielding, browser, begun = self.begin("restart")
        shown, again = self.come_back(fielding, browser)
        assert (shown["comeback"], shown["id"], shown["trials"]) == ("restart", begun["id"], [])
        assert (again.status_code, again.json()["id"] != begun["id"], again.json()["answered"]) == (201, True, [])
        old, new = Session.objects.get(pk=begun["id"]), Session.objects.get(pk=again.json()["id"])
        assert (old.state, new.state) == ("restarted", "started")
        assert old.participant == new.participant
        # the vote stays, is left out, and is wanted anew
        assert Vote.objects.get().session == old
        assert Exclusion.objects.get().rule == "restarted"
        assert Slot.objects.filter(trial__session=old).count() == 0
        assert studies.slot_counts() == {"open": 30, "assigned": 6, "filled": 0}

    def test_nothing_is_closed_where_no_new_session_can_begin(self) -> None:
        fielding, browser, _ = self.begin("restart")
        Fielding.objects.update(state="paused")
        _, again = self.come_back(fielding, browser)
        assert (again.status_code, again.json()["error"]["code"]) == (409, "not_open")
        assert Session.objects.get().state == "started"
        assert Exclusion.objects.count() == 0

    def test_block_says_so_and_still_takes_what_waits_in_the_browser(self) -> None:
        fielding, browser, begun = self.begin("block")
        shown, again = self.come_back(fielding, browser)
        assert (shown["comeback"], shown["trials"]) == ("block", [])
        assert (again.status_code, again.json()["error"]["code"]) == (409, "already_begun")
        late = put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][1]))
        assert late.status_code == 200

    @pytest.mark.parametrize("policy", ["resume", "restart", "block"])
    def test_people_can_be_told_before_they_leave(self, policy: str) -> None:
        fielding, _, begun = self.begin(policy)
        invitation = Browser().get(f"/api/participate/{fielding.slug}").json()
        assert (invitation["resume"], begun["study"]["resume"]) == (policy, policy)

    @pytest.mark.parametrize("policy", ["resume", "restart", "block"])
    def test_a_page_in_the_middle_of_its_session_is_no_comeback(self, policy: str) -> None:
        fielding, browser, begun = self.begin(policy)
        shown = browser.get(f"/api/session?slug={fielding.slug}&session_id={begun['id']}").json()
        assert (shown["comeback"], shown["answered"], len(shown["trials"])) == ("resume", [1], 6)

    def test_a_closed_session_has_no_end_but_keeps_what_comes_late(self) -> None:
        _, browser, begun = self.begin("restart")
        session = Session.objects.get()
        resume.close(session)
        resume.close(session)
        assert put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][1])).status_code == 200
        response = post(browser, "/api/session/finish", {"skipped": []})
        assert (response.status_code, response.json()["error"]["code"]) == (409, "restarted")
        assert Exclusion.objects.count() == 1

    def test_a_session_handed_over_is_another_browsers_too(self) -> None:
        fielding, browser, begun = self.begin("resume")
        session = Session.objects.get()
        seen = []
        for token in ("first", "second"):
            resume.hand_over(session, token, to_owner=False)
        for token in ("first", "second"):
            elsewhere = Browser()
            elsewhere.cookies[f"eyelevel_session_{fielding.slug}"] = token
            seen.append(elsewhere.get(f"/api/session?slug={fielding.slug}").status_code)
        # one other browser at a time, beside the first
        assert seen == [204, 200]
        assert browser.get(f"/api/session?slug={fielding.slug}").json()["id"] == begun["id"]
        resume.hand_over(session, "whole", to_owner=True)
        assert Session.objects.get().token_sha256 == digest_of("whole")
        assert browser.get(f"/api/session?slug={fielding.slug}").json()["id"] == begun["id"]
