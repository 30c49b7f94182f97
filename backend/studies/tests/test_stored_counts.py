"""A large study is counted by the worker, and its pages show what was counted; a small one is counted as it is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Role, User
from analysis.computing import turns
from analysis.computing.runs import run_if_due
from analysis.computing.staleness import freshness, studies_behind
from analysis.models import AnalysisState
from lib.alone import alone
from studies import stored_counts
from studies.models import Fielding, StoredCount
from studies.stored_counts import count_due
from testing.tables import rows_of
from testing.threads import at_once
from testing.votes import Field
from testing.web import signed_in

pytestmark = [pytest.mark.services]

NOW = datetime(2026, 1, 1, tzinfo=UTC)
# tables of which a large study has many rows
MANY = ("ratings_vote", "ratings_play", "ratings_trial", "conformance_verdict")
# whether a running session has to yield its slots: looks up the trials of sessions that have not ended, by an index
BOUNDED = '"lease_until" <'


def reads_many(asked: CaptureQueriesContext) -> list[str]:
    """Queries that read what participants sent, of all of them."""
    texts = [query["sql"] for query in asked]
    return [text for text in texts if any(f'"{table}"' in text for table in MANY) and BOUNDED not in text]


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Field:
    """A study that counts as large, with two votes and a play."""
    monkeypatch.setattr(stored_counts, "LARGE", 2)
    field = Field()
    field.play(field.rate("QUIC", 6).trial)
    field.rate("TCP+", 2)
    Fielding.objects.filter(pk=field.fielding.pk).update(sessions_without_assignment=2)
    return field


def shown(field: Field) -> tuple[Any, ...]:
    client = signed_in(f"ada{User.objects.count()}", Role.ADMIN)
    base = f"/api/research/studies/{field.study.sha256}"
    study, quality = client.get(base).json(), client.get(f"{base}/conformance").json()
    votes = sum(cell["votes"] for cell in study["cells"])
    return study["votes"], votes, quality["groups"][0]["started"], rows_of(quality["watched"])[0]["played"]


@pytest.mark.django_db
def test_pages_of_a_large_study_show_what_the_worker_counted(large: Field) -> None:
    clock = Clock()
    assert shown(large) == (2, 2, 2, 1)
    assert count_due(clock) == 6
    large.rate("QUIC", 5)
    assert shown(large) == (2, 2, 2, 1)
    clock.now += stored_counts.PAUSE
    assert count_due(clock) == 6
    assert shown(large) == (3, 3, 3, 1)


@pytest.mark.django_db
def test_a_small_study_is_never_stored(large: Field) -> None:
    Fielding.objects.filter(pk=large.fielding.pk).update(sessions_without_assignment=1)
    assert count_due(Clock()) == 0
    large.rate("QUIC", 5)
    assert shown(large) == (3, 3, 3, 1)


@pytest.mark.django_db
def test_counting_pauses_ten_times_as_long_as_it_took(large: Field) -> None:
    clock = Clock()
    count_due(clock)
    clock.now += stored_counts.PAUSE - timedelta(seconds=1)
    assert count_due(clock) == 0
    StoredCount.objects.update(took_s=20)
    clock.now = NOW + timedelta(seconds=199)
    assert count_due(clock) == 0
    clock.now = NOW + timedelta(seconds=200)
    assert count_due(clock) == 6


@pytest.mark.django_db(transaction=True)
def test_one_process_at_a_time_counts(large: Field) -> None:
    assert sorted(at_once(lambda _: count_due(Clock()), threads=2)) == [0, 6]
    with alone(stored_counts.LOCK) as is_alone:
        assert is_alone
        assert at_once(lambda _: count_due(lambda: NOW + timedelta(days=1)), threads=1) == [0]
    assert StoredCount.objects.count() == 6


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["", "/conformance", "/results"])
def test_no_page_of_a_large_study_reads_what_participants_sent(large: Field, page: str) -> None:
    client = signed_in("ada", Role.ADMIN)
    count_due(Clock())
    for path in (f"/api/research/studies/{large.study.sha256}{page}", "/api/research/studies"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        assert reads_many(asked) == []


@pytest.mark.django_db
def test_the_search_for_votes_to_analyse_counts_small_studies_alone(large: Field) -> None:
    count_due(Clock())
    with CaptureQueriesContext(connection) as asked:
        assert studies_behind() == [large.study.sha256]
    assert reads_many(asked) == []
    small = Field(number=2)
    small.rate("QUIC", 5)
    assert studies_behind() == sorted([large.study.sha256, small.study.sha256])


@pytest.mark.django_db(transaction=True)
def test_a_large_study_is_analysed_again_after_a_vote(large: Field) -> None:
    study = large.study.sha256
    clock = Clock()
    count_due(clock)
    assert studies_behind() == [study]
    turns.ask(study)
    assert run_if_due(study, clock)
    # the count is older than the analysis
    assert (freshness(study, clock.now)[0], studies_behind()) == ("fresh", [])
    large.rate("QUIC", 5)
    turns.ask(study)
    assert (freshness(study, clock.now)[0], studies_behind()) == ("stale", [study])
    AnalysisState.objects.update(wanted=1)
    # the message of that vote was lost, and the next count finds it
    assert (freshness(study, clock.now)[0], studies_behind()) == ("fresh", [])
    result = AnalysisState.objects.select_related("result").get().result
    assert result is not None
    clock.now = result.computed_at + timedelta(seconds=1)
    count_due(clock)
    assert (freshness(study, clock.now)[0], studies_behind()) == ("stale", [study])
