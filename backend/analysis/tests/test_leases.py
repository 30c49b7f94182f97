"""One worker at a time, no call forgotten, and a dead worker is replaced when its lease has run out."""

from datetime import UTC, datetime, timedelta

import pytest

from analysis import leases
from analysis.models import AnalysisState, Result, Snapshot
from testing.votes import Field

pytestmark = [pytest.mark.services, pytest.mark.django_db]

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def study() -> str:
    return Field().study.sha256


def result_of(study: str) -> Result:
    snapshot = Snapshot.objects.create(
        sha256="a" * 64, study_id=study, manifest_text="{}", votes=3, sessions=2, exclusions=1, session_ids=[]
    )
    return Result.objects.create(snapshot=snapshot, method_version=1)


def claimed(study: str, now: datetime = NOW) -> leases.Lease:
    lease = leases.claim(study, now)
    assert lease is not None
    return lease


def test_nothing_is_claimed_that_nobody_asked_for(study: str) -> None:
    assert leases.claim(study, NOW) is None
    leases.ask(study)
    assert claimed(study).wanted == 1


def test_many_calls_are_one_turn(study: str) -> None:
    for _ in range(5):
        leases.ask(study)
    assert claimed(study).wanted == 5
    assert leases.claim(study, NOW) is None


def test_a_call_during_a_run_leads_to_another_run_after_the_pause(study: str) -> None:
    leases.ask(study)
    lease = claimed(study)
    leases.ask(study)
    leases.finish(lease, result_of(study), NOW)
    assert leases.claim(study, NOW + leases.PAUSE - SECOND) is None
    assert claimed(study, NOW + leases.PAUSE).wanted == 2


def test_a_long_run_is_followed_by_a_longer_pause(study: str) -> None:
    leases.ask(study)
    lease = claimed(study)
    leases.ask(study)
    leases.finish(lease, result_of(study), NOW + 10 * SECOND)
    assert leases.claim(study, NOW + 99 * SECOND) is None
    assert leases.claim(study, NOW + 100 * SECOND) is not None


def test_after_a_run_without_new_calls_there_is_nothing_to_do(study: str) -> None:
    leases.ask(study)
    result = result_of(study)
    leases.finish(claimed(study), result, NOW)
    assert leases.claim(study, NOW + timedelta(days=1)) is None
    state = AnalysisState.objects.get()
    assert (state.result, state.votes_read, state.exclusions_read, state.lease_until) == (result, 3, 1, None)


def test_a_dead_workers_turn_is_free_when_its_lease_has_run_out(study: str) -> None:
    leases.ask(study)
    dead = claimed(study)
    assert leases.claim(study, NOW + leases.LEASE - SECOND) is None
    alive = claimed(study, NOW + leases.LEASE)
    assert alive.id != dead.id


def test_who_lost_the_lease_can_neither_keep_nor_finish(study: str) -> None:
    leases.ask(study)
    slow = claimed(study)
    later = NOW + leases.LEASE
    quick = claimed(study, later)
    with pytest.raises(leases.LostLeaseError):
        leases.keep(slow, later)
    with pytest.raises(leases.LostLeaseError):
        leases.finish(slow, result_of(study), later)
    leases.give_up(slow, later)
    assert AnalysisState.objects.get().lease_id == quick.id


def test_a_kept_lease_lasts_longer(study: str) -> None:
    leases.ask(study)
    leases.keep(claimed(study), NOW + 30 * SECOND)
    assert leases.claim(study, NOW + leases.LEASE + 29 * SECOND) is None
    assert leases.claim(study, NOW + leases.LEASE + 30 * SECOND) is not None


def test_after_a_failure_the_work_stays_wanted(study: str) -> None:
    leases.ask(study)
    leases.give_up(claimed(study), NOW)
    assert leases.claim(study, NOW + leases.PAUSE_AFTER_FAILURE - SECOND) is None
    assert claimed(study, NOW + leases.PAUSE_AFTER_FAILURE).wanted == 1


def test_the_end_of_a_pause_is_booked_once(study: str) -> None:
    leases.ask(study)
    leases.finish(claimed(study), result_of(study), NOW)
    assert leases.book(study, NOW) is None
    leases.ask(study)
    assert leases.book(study, NOW + SECOND) == NOW + leases.PAUSE
    leases.ask(study)
    assert leases.book(study, NOW + SECOND) is None
    # the message was lost: somebody may book again
    assert leases.book(study, NOW + leases.PAUSE) is None
    assert claimed(study, NOW + leases.PAUSE).wanted == 3


def test_ask_unless_wanted_calls_once(study: str) -> None:
    leases.ask_unless_wanted(study)
    leases.ask_unless_wanted(study)
    assert AnalysisState.objects.get().wanted == 1
