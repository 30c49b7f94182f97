"""Sessions left out of analyses: snapshot, staleness, funnel and results use one definition."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection, transaction

from accounts.models import Role
from analysis.computing import turns
from analysis.computing.runs import run_if_due
from analysis.computing.staleness import freshness, studies_behind
from analysis.snapshots import queries
from analysis.snapshots.counted import counted_votes
from analysis.snapshots.store import take_snapshot
from conformance.exclusions import exclusion_count, exclusion_counts, exclusions_of
from conformance.queries import _in_order, judged_sessions
from ratings.models import Session, Trial
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.services]
NOW = datetime(2026, 2, 1, tzinfo=UTC)


def in_every_state(field: Field) -> dict[str, Session]:
    """One session per state that a session with a vote can be in."""
    by_state = {name: field.session(judged=name not in ("incomplete", "unjudged")) for name in STATES}
    for session in by_state.values():
        field.rate("QUIC", 5, by=session)
    Session.objects.filter(pk=by_state["unjudged"].pk).update(state="completed", completed_at=NOW)
    for rule in ("R1", "R7"):
        field.exclude(by_state["two rules"], rule)
    field.exclude(by_state["one rule"], "R5")
    Trial.objects.filter(session=by_state["over quota"]).update(slot=None)
    # a session without a vote is in no table, so nothing leaves it out
    field.session(judged=False)
    return by_state


STATES = {
    "used": [],
    "one rule": ["R5"],
    "two rules": ["R1", "R7"],
    "incomplete": ["incomplete"],
    "unjudged": ["unjudged"],
    "over quota": ["beyond_quota"],
}


def test_every_state_has_its_reasons() -> None:
    field = Field()
    by_state, other = in_every_state(field), Field(number=2)
    other.exclude(other.session())
    found = exclusions_of(field.study.sha256)
    assert {
        name: sorted(reason for pk, reason in found if pk == session.pk) for name, session in by_state.items()
    } == STATES
    studies = [field.study.sha256, other.study.sha256]
    assert exclusion_counts(studies) == {field.study.sha256: len(found), other.study.sha256: 1}
    assert exclusion_counts(studies[1:]) == {other.study.sha256: 1}


def test_snapshot_staleness_funnel_and_results_agree(tmp_path: Path) -> None:
    field = Field()
    by_state = in_every_state(field)
    study = field.study.sha256
    read = queries.read(study, tmp_path).exclusions
    assert sorted(read) == sorted((str(pk), reason) for pk, reason in exclusions_of(study))
    assert len(read) == exclusion_count(study) == exclusion_counts([study])[study]
    left_out = {
        judged_session.session_id
        for judged_session in judged_sessions(study)
        if judged_session.left_out_by or judged_session.verdict is None
    }
    # the session without a vote has no verdict either
    assert left_out & {session.pk for session in by_state.values()} == {pk for pk, _ in exclusions_of(study)}
    assert set(counted_votes(take_snapshot(study))["session_id"]) == {str(by_state["used"].pk)}


def test_a_study_with_every_reason_is_fresh_after_its_analysis() -> None:
    """If snapshot and staleness counted differently, the results of such a study would be stale for ever."""
    field = Field()
    by_state = in_every_state(field)
    Session.objects.filter(pk=by_state["unjudged"].pk).update(state="started", completed_at=None)
    turns.ask(field.study.sha256)
    assert run_if_due(field.study.sha256, lambda: NOW)
    assert freshness(field.study.sha256, NOW)[0] == "fresh"
    assert studies_behind() == []


def test_the_list_of_sessions_has_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.api.PAGE", 2)
    monkeypatch.setattr("conformance.queries.AT_ONCE", 3)
    field = Field()
    votes = [field.rate("QUIC", 5) for _ in range(5)]
    client = signed_in("ada", Role.ADMIN)
    path = f"/api/research/studies/{field.study.sha256}/conformance/sessions"
    pages = [client.get(path, {"page": page}).json() for page in (1, 2, 3, 4)]
    assert [len(page["sessions"]) for page in pages] == [2, 2, 1, 0]
    assert {(page["pages"], page["total"]) for page in pages} == {(3, 5)}
    listed = [row["session_id"] for page in pages for row in page["sessions"]]
    assert listed == [str(judged.session_id) for judged in judged_sessions(field.study.sha256)]
    assert set(listed) == {str(vote.session_id) for vote in votes}
    assert client.get(path).json() == pages[0]
    assert client.get(path, {"page": 0}).status_code == 422


def test_the_order_of_sessions_is_read_from_an_index_alone() -> None:
    field = Field()
    field.rate("QUIC", 5)
    with transaction.atomic(), connection.cursor() as cursor:
        # so few rows are otherwise read as they lie, or sorted, whatever earlier tests left in the statistics
        for way in ("seqscan", "bitmapscan", "indexscan", "sort", "incremental_sort"):
            cursor.execute(f"SET LOCAL enable_{way} = off")
        plan = _in_order(field.study.sha256)[:100].explain()
    assert "Index Only Scan using sessions_by_start" in plan
    assert "Sort" not in plan
