"""The log takes entries and gives none back."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.models import Role, User
from audit.log import record
from audit.models import AuditEntry
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def entry(db: None) -> AuditEntry:
    return record(studies.user("anna", Role.ADMIN), "role", "account rita", {"to": "admin"})


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: AuditEntry.objects.update(what="share"),
        lambda: AuditEntry.objects.all().delete(),
        lambda: connection.cursor().execute("UPDATE audit_auditentry SET actor_name = 'rita'"),
        lambda: connection.cursor().execute("DELETE FROM audit_auditentry"),
    ],
)
def test_the_database_refuses_behind_the_models_back(entry: AuditEntry, attempt: Callable[[], object]) -> None:
    with pytest.raises(DatabaseError, match="audit_auditentry is append-only"), transaction.atomic():
        attempt()
    stored = AuditEntry.objects.get()
    assert (stored.actor_name, stored.what, stored.details) == ("anna", "role", {"to": "admin"})


def test_erasure_is_no_exception_here(entry: AuditEntry) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL eyelevel.erasure = 'on'")
        with pytest.raises(DatabaseError, match="DELETE refused"), transaction.atomic():
            cursor.execute("DELETE FROM audit_auditentry")


def test_an_entry_is_not_saved_again(entry: AuditEntry) -> None:
    entry.what = "share"
    with pytest.raises(TypeError, match="cannot be changed"):
        entry.save()


def test_an_entry_outlives_the_account(entry: AuditEntry) -> None:
    User.objects.get().delete()
    assert AuditEntry.objects.get().actor_name == "anna"


def test_a_study_and_its_fielding_are_named_with_the_study() -> None:
    studies.visible_batch()
    study = studies.study()
    of_study, of_fielding = record(None, "export", study), record(None, "pause", study.fieldings.get())
    assert (of_study.kind, of_study.target, of_study.actor_name) == ("study", "pilot", "")
    assert (of_fielding.kind, of_fielding.target) == ("fielding", f"pilot {study.fieldings.get().slug}")
    assert of_study.study_sha256 == of_fielding.study_sha256 == study.sha256


def test_an_unknown_deed_is_refused() -> None:
    with pytest.raises(ValueError, match="'gossip' is not a valid What"):
        record(None, "gossip", "study x")
