"""Who finishes after their assignment went to another is paid, told of, and used as soon as an assignment is free."""

import pytest
from django.utils import timezone

from analysis import receivers
from analysis.computing import turns
from analysis.computing.runs import run_if_due
from analysis.computing.staleness import studies_behind
from analysis.tasks import votes_arrived
from conformance import tasks
from conformance.exclusions import exclusions_of
from conformance.funnel import funnel_of
from ratings import completion, resume, sessions
from ratings.models import Session
from studies.models import Study
from testing import studies
from testing.people import COUNTED_ONLY

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def study(db: None) -> Study:
    """For one session."""
    studies.visible_batch()
    return studies.study(conformance=COUNTED_ONLY, quota={"sessions": 1})


def begun(study: Study) -> Session:
    return studies.start(study.fieldings.get())[0]


def vote(session: Session) -> None:
    for trial in session.trials.all():
        studies.vote(trial)


def give_up(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(lease_until=studies.NOON)
    sessions.release_abandoned()


def left_out(study: Study) -> set[tuple[str, str]]:
    return {(str(session), reason) for session, reason in exclusions_of(study.sha256)}


def test_a_session_beyond_the_quota_is_left_out_until_an_assignment_is_free(study: Study) -> None:
    late = begun(study)
    give_up(late)
    other = begun(study)
    vote(other)
    vote(late)
    completion.finish(late, skipped=[])
    assert left_out(study) == {(str(late.pk), "unjudged"), (str(other.pk), "incomplete")}
    tasks.catch_up()
    assert left_out(study) == {(str(late.pk), "beyond_quota"), (str(other.pk), "incomplete")}
    [group] = funnel_of(study)
    assert (group.steps[-1].left, group.otherwise, group.used, group.accepted) == (1, {"beyond_quota": 1}, 0, 1)
    turns.ask(study.sha256)
    assert run_if_due(study.sha256, timezone.now)
    assert studies_behind() == []
    # the other one does not come to the end
    give_up(other)
    assert left_out(study) == {(str(other.pk), "incomplete")}
    [group] = funnel_of(study)
    assert (group.otherwise, group.used, group.accepted) == ({}, 1, 1)
    assert studies_behind() == [study.sha256]


@pytest.mark.django_db(transaction=True)
def test_an_assignment_for_a_finished_session_calls_for_an_analysis(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = begun(study)
    give_up(late)
    other = begun(study)
    vote(late)
    completion.finish(late, skipped=[])
    called: list[str] = []
    monkeypatch.setattr(receivers, "_under_way", {})
    monkeypatch.setattr(votes_arrived, "apply_async", lambda args, **_: called.append(args[0]))
    # as many are left out then as before
    resume.close(other)
    assert called == [study.sha256]
    assert not late.trials.filter(slot=None).exists()


def test_whoever_is_in_time_is_used_and_who_is_left_out_by_a_rule_is_that_alone(study: Study) -> None:
    late = begun(study)
    give_up(late)
    for session in (begun(study), late):
        vote(session)
        completion.finish(session, skipped=[])
    late.exclusions.create(rule="R3")
    tasks.catch_up()
    assert left_out(study) == {(str(late.pk), "R3")}
