"""Many participants at the same moment: plans stay balanced, and one answer stays one vote."""

import threading
import uuid
from collections import Counter

import pytest
from django.db import transaction

from lib.problems import Problem
from ratings import completion, sessions, votes
from ratings.clip_digests import clip_digest
from ratings.erasure import entomb
from ratings.models import Session, Trial, Vote
from studies.models import Fielding, Slot
from testing import studies
from testing.threads import THREADS, at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture
def fielding(transactional_db: None) -> Fielding:
    studies.visible_batch()
    return studies.study(quota={"sessions": THREADS + 5}).fieldings.get()


def test_twenty_sessions_at_once_are_balanced_within_one(fielding: Fielding) -> None:
    at_once(lambda _: studies.start(fielding)[0])
    numbers = Session.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, THREADS + 1))
    assigned = Slot.objects.filter(state="assigned")
    assert assigned.count() == THREADS * 6 == Trial.objects.exclude(slot=None).count()
    per_cell = {"rate": Counter[int](), "compare": Counter[int]()}
    for kind, stimulus in Trial.objects.values_list("kind", "stimulus_id"):
        per_cell[kind][stimulus] += 1
    # 20 x 4 ratings over 8 clips; 20 x 2 comparisons over 8 clips
    assert [sorted(cells.values()) for cells in per_cell.values()] == [[10] * 8, [5] * 8]


def test_more_people_than_slots_fill_it_and_no_more(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(quota={"sessions": 7}).fieldings.get()

    def try_to_start(_: int) -> str:
        try:
            studies.start(fielding)
        except Problem as problem:
            return problem.code
        return "started"

    assert Counter(at_once(try_to_start)) == {"started": 7, "busy": 13}
    assert Slot.objects.filter(state="open").count() == 0


def test_two_hundred_at_once_get_in(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(quota={"sessions": 200}).fieldings.get()
    # twenty connections, ten arrivals each, nobody has played yet
    at_once(lambda _: [studies.start(fielding) for _ in range(10)])
    assert Session.objects.count() == 200
    assert Slot.objects.filter(state="open").count() == 0


def test_a_session_that_is_being_erased_gets_no_assignment(fielding: Fielding) -> None:
    late, _ = studies.start(fielding)
    Session.objects.filter(pk=late.pk).update(lease_until=studies.NOON)
    sessions.release_abandoned()
    other, _ = studies.start(fielding)
    for trial in late.trials.all():
        studies.vote(trial)
    completion.finish(late, skipped=[])
    erased, released = threading.Event(), threading.Event()

    def erase(_: int) -> None:
        with transaction.atomic():
            entomb(late.participant, studies.NOON)
            erased.set()
            released.wait(timeout=5)

    def release(_: int) -> None:
        erased.wait(timeout=5)
        Session.objects.filter(pk=other.pk).update(lease_until=studies.NOON)
        sessions.release_abandoned()
        released.set()

    at_once(lambda number: (erase, release)[number](number), threads=2)
    assert studies.slot_counts()["filled"] == 0
    assert not Trial.with_tombstones.exclude(slot=None).exists()


def first_answer(session: Session) -> votes.Answer:
    digest = clip_digest(session.trials.get(position=1))
    return votes.Answer(1, digest, "rate", 2, {"score": 3}, "row", 0, 10.0, studies.NOON)


def test_one_answer_sent_twenty_times_at_once_is_one_vote(fielding: Fielding) -> None:
    session, _ = studies.start(fielding)
    vote_id = uuid.uuid4()
    answer = first_answer(session)
    receipts = at_once(lambda _: votes.take_vote(session, vote_id, answer).received_at)
    assert len(set(receipts)) == 1
    assert Vote.objects.count() == 1


def test_one_id_for_twenty_trials_at_once_is_one_vote(fielding: Fielding) -> None:
    sessions = [studies.start(fielding)[0] for _ in range(THREADS)]
    answers = [first_answer(session) for session in sessions]
    vote_id = uuid.uuid4()

    def send(number: int) -> str:
        try:
            votes.take_vote(sessions[number], vote_id, answers[number])
        except Problem as problem:
            return problem.code
        return "stored"

    assert Counter(at_once(send)) == {"stored": 1, "id_taken": THREADS - 1}
    assert Vote.objects.count() == 1
