"""Slots of abandoned sessions are assigned to others; a late session counts if an assignment is free."""

from datetime import timedelta

import pytest
from django.utils import timezone

from ratings import completion, sessions
from ratings import slots as quota_slots
from ratings.models import Exclusion, Session, Vote
from ratings.slots import reopen_slots
from studies.models import Fielding, Slot
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fielding(db: None) -> Fielding:
    studies.visible_batch()
    return studies.study().fieldings.get()


def slots(state: str) -> int:
    return studies.slot_counts()[state]


def held(session: Session) -> int:
    return session.trials.filter(slot__isnull=False).count()


def end_lease(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def finish(session: Session) -> None:
    for trial in session.trials.filter(vote=None):
        studies.vote(trial)
    completion.finish(session, skipped=[])


def take_all_assignments(fielding: Fielding) -> list[Session]:
    """Sessions on every assignment, so that none is left that is like another's."""
    return [studies.start(fielding)[0] for _ in range(6)]


def stimuli(session: Session) -> set[int]:
    return set(session.trials.values_list("stimulus_id", flat=True))


def test_all_slots_of_an_ended_lease_open_again_since_half_a_session_is_not_used(fielding: Fielding) -> None:
    ended, _ = studies.start(fielding)
    running, _ = studies.start(fielding)
    studies.vote(ended.trials.get(position=1))
    end_lease(ended)
    assert sessions.release_abandoned() == 1
    assert (slots("assigned"), slots("filled")) == (6, 0)
    assert (held(ended), held(running)) == (0, 6)
    assert sessions.release_abandoned() == 0


def test_an_assignment_that_was_given_up_goes_to_the_next_as_a_whole(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(3)]
    end_lease(begun[1])
    sessions.release_abandoned()
    assert stimuli(studies.start(fielding)[0]) == stimuli(begun[1])


def test_the_lease_is_the_studys_and_a_vote_renews_it(db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(session={"lease_minutes": 7}).fieldings.get()
    session, _ = studies.start(fielding)
    end_lease(session)
    before = timezone.now()
    studies.vote(studies.watched(session.trials.get(position=1)))
    session.refresh_from_db()
    assert session.lease_until is not None
    assert before <= session.lease_until - timedelta(minutes=7) <= timezone.now()
    assert sessions.release_abandoned() == 0


def test_who_comes_back_gets_the_assignment_again_where_nobody_has_it(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    studies.vote(session.trials.get(position=1))
    end_lease(session)
    sessions.release_abandoned()
    studies.vote(session.trials.get(position=2))
    assert (held(session), slots("filled"), slots("assigned")) == (6, 2, 4)


def test_a_late_vote_is_kept_where_somebody_has_the_assignment(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    end_lease(session)
    sessions.release_abandoned()
    others = take_all_assignments(fielding)
    finish(session)
    assert (Vote.objects.count(), slots("filled"), held(session)) == (6, 0, 0)
    assert [held(other) for other in others] == [6] * 6


def test_a_late_session_fills_the_assignment_of_one_who_then_gives_up(fielding: Fielding) -> None:
    late, _ = studies.start(fielding)
    end_lease(late)
    sessions.release_abandoned()
    others = take_all_assignments(fielding)
    finish(late)
    for other in others:
        end_lease(other)
    sessions.release_abandoned()
    assert [held(other) for other in others] == [0] * 6
    assert (held(late), slots("filled"), slots("open")) == (6, 6, 30)


def test_a_full_fielding_opens_again_when_a_session_is_given_up(fielding: Fielding) -> None:
    begun = [studies.start(fielding)[0] for _ in range(6)]
    end_lease(begun[0])
    sessions.release_abandoned()
    again, _ = studies.start(fielding)
    assert again.trials.count() == 6
    assert slots("assigned") == 36


def test_a_session_that_is_left_out_is_wanted_anew_and_gets_nothing_back(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    finish(session)
    assert slots("filled") == 6
    Exclusion.objects.create(session=session, rule="R1")
    assert reopen_slots(session) == 6
    assert (held(session), slots("open")) == (0, 36)
    assert reopen_slots(session) == 0


def test_slots_that_a_session_gets_while_it_is_left_out_are_wanted_anew_too(
    fielding: Fielding, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, _ = studies.start(fielding)
    finish(late)
    late.trials.update(slot=None)
    Slot.objects.update(state="open")
    lock = quota_slots.lock

    def wait_for_another(fielding_id: int) -> Fielding:
        """Who held the lock has just given the session an assignment."""
        for trial in late.trials.filter(slot=None):
            trial.slot = Slot.objects.filter(stimulus=trial.stimulus_id, state="open").first()
            trial.save()
        Slot.objects.filter(trial__session=late).update(state="assigned")
        return lock(fielding_id)

    Exclusion.objects.create(session=late, rule="R1")
    monkeypatch.setattr(quota_slots, "lock", wait_for_another)
    assert reopen_slots(late) == 6
    assert (held(late), slots("open")) == (0, 36)


def in_a_narrow_window(fielding: Fielding, *, compared: int) -> Session:
    """A session of which only so many comparisons are answered."""
    narrow, _ = studies.start(fielding)
    for trial in narrow.trials.filter(position__lte=4 + compared):
        studies.vote(trial)
    completion.finish(narrow, skipped=list(range(5 + compared, 7)))
    return narrow


def test_what_was_skipped_is_wanted_anew_and_nothing_beside_it(fielding: Fielding) -> None:
    narrow = in_a_narrow_window(fielding, compared=0)
    begun = [studies.start(fielding)[0] for _ in range(6)]
    # who finds no ratings wanted any more is not asked for any
    assert [held(session) for session in begun] == [6, 6, 6, 6, 6, 2]
    assert [session.trials.count() for session in begun] == [6, 6, 6, 6, 6, 2]
    assert stimuli(begun[5]) == set(narrow.trials.filter(skipped=True).values_list("stimulus_id", flat=True))
    assert slots("open") == 0


def test_the_rest_of_an_assignment_is_wanted_from_one_who_comes_when_no_assignment_is_whole(fielding: Fielding) -> None:
    narrow = in_a_narrow_window(fielding, compared=1)
    *whole, last = [studies.start(fielding)[0] for _ in range(6)]
    assert [held(session) for session in whole] == [6] * 5
    assert stimuli(last) == set(narrow.trials.filter(skipped=True).values_list("stimulus_id", flat=True))
    assert (held(last), slots("open")) == (1, 0)
    # and goes back where it came from
    end_lease(last)
    sessions.release_abandoned()
    assert (held(last), slots("open")) == (0, 1)
    studies.vote(last.trials.get())
    assert (held(last), slots("open")) == (1, 0)


def test_a_session_gets_its_assignment_back_as_a_whole_or_not_at_all(fielding: Fielding) -> None:
    late, _ = studies.start(fielding)
    end_lease(late)
    sessions.release_abandoned()
    narrow = in_a_narrow_window(fielding, compared=0)
    for _ in range(5):
        studies.start(fielding)
    assert stimuli(narrow) == stimuli(late)
    # its comparisons are free, its ratings are not: with the one and without the other it would be half used
    finish(late)
    assert (held(late), held(narrow), slots("open")) == (0, 4, 2)
    Exclusion.objects.create(session=narrow, rule="R1")
    reopen_slots(narrow)
    assert (held(late), held(narrow), slots("open")) == (6, 0, 0)


def test_a_session_that_is_left_out_does_not_get_its_assignment_back(fielding: Fielding) -> None:
    late, _ = studies.start(fielding)
    end_lease(late)
    sessions.release_abandoned()
    Exclusion.objects.create(session=late, rule="R1")
    finish(late)
    assert (held(late), slots("open")) == (0, 36)
