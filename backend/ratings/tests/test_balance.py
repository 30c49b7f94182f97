"""Many people at once, a third of whom give up: once the quota is complete, usable votes are balanced.

Every run takes 48 people; the soak takes 200, several times, with other people.
"""

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import batches
import pytest
from django.utils import timezone

from conformance.pending import BEYOND_QUOTA
from conformance.queries import Judged, judged_sessions
from conformance.verdicts import judge_session
from eyelevel_core.assignment.clip import setting_of
from eyelevel_core.assignment.context_order import counterbalanced
from lib.problems import Problem
from ratings import completion, sessions
from ratings.models import Exclusion, Session, Trial, Vote
from ratings.plans import SEEN_BEFORE
from ratings.slots import reopen_slots
from ratings.tombstones import living
from studies.models import Fielding, Slot, Stimulus
from testing import clips, studies
from testing.people import COUNTED_ONLY
from testing.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

FEW, MANY = 48, 200
DROP_OUT_SHARE, NARROW_SHARE = 0.3, 0.1
LABEL = {"en": "x", "de": "x"}
KEYS = ["work", "leisure"]
CONTEXTS = [{"key": key, "label": LABEL, "networks": ["DSL", "LTE"]} for key in KEYS]


def opened(monkeypatch: pytest.MonkeyPatch, arrivals: int) -> Fielding:
    """12 settings and 6 pairs, of two runs in two contexts: 48 rated cells and as many compared ones."""
    # assignments follow from the slug: with this one no two are alike, which could otherwise swap sessions
    monkeypatch.setattr(Fielding._meta.get_field("slug"), "_get_default", lambda: "balanced22")
    batch = studies.visible_batch(batches.folder(sites=("alpha", "beta", "gamma")))
    clips.another_run(batch, 2)
    clips.identical_pairs(batch)
    clips.control_clips(batch)
    study = studies.study(
        contexts=CONTEXTS,
        trials=[
            {"kind": "rate", "count": 4, "training": 1, "repeats": 1},
            {"kind": "compare", "count": 3, "identical": 0.15},
        ],
        controls={"videos": {"count": 1}},
        conformance=COUNTED_ONLY,
        quota={"sessions": arrivals},
    )
    return study.fieldings.get()


def come(fielding: Fielding, lots: str) -> str:
    """One participant's whole way; says how it ended."""
    try:
        session, _ = studies.start(fielding)
    except Problem as problem:
        return problem.code
    return go_on(session, lots)


def come_back(session: Session, lots: str, *, anew: bool) -> str:
    """A participant who gave up goes on where they were, as a page does after a sleep, or starts a new session."""
    if not anew:
        return finish(session, narrow=False)
    try:
        return go_on(studies.begin_anew(session), lots)
    except Problem as problem:
        return problem.code


def go_on(session: Session, lots: str) -> str:
    lot = random.Random(lots)
    if lot.random() >= DROP_OUT_SHARE:
        return finish(session, narrow=lot.random() < NARROW_SHARE)
    trials = trials_of(session)
    for trial in trials[: lot.randrange(len(trials))]:
        studies.vote(trial)
    return "gave up"


def finish(session: Session, *, narrow: bool) -> str:
    """Answer what has no answer yet; in a narrow window no comparison."""
    skipped = [trial for trial in trials_of(session) if narrow and trial.kind == "compare"]
    for trial in trials_of(session):
        if trial not in skipped:
            studies.vote(trial)
    completion.finish(session, skipped=[trial.position for trial in skipped])
    return "finished"


def trials_of(session: Session) -> list[Trial]:
    unanswered = session.trials.filter(vote=None)
    return list(unanswered.select_related("stimulus__clip", "session__fielding"))


def gave_up() -> list[Session]:
    left = Session.objects.filter(state="started", exclusions=None).select_related("fielding", "participant")
    return list(left.order_by("number"))


def time_passes() -> None:
    """All leases run out, and beat looks after them."""
    Session.objects.filter(state="started").update(lease_until=timezone.now() - timedelta(seconds=1))
    sessions.release_abandoned()


def take(ways: Sequence[Callable[[], str]], number: int) -> str:
    return ways[number]()


def come_until_complete(fielding: Fielding, people: int, *, seed: int, asleep: set[UUID]) -> Iterator[Counter[str]]:
    """Rounds of new and returning people; a third of those who give up first stay `asleep`."""
    back: list[Session] = []
    for number in range(30):
        lots = f"{seed}/{number}"
        new = [partial(come, fielding, f"{lots}/{person}") for person in range(people)]
        returning = [
            partial(come_back, session, f"{lots}/{session.number}", anew=bool(place % 2))
            for place, session in enumerate(back)
        ]
        ways = [*new, *returning]
        yield Counter(at_once(partial(take, ways), threads=len(ways)))
        time_passes()
        if not asleep:
            asleep.update(session.pk for session in gave_up()[::3])
        if studies.slot_counts()["filled"] == Slot.objects.count():
            return
        back = [session for session in gave_up() if session.pk not in asleep][:20]
        # enough for those who start anew, and a few more than are wanted once few are wanted
        assignments = Slot.objects.filter(state="open").values("stimulus__block", "assignment").distinct().count()
        people = min(20, 2 + assignments // 2)
    raise AssertionError("the quota is not complete after thirty rounds")


def judged(fielding: Fielding) -> list[Judged]:
    for session in Session.objects.filter(state="completed", verdicts=None):
        judge_session(session.pk)
    return list(judged_sessions(fielding.study.sha256))


def used(fielding: Fielding) -> set[UUID]:
    """Sessions whose votes an analysis uses."""
    return {row.session_id for row in judged(fielding) if row.verdict and row.verdict.used and not row.left_out_by}


def check_balance(fielding: Fielding, arrivals: int) -> None:
    usable = Vote.objects.filter(role="main", session__in=used(fielding))
    votes = Counter(usable.values_list("trial__stimulus_id", flat=True))
    for kind in ("rate", "compare"):
        cells = Stimulus.objects.filter(study=fielding.study, kind=kind, role="main").values_list("pk", flat=True)
        each = [votes[cell] for cell in cells]
        assert len(each) == 48
        assert max(each) - min(each) <= 1
    # A/A pairs, 15 % of the comparisons within 1, are no votes on the study's question
    assert abs(sum(votes.values()) - 4 * arrivals - 0.85 * 3 * arrivals) <= 1
    assert votes == Counter(Slot.objects.values_list("stimulus_id", flat=True))


def check_nobody_saw_a_setting_twice() -> None:
    """Nobody: not in a session, and not in two, but for those whose second one is left out."""
    answered = Trial.objects.filter(role__in=["main", "identical"], vote__isnull=False)
    data = answered.exclude(session__exclusions__rule=SEEN_BEFORE).select_related(
        "session", "stimulus__clip__take", "stimulus__clip__right_take"
    )
    seen = Counter((trial.session.participant_id, setting_of(trial.stimulus.clip)) for trial in data)
    assert set(seen.values()) == {1}


def check_orders(fielding: Fielding, arrivals: int) -> None:
    """Each order of contexts as often as the others within 1: assignments take turns, each with one session."""
    taken = []
    for session in Session.objects.filter(pk__in=used(fielding)):
        shown = session.trials.filter(kind="rate", role="main").values_list("stimulus__context", "slot__assignment")
        if shown:
            [assignment] = {assignment for _, assignment in shown if assignment is not None}
            contexts = [context for context, _ in itertools.groupby(context for context, _ in shown)]
            order = counterbalanced(KEYS, assignment - 1)
            assert contexts == [context for context in order if context in contexts]
            taken.append(assignment)
    assert sorted(taken) == list(range(1, arrivals + 1))


def check_numbers(fielding: Fielding) -> None:
    """No number twice; with each assignment they go on from one session that began with it to the next."""
    numbers = Counter(living(number) for number in Session.objects.values_list("number", flat=True))
    assert set(numbers.values()) == {1}
    for assignment in fielding.assignments.all():
        given = [
            fielding.session_number(assignment=assignment.number, times=n + 1) for n in range(assignment.times_given)
        ]
        of_assignment = [number for number in numbers if number % (fielding.quota_sessions + 1) == assignment.number]
        assert sorted(of_assignment) == given


def expected_to_give_up(people: int, *, seed: int) -> int:
    return sum(random.Random(f"{seed}/0/{person}").random() < DROP_OUT_SHARE for person in range(people))


@pytest.mark.parametrize(
    ("arrivals", "seed"), [(FEW, 0), *(pytest.param(MANY, seed, marks=pytest.mark.soak) for seed in range(3))]
)
def test_whoever_gives_up_skips_comes_late_or_again_usable_votes_are_balanced(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, arrivals: int, seed: int
) -> None:
    fielding, asleep = opened(monkeypatch, arrivals), set[UUID]()
    first, *_ = rounds = list(come_until_complete(fielding, arrivals, seed=seed, asleep=asleep))
    leaving = expected_to_give_up(arrivals, seed=seed)
    assert first == {"finished": arrivals - leaving, "gave up": leaving}
    assert leaving >= arrivals // 6
    assert set().union(*rounds) >= {"finished", "gave up"}
    assert Trial.objects.filter(skipped=True).exists()
    assert Session.objects.filter(state="restarted").exists()
    check_balance(fielding, arrivals)
    # once the quota is complete, pages wake up that were asleep all the time
    late = [session for session in gave_up() if session.pk in asleep]
    assert len(late) == len(asleep) >= 4
    assert {finish(session, narrow=False) for session in late} == {"finished"}
    check_balance(fielding, arrivals)
    check_orders(fielding, arrivals)
    check_nobody_saw_a_setting_twice()
    verdicts = {row.session_id: (row.left_out_by, row.verdict and row.verdict.accepted) for row in judged(fielding)}
    assert {verdicts[session.pk] for session in late} == {((BEYOND_QUOTA,), True)}
    check_numbers(fielding)
    # a rule of conformance leaves some out: their slots are released
    for session in Session.objects.filter(pk__in=used(fielding)).order_by("number")[:12]:
        Exclusion.objects.create(session=session, rule="R3")
        reopen_slots(session)
    assert Slot.objects.filter(state="open").exists()
    list(come_until_complete(fielding, 15, seed=seed, asleep=asleep))
    check_balance(fielding, arrivals)
    check_orders(fielding, arrivals)
    check_nobody_saw_a_setting_twice()
    assert refused(fielding) == "not_open"


def refused(fielding: Fielding) -> Any:
    with pytest.raises(Problem) as caught:
        studies.start(fielding)
    return caught.value.code
