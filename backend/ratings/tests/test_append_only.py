"""What participants sent is only ever added, whichever way one tries."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from eyelevel_kinds import AnswerError
from ratings.models import AppendOnlyError, Exclusion, Session, Vote
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def vote(db: None) -> Vote:
    studies.visible_batch()
    session, _ = studies.start(studies.study().fieldings.get())
    return studies.vote(session.trials.get(position=1), {"score": 5})


def test_a_vote_is_not_saved_again(vote: Vote) -> None:
    vote.data = {"score": 7}
    with pytest.raises(AppendOnlyError, match="is append-only and cannot be changed"):
        vote.save()


def test_a_vote_is_not_deleted(vote: Vote) -> None:
    with pytest.raises(AppendOnlyError, match="is append-only and cannot be deleted"):
        vote.delete()


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: Vote.objects.update(data={"score": 7}),
        lambda: Vote.objects.all().delete(),
        lambda: connection.cursor().execute("UPDATE ratings_vote SET replays = 9"),
        lambda: connection.cursor().execute("DELETE FROM ratings_vote"),
    ],
)
def test_the_database_refuses_behind_the_models_back(vote: Vote, attempt: Callable[[], object]) -> None:
    with pytest.raises(DatabaseError, match="ratings_vote is append-only"), transaction.atomic():
        attempt()
    assert Vote.objects.get().data == {"score": 5}


def test_an_exclusion_is_append_only_too(vote: Vote) -> None:
    Exclusion.objects.create(session=vote.session, rule="watched-nothing")
    with pytest.raises(DatabaseError, match="ratings_exclusion is append-only"), transaction.atomic():
        Exclusion.objects.update(rule="another")


@pytest.mark.parametrize("data", [{"score": 8}, {"score": 0}, {"score": "4"}, {}, {"mark": 3}, {"score": None}])
def test_the_database_takes_no_score_off_the_scale(vote: Vote, data: dict[str, object]) -> None:
    trial = Session.objects.get().trials.get(position=2)
    bad = Vote(
        **{
            name: getattr(vote, name)
            for name in ("session", "study", "clip_sha256", "stacks", "context", "answered_at")
        },
        id="00000000-0000-4000-8000-000000000000",
        trial=trial,
        position=2,
        kind="rate",
        kind_version=2,
        data=data,
        layout="row",
        replays=0,
        answer_ms=1,
    )
    with pytest.raises(IntegrityError, match="rate_has_a_score_of_1_to_7"), transaction.atomic():
        # past the model's own check
        Vote.objects.bulk_create([bad])
    with pytest.raises(AnswerError):
        bad.save()


@pytest.mark.parametrize("data", [{"value": 101}, {"score": 4}, {}])
def test_a_kind_of_which_the_database_knows_nothing_is_checked_as_well(vote: Vote, data: dict[str, object]) -> None:
    vote.kind, vote.data = "slider", data
    vote._state.adding = True
    with pytest.raises(AnswerError):
        vote.save()
    assert Vote.objects.get().kind == "rate"
