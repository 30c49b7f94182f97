"""Recruiter's ids go when the studies' promises say so, and cookies when their life is over."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from privacy import retention
from privacy.models import FailedCode
from privacy.retention import deadline, months_after
from ratings.cookies import lifetime_s
from ratings.models import Recruitment, Session, Vote
from studies.models import Fielding
from testing import studies, withdrawing
from testing.web import participant

DAY = datetime(2026, 1, 31, 12, tzinfo=UTC)
RETENTION = {"months": 6, "text": {"en": "Six months.", "de": "Sechs Monate."}}


@pytest.mark.parametrize(
    ("months", "expected"), [(1, "2026-02-28"), (2, "2026-03-31"), (11, "2026-12-31"), (25, "2028-02-29")]
)
def test_months_end_on_the_same_day_or_the_last_one(months: int, expected: str) -> None:
    assert f"{months_after(DAY, months):%F}" == expected


def test_the_latest_promise_counts_and_without_one_nothing_is_due() -> None:
    later = datetime(2026, 3, 1, tzinfo=UTC)
    assert deadline([("a", DAY), ("b", later)], {"a": 6, "b": 1}) == months_after(DAY, 6)
    assert deadline([("a", DAY), ("b", later)], {"a": 6, "b": None}) is None
    assert deadline([], {}) is None


def recruited(days_ago: int, **design: object) -> Session:
    return recruited_by(withdrawing.fielding(**design), days_ago)


def recruited_by(field: Fielding, days_ago: int) -> Session:
    session = withdrawing.leaver(field)
    Session.objects.filter(pk=session.pk).update(started_at=timezone.now() - timedelta(days=days_ago))
    return session


@pytest.mark.django_db
@pytest.mark.services
def test_what_is_past_its_retention_is_told_first_and_deleted_when_asked() -> None:
    recruited(200, retention=RETENTION)
    output = io.StringIO()
    call_command("apply_retention", stdout=output)
    assert "1 recruiter ids past their retention: due; delete with --delete." in output.getvalue()
    assert Recruitment.objects.count() == 1
    call_command("apply_retention", "--delete", stdout=output)
    assert "1 recruiter ids past their retention: deleted." in output.getvalue()
    assert (Recruitment.objects.count(), Vote.objects.count()) == (0, 1)


@pytest.mark.django_db
@pytest.mark.services
def test_what_is_not_due_stays() -> None:
    session = recruited(100, retention=RETENTION)
    now = timezone.now()
    applied = retention.apply(now)
    session.refresh_from_db()
    assert session.started_at is not None
    assert (applied.recruitments, applied.next_at) == ([], months_after(session.started_at, 6))
    assert Recruitment.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.services
def test_wrong_codes_go_once_they_count_no_more() -> None:
    now = timezone.now()
    for seconds in (0, 599, 601, 4000):
        FailedCode.objects.create(failed_at=now - timedelta(seconds=seconds))
    output = io.StringIO()
    call_command("apply_retention", stdout=output)
    assert "2 failed completion codes older than ten minutes: due; delete with --delete." in output.getvalue()
    assert FailedCode.objects.count() == 4
    assert retention.apply(now).failed_codes == 2
    assert {now - code.failed_at for code in FailedCode.objects.all()} == {timedelta(0), timedelta(seconds=599)}


@pytest.mark.django_db
@pytest.mark.services
def test_what_one_study_promises_for_ages_keeps_no_other_study_waiting() -> None:
    """The longest times that the contract allows."""
    overdue = recruited(200, retention=RETENTION)
    longest: dict[str, Any] = {"retention": RETENTION | {"months": 1200}, "session": {"resume_within_minutes": 525_600}}
    ages = studies.study(name="ages", **longest)
    session, _ = studies.start(ages.fieldings.get())
    Recruitment.objects.create(participant=session.participant, study=ages, recruiter="panel", recruiter_id="w-2")
    silent = timezone.now() - timedelta(days=8)
    Session.objects.filter(pk=overdue.pk).update(lease_until=silent)
    applied = retention.apply(timezone.now())
    session.refresh_from_db()
    assert session.started_at is not None
    # a hundred years
    assert (len(applied.recruitments), applied.next_at) == (1, months_after(session.started_at, 1200))
    assert (applied.cookies, Recruitment.objects.get().study_id) == (1, ages.pk)
    assert lifetime_s(ages) == 365 * 24 * 3600
    # and the study takes people, who come back to it
    browser, begun = participant(ages.fieldings.get().slug)
    assert browser.get("/api/session").json()["comeback"] == "resume"
    assert begun["study"]["retention"]["months"] == 1200


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_without_retention_is_named() -> None:
    recruited(4000)
    output = io.StringIO()
    call_command("apply_retention", "--delete", stdout=output)
    assert "1 recruiter ids are kept, because their study states no retention." in output.getvalue()
    assert Recruitment.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.services
def test_the_cookie_of_a_complete_session_dies_on_the_server_too() -> None:
    field = withdrawing.fielding()
    (done, _), (young, _), (open_, _) = (studies.start(field) for _ in range(3))
    now = timezone.now()
    Session.objects.filter(pk=done.pk).update(state="completed", completed_at=now - timedelta(hours=25))
    Session.objects.filter(pk=young.pk).update(state="completed", completed_at=now - timedelta(hours=23))
    assert retention.apply(now).cookies == 1
    with_token = Session.objects.filter(token_sha256__isnull=False).values_list("pk", flat=True)
    assert set(with_token) == {young.pk, open_.pk}


@pytest.mark.django_db
@pytest.mark.services
@pytest.mark.parametrize(
    ("days", "within_days", "state", "stays"),
    [
        (6.9, 7, "started", True),
        (7.1, 7, "started", False),
        (7.1, 7, "restarted", False),
        # a cookie lives seven days, however short a time the study takes people back
        (6.9, 1, "started", True),
        (7.1, 1, "started", False),
        (9.9, 10, "started", True),
        (10.1, 10, "started", False),
    ],
)
def test_the_cookie_of_a_session_that_was_given_up_dies_once_nobody_may_go_on(
    days: float, within_days: int, state: str, stays: bool
) -> None:
    session, _ = studies.start(withdrawing.fielding(session={"resume_within_minutes": within_days * 24 * 60}))
    now = timezone.now()
    silent = {"state": state, "lease_until": now - timedelta(days=days)}
    Session.objects.filter(pk=session.pk).update(other_token_sha256="f" * 64, **silent)
    assert retention.due(now).cookies == (not stays)
    assert retention.apply(now).cookies == (not stays)
    tokens = Session.objects.values_list("token_sha256", "other_token_sha256").get()
    assert [token is not None for token in tokens] == [stays, stays]


def another(**design: Any) -> Fielding:
    return studies.study(**design).fieldings.get()


@pytest.mark.django_db
@pytest.mark.services
def test_a_study_that_cannot_be_read_stops_no_other_and_is_named() -> None:
    recruited(200, retention=RETENTION)
    broken = recruited_by(another(retention=RETENTION, seed=8), 200).fielding.study
    studies.refreeze(broken, trials=[{"kind": "of-yesterday", "count": 1}])
    output = io.StringIO()
    call_command("apply_retention", "--delete", stdout=output)
    assert "1 recruiter ids past their retention: deleted." in output.getvalue()
    assert (
        f"Study {broken.pk} cannot be read, so its recruiter ids and the cookies of unfinished sessions are kept."
        in output.getvalue()
    )
    assert Recruitment.objects.count() == 1
