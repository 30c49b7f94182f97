"""Brings the data to the version of this program, after a restore point; what was interrupted is continued.

Migrations are the steps. Each of them is one transaction, so an upgrade that was killed goes on with the next one.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from backups import postgres
from backups.errors import BackupError
from backups.header import table_facts
from backups.models import DataVersion
from lib.data_version import DATA_VERSION


def upgrade(tell: Callable[[str], None]) -> None:
    """Migrate an older database, make an empty one, refuse a newer one (BackupError).

    Several processes may call this at once: one works, and the others find nothing to do.
    """
    with postgres.alone():
        found = data_version()
        if found is not None and found > DATA_VERSION:
            raise BackupError(
                f"The data are of version {found} and this Eyelevel reads version {DATA_VERSION}: a newer one has used "
                "them. Install that one again, or restore a backup of before."
            )
        if found is not None and _has_steps():
            if not _is_begun():
                _make_restore_point(tell)
            tell(f"Upgrading the data from version {found} to {DATA_VERSION}")
        bring_up_to_date()


def bring_up_to_date() -> None:
    """Take each step that the database lacks, and note its version."""
    _note(ended=False)
    call_command("migrate", interactive=False, verbosity=0)
    _note(ended=True)


def data_version() -> int | None:
    """The version of the data; None where there are none, 0 where they are older than the numbers."""
    tables = set(connection.introspection.table_names())
    if DataVersion._meta.db_table in tables:
        newest = DataVersion.objects.exclude(ended_at=None).order_by("-number").first()
        begun = DataVersion.objects.order_by("-number").first()
        if begun is not None and begun.number > DATA_VERSION:
            return begun.number
        return 0 if newest is None else newest.number
    return 0 if "django_migrations" in tables else None


def _has_steps() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _is_begun() -> bool:
    """Whether an upgrade to this version was interrupted after its restore point was made."""
    if DataVersion._meta.db_table not in connection.introspection.table_names():
        return False
    return DataVersion.objects.filter(number=DATA_VERSION, ended_at=None).exists()


def _note(*, ended: bool) -> None:
    if DataVersion._meta.db_table not in connection.introspection.table_names():
        # made by the first migration of all
        return
    row, _ = DataVersion.objects.get_or_create(number=DATA_VERSION)
    if ended and row.ended_at is None:
        row.ended_at = timezone.now()
        row.save()


def _make_restore_point(tell: Callable[[str], None]) -> None:
    """Copy the database, and give the copy its name once it is whole and the same."""
    tell("Copying the database as a restore point")
    live = postgres.live_database()
    scratch, before = live + postgres.SCRATCH, live + postgres.BEFORE
    with tempfile.TemporaryDirectory() as folder:
        dumped = Path(folder) / "database.dump"
        with postgres.exported_snapshot() as snapshot:
            promised = table_facts()
            postgres.dump(dumped, snapshot=snapshot)
        postgres.create_database(scratch)
        postgres.load(dumped, scratch)
    with postgres.connected_to(scratch):
        copied = table_facts()
    if copied != promised:
        raise BackupError("The copy of the database differs from it, so nothing was upgraded; check the disk.")
    postgres.drop_database(before)
    postgres.rename(scratch, before)
