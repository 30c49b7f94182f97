"""Simulated sessions rate what people would rate, and leave the quota to people."""

from collections import Counter
from datetime import timedelta

import batches
import pytest
from django.utils import timezone

from conformance.exclusions import exclusions_of
from conformance.verdicts import judge_session
from lib.problems import Problem
from ratings import completion, sessions
from ratings.models import Exclusion, Origin, Session, Trial
from studies.lifecycle import effective_state
from studies.models import Assignment, Fielding, Slot
from testing import studies
from testing.people import COUNTED_ONLY

pytestmark = [pytest.mark.django_db, pytest.mark.services]
QUOTA = 3


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch(batches.folder(sites=("alpha", "beta", "gamma")))
    study = studies.study(
        trials=[{"kind": "rate", "count": 4, "training": 1, "repeats": 1}, {"kind": "compare", "count": 2}],
        quota={"sessions": QUOTA},
        conformance=COUNTED_ONLY,
    )
    return study.fieldings.get()


def simulated(fielding: Fielding) -> Session:
    arrival = sessions.Arrival(origin=Origin.SIMULATED)
    begun, _ = sessions.start(
        sessions.fielding_of(fielding.slug), language="en", consent_version="1", screen=studies.SCREEN, arrival=arrival
    )
    return begun


def plan(session: Session) -> list[tuple[int, str, int | None]]:
    return list(session.trials.values_list("stimulus_id", "role", "repeats_position"))


def complete(session: Session) -> Session:
    for trial in session.trials.all():
        studies.vote(trial)
    completion.finish(session, skipped=[])
    judge_session(session.pk)
    return Session.objects.get(pk=session.pk)


def test_they_have_the_plans_of_people_with_the_same_numbers(fielding: Fielding) -> None:
    programs = [simulated(fielding) for _ in range(QUOTA)]
    people = [studies.start(fielding)[0] for _ in range(QUOTA)]
    assert [session.number for session in programs] == [session.number for session in people] == [1, 2, 3]
    assert [plan(session) for session in programs] == [plan(session) for session in people]


def test_they_begin_again_with_the_first_assignment_in_an_order_of_its_own(fielding: Fielding) -> None:
    rounds = [[simulated(fielding) for _ in range(QUOTA)] for _ in range(2)]
    assert [session.number for session in rounds[1]] == [5, 6, 7]
    for first, second in zip(*rounds, strict=True):
        assert Counter(stimulus for stimulus, role, _ in plan(first) if role == "main") == Counter(
            stimulus for stimulus, role, _ in plan(second) if role == "main"
        )
    assert plan(rounds[0][0]) != plan(rounds[1][0])


def test_they_take_no_slot_at_any_time_and_are_used_all_the_same(fielding: Fielding) -> None:
    done = complete(simulated(fielding))
    assert not Trial.objects.filter(slot__isnull=False).exists()
    assert not Slot.objects.exclude(state="open").exists()
    assert not Assignment.objects.filter(is_free=False).exists()
    assert exclusions_of(fielding.study_id) == []
    verdict = done.verdicts.get()
    assert (verdict.accepted, verdict.used) == (True, True)


def test_a_quota_that_people_fill_is_no_limit_to_them(fielding: Fielding) -> None:
    for _ in range(QUOTA):
        complete(studies.start(fielding)[0])
    assert effective_state(fielding) == "full"
    with pytest.raises(Problem, match="accepts no participants"):
        studies.start(fielding)
    simulated(fielding)


def test_slots_that_a_person_gives_back_never_go_to_them(fielding: Fielding) -> None:
    person = studies.start(fielding)[0]
    complete(simulated(fielding))
    Session.objects.filter(pk=person.pk).update(lease_until=timezone.now() - timedelta(hours=1))
    sessions.release_abandoned()
    assert not Trial.objects.filter(session__origin=Origin.SIMULATED, slot__isnull=False).exists()
    assert not Slot.objects.exclude(state="open").exists()


def test_a_program_that_starts_again_is_left_out(fielding: Fielding) -> None:
    first = simulated(fielding)
    for trial in first.trials.all():
        studies.vote(trial)
    arrival = sessions.Arrival(origin=Origin.SIMULATED, participant=first.participant)
    for _ in range(QUOTA):
        begun, _ = sessions.start(
            sessions.fielding_of(fielding.slug),
            language="en",
            consent_version="1",
            screen=studies.SCREEN,
            arrival=arrival,
        )
    assert begun.number == 5
    assert Exclusion.objects.get(session=begun).rule == "seen_before"
