"""One worker at a time, no call forgotten, and a dead worker is replaced when its lease has run out."""

from datetime import UTC, datetime, timedelta

import pytest

from analysis.computing import turns
from analysis.models import AnalysisState, Result, Snapshot
from lib import leases
from lib.leases import LostLeaseError
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


def claimed(study: str, now: datetime = NOW) -> turns.Turn:
    turn = turns.claim(study, now)
    assert turn is not None
    return turn


def test_nothing_is_claimed_that_nobody_asked_for(study: str) -> None:
    assert turns.claim(study, NOW) is None
    turns.ask(study)
    assert claimed(study).wanted == 1


def test_many_calls_are_one_turn(study: str) -> None:
    for _ in range(5):
        turns.ask(study)
    assert claimed(study).wanted == 5
    assert turns.claim(study, NOW) is None


def test_a_call_during_a_run_leads_to_another_run_after_the_pause(study: str) -> None:
    turns.ask(study)
    turn = claimed(study)
    turns.ask(study)
    turns.finish(turn, result_of(study), NOW)
    assert turns.claim(study, NOW + turns.PAUSE - SECOND) is None
    assert claimed(study, NOW + turns.PAUSE).wanted == 2


def test_a_long_run_is_followed_by_a_longer_pause(study: str) -> None:
    turns.ask(study)
    turn = claimed(study)
    turns.ask(study)
    turns.finish(turn, result_of(study), NOW + 10 * SECOND)
    assert turns.claim(study, NOW + 99 * SECOND) is None
    assert turns.claim(study, NOW + 100 * SECOND) is not None


def test_after_a_run_without_new_calls_there_is_nothing_to_do(study: str) -> None:
    turns.ask(study)
    result = result_of(study)
    turns.finish(claimed(study), result, NOW)
    assert turns.claim(study, NOW + timedelta(days=1)) is None
    state = AnalysisState.objects.get()
    assert (state.result, state.votes_read, state.exclusions_read, state.lease_until) == (result, 3, 1, None)


def test_a_dead_workers_turn_is_free_when_its_lease_has_run_out(study: str) -> None:
    turns.ask(study)
    dead = claimed(study)
    assert turns.claim(study, NOW + leases.LEASE - SECOND) is None
    alive = claimed(study, NOW + leases.LEASE)
    assert alive.lease.id != dead.lease.id


def test_who_lost_the_lease_can_neither_keep_nor_finish(study: str) -> None:
    turns.ask(study)
    slow = claimed(study)
    later = NOW + leases.LEASE
    quick = claimed(study, later)
    with pytest.raises(LostLeaseError):
        slow.lease.keep(later)
    with pytest.raises(LostLeaseError):
        turns.finish(slow, result_of(study), later)
    turns.give_up(slow, later)
    assert AnalysisState.objects.get().lease_id == quick.lease.id


def test_a_kept_lease_lasts_longer(study: str) -> None:
    turns.ask(study)
    claimed(study).lease.keep(NOW + 30 * SECOND)
    assert turns.claim(study, NOW + leases.LEASE + 29 * SECOND) is None
    assert turns.claim(study, NOW + leases.LEASE + 30 * SECOND) is not None


def test_after_a_failure_the_work_stays_wanted(study: str) -> None:
    turns.ask(study)
    turns.give_up(claimed(study), NOW)
    assert turns.claim(study, NOW + turns.PAUSE_AFTER_FAILURE - SECOND) is None
    assert claimed(study, NOW + turns.PAUSE_AFTER_FAILURE).wanted == 1


def test_ask_unless_wanted_calls_once(study: str) -> None:
    turns.ask_unless_wanted(study)
    turns.ask_unless_wanted(study)
    assert AnalysisState.objects.get().wanted == 1
