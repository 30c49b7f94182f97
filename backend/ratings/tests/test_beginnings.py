"""Beginnings wait for nobody: each claims an assignment of its own, and its plan follows from the stored number."""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import batches
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from lib.problems import Problem
from ratings import completion, plans, sessions
from ratings.models import Exclusion, Session, Trial
from ratings.plans import Beginning, Share, plan, settings_met
from ratings.slots import reopen_slots
from ratings.tombstones import living
from studies.fieldings import cells_of
from studies.models import Assignment, Fielding, Slot
from testing import clips, studies
from testing.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.services]

# the window of those who fail
FAILING = sessions.Screen(width_px=1, height_px=1, device_pixel_ratio=1.0)
Plan = list[tuple[int, str, int | None]]


def opened(quota: int, **changes: Any) -> Fielding:
    batch = studies.visible_batch(batches.folder(sites=("alpha", "beta", "gamma")))
    clips.another_run(batch, 2)
    clips.identical_pairs(batch)
    clips.control_clips(batch)
    design: dict[str, Any] = {
        "trials": [
            {"kind": "rate", "count": 4, "training": 1, "repeats": 1},
            {"kind": "compare", "count": 3, "identical": 0.15},
        ],
        "controls": {"videos": {"count": 1}},
        "quota": {"sessions": quota},
    }
    return studies.study(**design | changes).fieldings.get()


def stored(session: Session) -> Plan:
    return list(session.trials.values_list("stimulus_id", "role", "repeats_position"))


def replayed(session: Session, *, met: bool = True) -> Plan:
    """The plan by the session's number and what the fielding stores for good: its assignments."""
    fielding, number = session.fielding, living(session.number)
    design, cells = fielding.study.design, cells_of(fielding.study)
    assignment = number % (fielding.quota_sessions + 1)
    by_block: dict[int, list[int]] = {block: [] for block in range(len(design.blocks))}
    slots = Slot.objects.filter(fielding=fielding, assignment=assignment)
    for stimulus, block in slots.values_list("stimulus_id", "stimulus__block"):
        by_block[block].append(stimulus)
    identical = [block.count - len(by_block[place]) for place, block in enumerate(design.blocks)]
    share = Share(number=number, turn=assignment, slots=[], main=list(by_block.values()), identical=identical)
    seen = settings_met(session.participant, fielding.study_id, cells) if met else set()
    entries = plan(Beginning(fielding, design, cells, seen), share)
    return [(entry.stimulus, entry.role, entry.repeats_position) for entry in entries]


def has_assignment(session: Session) -> bool:
    return living(session.number) % (session.fielding.quota_sessions + 1) != 0


def check_assignments(fielding: Fielding) -> None:
    """`is_free` says that every slot is open; no slot has two trials; what is held is not open."""
    for assignment in fielding.assignments.all():
        states = set(fielding.slots.filter(assignment=assignment.number).values_list("state", flat=True))
        assert assignment.is_free == (states == {"open"})
    held = Counter(Trial.objects.filter(slot__isnull=False).values_list("slot_id", flat=True))
    assert set(held.values()) <= {1}
    assert set(held) == set(Slot.objects.exclude(state="open").values_list("pk", flat=True))


@pytest.mark.django_db(transaction=True)
def test_five_hundred_at_once_have_an_assignment_each(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """500 threads from one start, each with its own connection."""
    quota = 500
    fielding = opened(quota)
    fails = set(random.Random(1).sample(range(quota), 40))
    write = plans.write_plan

    def begin(number: int) -> Counter[str]:
        """A beginning; some fail after they have claimed an assignment, and try again."""
        ends: Counter[str] = Counter()
        screen = FAILING if number in fails else studies.SCREEN
        while not ends["begun"]:
            try:
                sessions.start(
                    sessions.fielding_of(fielding.slug),
                    language="en",
                    consent_version="1",
                    screen=screen,
                )
            except Problem as problem:
                ends[problem.code] += 1
            except ZeroDivisionError:
                ends["failed"] += 1
                screen = studies.SCREEN
            else:
                ends["begun"] += 1
        return ends

    def write_or_fail(session: Session, *rest: Any) -> None:
        if session.screen_width_px == FAILING.width_px:
            raise ZeroDivisionError
        write(session, *rest)

    monkeypatch.setattr(plans, "write_plan", write_or_fail)
    ends = sum(at_once(begin, threads=quota), Counter[str]())
    assert (ends["begun"], ends["failed"]) == (quota, len(fails))
    # a failed one holds its assignment for a moment: who comes last may have to try again, and nobody is refused
    assert set(ends) <= {"begun", "failed", "busy"}
    assert sorted(living(n) for n in Session.objects.values_list("number", flat=True)) == list(range(1, quota + 1))
    assert not Slot.objects.filter(state="open").exists()
    check_assignments(fielding)
    cells = Counter(Trial.objects.filter(role="main").values_list("stimulus_id", "kind"))
    for kind in ("rate", "compare"):
        votes = [count for (_, of), count in cells.items() if of == kind]
        assert max(votes) - min(votes) <= 1
    for session in Session.objects.order_by("?")[:20]:
        assert stored(session) == replayed(session)


@pytest.mark.parametrize("seed", range(3))
def test_stored_events_give_the_same_plans_again(seed: int) -> None:
    """Random beginnings, drop-outs, ends, exclusions and new starts: each plan follows from its session's number."""
    fielding, draw = opened(9), random.Random(seed)
    planned: dict[Any, Plan] = {}
    events: Counter[str] = Counter()

    def began(session: Session) -> None:
        planned[session.pk] = stored(session)
        if has_assignment(session):
            events["with an assignment"] += 1
            assert planned[session.pk] == replayed(session)
        else:
            events["without one"] += 1

    for _ in range(60):
        running = list(Session.objects.filter(state="started"))
        event = draw.choice(["begin", "begin", "begin", "give up", "narrow", "finish", "leave out", "anew"])
        session = draw.choice(running) if running else None
        try:
            if event == "begin":
                began(studies.start(fielding)[0])
            elif session is None:
                continue
            elif event == "give up":
                studies.vote(session.trials.all()[0])
                past = timezone.now() - timedelta(seconds=1)
                Session.objects.filter(state="started").filter(pk=session.pk).update(lease_until=past)
                sessions.release_abandoned()
            elif event == "anew":
                studies.play(session.trials.all()[0])
                began(studies.begin_anew(session))
            else:
                rest = session.trials.filter(vote=None)
                skipped = rest.filter(kind="compare") if event == "narrow" else rest.none()
                positions = list(skipped.values_list("position", flat=True))
                for trial in rest.exclude(position__in=positions):
                    studies.vote(trial)
                completion.finish(session, skipped=positions)
                if event == "leave out":
                    Exclusion.objects.create(session=session, rule="R1")
                    reopen_slots(session)
        except Problem as problem:
            events[problem.code] += 1
        check_assignments(fielding)
    assert events["with an assignment"] > 9
    # from the table alone, at the end: those of participants with one session
    single = [session for session in Session.objects.all() if session.participant.sessions.count() == 1]
    again = [session for session in single if has_assignment(session)]
    assert len(again) >= 5
    assert all(replayed(session, met=False) == planned[session.pk] for session in again)


def statements(fielding: Fielding) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        studies.start(fielding)
    return [str(query["sql"]) for query in asked]


def test_a_beginning_costs_the_same_for_every_quota_and_locks_no_shared_row() -> None:
    small, large = opened(3), None
    studies.start(small)
    few = statements(small)
    large = studies.study(name="large", quota={"sessions": 120}).fieldings.get()
    studies.start(large)
    many = statements(large)
    assert [sql.split(" ", 1)[0] for sql in few] == [sql.split(" ", 1)[0] for sql in many]
    assert len(many) <= 16
    locks = [sql for sql in many if "FOR NO KEY UPDATE" in sql or "FOR UPDATE" in sql]
    assert len(locks) == 1
    assert "studies_assignment" in locks[0]
    assert "SKIP LOCKED" in locks[0]
    assert not any("GROUP BY" in sql or "frozen_text" in sql for sql in many)


def test_the_claim_reads_one_row_of_the_partial_index(transactional_db: None) -> None:
    fielding = opened(3)
    Assignment.objects.bulk_create(
        [Assignment(fielding=fielding, number=number, is_free=number > 5900) for number in range(4, 6001)]
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE studies_assignment")
        cursor.execute(
            "EXPLAIN SELECT id FROM studies_assignment WHERE fielding_id = %s AND is_free "
            "ORDER BY number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED",
            [fielding.pk],
        )
        explained = " ".join(row[0] for row in cursor.fetchall())
    assert "free_assignments" in explained
    assert "Sort" not in explained
