"""Two hundred people at once, a third of whom give up: once the quota is complete, usable votes are balanced."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from eyelevel_contracts.setting import setting_of
from problems import Problem
from ratings import sessions
from ratings.models import Exclusion, Session, Trial, Vote
from ratings.slots import reopen_slots
from studies.models import Fielding, Slot, Stimulus
from testing import batches, clips, studies
from testing.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

ARRIVALS = 200
DROP_OUT_SHARE = 0.3
LABEL = {"en": "x", "de": "x"}
CONTEXTS = [{"key": key, "label": LABEL, "networks": ["DSL", "LTE"]} for key in ("work", "leisure")]


@pytest.fixture
def fielding(transactional_db: None) -> Fielding:
    """12 settings and 6 pairs, of two runs in two contexts: 48 rated cells and as many compared ones."""
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
        quota={"sessions": ARRIVALS},
    )
    return study.fieldings.get()


def come(fielding: Fielding, lots: int, number: int) -> str:
    """One participant's whole way; says how it ended."""
    lot = random.Random(f"{lots}/{number}")
    try:
        session, _ = studies.start(fielding)
    except Problem as problem:
        return problem.code
    trials = list(session.trials.select_related("stimulus__clip", "session__fielding"))
    stays = lot.random() >= DROP_OUT_SHARE
    for trial in trials if stays else trials[: lot.randrange(len(trials))]:
        studies.vote(trial)
    if not stays:
        return "gave up"
    sessions.finish(session, skipped=[])
    return "finished"


def time_passes() -> None:
    """All leases run out, and beat looks after them."""
    Session.objects.filter(state="started").update(lease_until=timezone.now() - timedelta(seconds=1))
    sessions.release_abandoned()


def come_until_complete(fielding: Fielding, people: int) -> Iterator[Counter[str]]:
    for lots in range(30):
        yield Counter(at_once(partial(come, fielding, lots), threads=people))
        time_passes()
        if not Slot.objects.exclude(state="filled").exists():
            return
        # a few more than are wanted, and twenty at most
        people = min(20, 2 + Slot.objects.filter(state="open", stimulus__block=0).count() // 4)
    raise AssertionError("the quota is not complete after thirty rounds")


def usable() -> Counter[int]:
    """Votes per stimulus that an analysis uses."""
    votes = Vote.objects.filter(role="main", session__state="completed", session__exclusions=None)
    return Counter(votes.values_list("trial__stimulus_id", flat=True))


def check_balance(fielding: Fielding, *, sessions_used: int) -> None:
    votes = usable()
    for kind, total in (("rate", 4 * sessions_used), ("compare", None)):
        cells = Stimulus.objects.filter(study=fielding.study, kind=kind, role="main").values_list("pk", flat=True)
        each = [votes[cell] for cell in cells]
        assert len(each) == 48
        assert max(each) - min(each) <= 1
        if total is not None:
            assert sum(each) == total
    # what an A/A pair showed is not asked about in the study: 15 % of 3 x 200, within 1
    assert sum(votes.values()) - 4 * sessions_used in {509, 510, 511}
    assert votes == Counter(Slot.objects.values_list("stimulus_id", flat=True))


def check_nobody_saw_a_setting_twice() -> None:
    data = Trial.objects.filter(role__in=["main", "identical"]).select_related(
        "stimulus__clip__take", "stimulus__clip__right_take"
    )
    seen = Counter((trial.session_id, setting_of(trial.stimulus.clip)) for trial in data)
    assert set(seen.values()) == {1}


def test_two_hundred_arrivals_and_thirty_in_a_hundred_who_give_up_leave_balanced_votes(fielding: Fielding) -> None:
    rounds = list(come_until_complete(fielding, ARRIVALS))
    first = rounds[0]
    assert first["finished"] + first["gave up"] == ARRIVALS
    assert 35 <= first["gave up"] <= 85
    assert sum(how["finished"] for how in rounds) == ARRIVALS == Session.objects.filter(state="completed").count()
    check_balance(fielding, sessions_used=ARRIVALS)
    check_nobody_saw_a_setting_twice()
    assert list(Session.objects.order_by("claim").values_list("claim", flat=True)) == list(
        range(1, Session.objects.count() + 1)
    )
    # a rule of conformance leaves some out: their votes are wanted from others
    for session in Session.objects.filter(state="completed").order_by("claim")[:12]:
        Exclusion.objects.create(session=session, rule="R3")
        reopen_slots(session)
    assert Slot.objects.filter(state="open", stimulus__kind="rate").count() == 12 * 4
    list(come_until_complete(fielding, 15))
    check_balance(fielding, sessions_used=ARRIVALS)
    check_nobody_saw_a_setting_twice()
    assert refused(fielding) == "not_open"


def refused(fielding: Fielding) -> Any:
    with pytest.raises(Problem) as caught:
        studies.start(fielding)
    return caught.value.code
