"""Erasure leaves tombstones of all that one participant left, and everything of another's."""

import io
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from accounts.models import Role
from privacy import erasure_ledger
from privacy.erasure import erase
from privacy.models import By, Erasure
from ratings import completion
from ratings.models import Exclusion, Participant, PersonAnswers, Play, Recruitment, Session, Trial, Vote
from ratings.tombstones import emptied_fields, erasable_models, kept_columns
from studies.progress import study_detail
from testing import studies, withdrawing
from testing.store import close_ledger
from testing.threads import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.services]

ROOTS = (Participant, Session, Trial, Vote, Play)


@pytest.fixture
def leaver(db: None) -> Session:
    """A session with everything a session can have, beside another one with a vote."""
    field = withdrawing.fielding()
    session = withdrawing.leaver(field)
    other, _ = studies.start(field)
    studies.vote(other.trials.get(position=1))
    return session


def test_what_counts_is_the_others_alone(leaver: Session) -> None:
    assert erase(leaver.participant, by=By.PARTICIPANT).erasure.votes == 1
    counted = (Participant, Session, Vote, Play, PersonAnswers, Exclusion, Recruitment)
    assert [model.objects.count() for model in counted] == [1, 1, 1, 0, 0, 0, 0]
    assert Trial.objects.count() == 6


def test_the_rows_stay_with_their_ids_and_when_they_were_erased(leaver: Session) -> None:
    erased_at = erase(leaver.participant, by=By.PARTICIPANT).erasure.erased_at
    for model in erasable_models():
        rows = model.with_tombstones.filter(**{model.PARTICIPANT: leaver.participant_id})
        assert rows.count() >= 1, f"{model.__name__} had nothing to erase; plant something"
        for row in rows:
            assert row.erased_at == erased_at
            left = {name: getattr(row, name) for name in emptied_fields(model) if getattr(row, name) is not None}
            assert left == {}, f"{model.__name__} keeps {left}"
    assert Vote.with_tombstones.count() == 2
    assert Session.with_tombstones.get(pk=leaver.pk).participant_id == leaver.participant_id


def test_their_slots_are_wanted_again(leaver: Session) -> None:
    before = studies.slot_counts()
    erase(leaver.participant, by=By.PARTICIPANT)
    assert before["filled"] == 2
    assert studies.slot_counts() == {"open": before["open"] + 6, "assigned": 5, "filled": 1}


def test_progress_leaves_tombstones_out(leaver: Session, rf: Any) -> None:
    study, request = leaver.fielding.study, rf.get("/")
    request.auth = studies.user("anna", Role.ADMIN)
    before = study_detail(study, request=request)
    erase(leaver.participant, by=By.PARTICIPANT)
    after = study_detail(study, request=request)
    assert (before.votes, before.sessions.started) == (2, 2)
    assert (after.votes, after.sessions.started) == (1, 1)


def test_progress_per_cell_leaves_tombstones_out(leaver: Session, rf: Any) -> None:
    study, request = leaver.fielding.study, rf.get("/")
    request.auth = studies.user("anna", Role.ADMIN)
    counted, _ = studies.start(leaver.fielding)
    for trial in counted.trials.all():
        studies.vote(trial)
    completion.finish(counted, skipped=[])
    before = study_detail(study, request=request)
    erase(counted.participant, by=By.PARTICIPANT)
    after = study_detail(study, request=request)
    assert (sum(cell.votes for cell in before.cells), before.sessions.counted) == (6, 1)
    assert (sum(cell.votes for cell in after.cells), after.sessions.counted) == (0, 0)


def test_the_log_and_the_ledger_know_the_random_id_alone(leaver: Session) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    row = Erasure.objects.get()
    (line,) = erasure_ledger.read()
    assert (row.participant, row.by, row.votes) == (leaver.participant_id, "participant", 1)
    assert row.rows == {
        "conformance.Verdict": 1,
        "ratings.ControlAnswer": 1,
        "ratings.Exclusion": 1,
        "ratings.Participant": 1,
        "ratings.PersonAnswers": 1,
        "ratings.Play": 1,
        "ratings.Session": 1,
        "ratings.Trial": 6,
        "ratings.Vote": 1,
    }
    assert (line.id, line.participant, line.erased_at, line.by) == (
        row.pk,
        leaver.participant_id,
        row.erased_at,
        "participant",
    )


def test_nobody_changes_the_log(leaver: Session) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    for attempt in (Erasure.objects.all().delete, lambda: Erasure.objects.update(votes=0)):
        with pytest.raises(DatabaseError, match="privacy_erasure is append-only"), transaction.atomic():
            attempt()


def test_nothing_is_erased_where_the_ledger_cannot_be_written(leaver: Session, settings: Any) -> None:
    close_ledger()
    with pytest.raises(erasure_ledger.LedgerError, match="cannot be written"):
        erase(leaver.participant, by=By.PARTICIPANT)
    assert (Vote.objects.count(), Recruitment.objects.count(), Erasure.objects.count()) == (2, 1, 0)


def test_every_table_about_a_participant_is_erasable() -> None:
    """A new table that hangs on a session must say what a tombstone of it keeps, or be deleted like Recruitment."""
    known = {*erasable_models(), Recruitment}
    hanging = {
        model
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model in (*ROOTS, *known)
    }
    assert hanging - known == set()
    assert set(ROOTS) <= known


def test_every_column_that_is_not_kept_can_be_emptied() -> None:
    stuck = {
        f"{model.__name__}.{name}"
        for model in erasable_models()
        for name in emptied_fields(model)
        if not model._meta.get_field(name).null
    }
    assert stuck == set()


def test_the_triggers_keep_the_very_columns_that_the_models_name() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text, encode(tgargs, 'escape') FROM pg_trigger "
            "WHERE tgname IN ('append_only', 'tombstone')"
        )
        held = {table: {part for part in args.split("\\000") if part} for table, args in cursor.fetchall()}
    # the logs, of which nothing is ever erased
    assert (held.pop("privacy_erasure"), held.pop("audit_auditentry")) == (set(), set())
    assert held == {model._meta.db_table: set(kept_columns(model)) for model in erasable_models()}


TOMBSTONE = "UPDATE ratings_vote SET erased_at = now(), data = NULL, replays = NULL, answer_ms = NULL, "
TOMBSTONE += "answered_at = NULL, received_at = NULL, previous_clip_sha256 = NULL, media_ms = NULL"


@pytest.mark.parametrize(
    "attempt",
    [
        "UPDATE ratings_vote SET replays = 9",
        "UPDATE ratings_vote SET erased_at = now()",
        "UPDATE ratings_vote SET erased_at = now(), data = NULL",
        f"{TOMBSTONE}, position = 5",
        "UPDATE ratings_vote SET data = NULL",
        "DELETE FROM ratings_vote",
    ],
)
def test_erasure_makes_tombstones_and_nothing_else(leaver: Session, attempt: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        with pytest.raises(DatabaseError, match="ratings_vote is append-only"), transaction.atomic():
            cursor.execute(attempt)


def test_a_tombstone_needs_an_erasure(leaver: Session) -> None:
    with pytest.raises(DatabaseError, match="ratings_vote is append-only"), transaction.atomic():
        connection.cursor().execute(TOMBSTONE)


@pytest.mark.parametrize("table", ["ratings_session", "ratings_trial", "ratings_participant", "ratings_personanswers"])
def test_a_tombstone_stays_one(leaver: Session, table: str) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    for moment in ("NULL", "now()"):
        with pytest.raises(DatabaseError, match=rf"a row of {table} is a tombstone"), transaction.atomic():
            connection.cursor().execute(f"UPDATE {table} SET erased_at = {moment} WHERE erased_at IS NOT NULL")  # noqa: S608


def test_a_session_is_erased_whole_or_not_at_all(leaver: Session) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        with pytest.raises(DatabaseError, match="erased whole or not at all"), transaction.atomic():
            cursor.execute("UPDATE ratings_session SET erased_at = now()")


@pytest.mark.parametrize(
    "late",
    [
        lambda session: Play.objects.create(
            id=uuid4(), trial=Trial.with_tombstones.get(session=session, position=1), started_at=withdrawing.MOMENT,
            replay=False,
        ),
        lambda session: Exclusion.objects.create(session=session, rule="late"),
    ],
)  # fmt: skip
def test_nothing_is_added_to_a_tombstone(leaver: Session, late: Callable[[Session], object]) -> None:
    erase(leaver.participant, by=By.PARTICIPANT)
    with pytest.raises(DatabaseError, match="belongs to an erased row"), transaction.atomic():
        late(leaver)


def test_the_command_finds_them_by_their_session(leaver: Session) -> None:
    output = io.StringIO()
    call_command("erase_participant", session=str(leaver.id), stdout=output)
    assert output.getvalue() == "The participant and 1 vote were erased.\n"
    with pytest.raises(CommandError, match="No session has the code ABC; check its spelling"):
        call_command("erase_participant", code="ABC")
    with pytest.raises(CommandError, match="check its spelling"):
        call_command("erase_participant", session=str(leaver.id))


@pytest.mark.django_db(transaction=True)
def test_a_vote_that_is_just_being_stored_is_erased_too() -> None:
    """The vote has the trial when the erasure comes; the erasure waits, and finds it."""
    field = withdrawing.fielding()
    session, _ = studies.start(field)
    trial = session.trials.get(position=1)
    done = threading.Thread(target=_erase_in_another_connection, args=(session.participant,))
    with transaction.atomic():
        studies.vote(trial)
        done.start()
        done.join(0.3)
        assert done.is_alive()
    done.join(20)
    assert (Vote.objects.count(), Vote.with_tombstones.get().data) == (0, None)


@pytest.mark.django_db(transaction=True)
def test_two_erasures_at_once_are_one() -> None:
    session, _ = studies.start(withdrawing.fielding())
    studies.vote(session.trials.get(position=1))
    done = at_once(lambda _: erase(session.participant, by=By.PARTICIPANT).erasure, threads=4)
    assert {erasure.pk for erasure in done} == {Erasure.objects.get().pk}
    assert {erasure.votes for erasure in done} == {1}


def _erase_in_another_connection(participant: Participant) -> None:
    try:
        erase(participant, by=By.PARTICIPANT)
    finally:
        connection.close()


def test_the_erased_at_of_all_rows_is_one_moment(leaver: Session) -> None:
    before = timezone.now()
    erase(leaver.participant, by=By.ADMIN)
    moments = {
        moment
        for model in erasable_models()
        for moment in model.with_tombstones.exclude(erased_at=None).values_list("erased_at", flat=True)
    }
    [moment] = moments
    assert moment is not None
    assert before <= moment <= before + timedelta(minutes=1)
