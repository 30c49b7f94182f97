"""Upgrades the data to the version of this program, after making a restore point; continues an interrupted upgrade.

The steps are migrations. Each of them is one transaction, so an upgrade that was killed continues with the next one.
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
    """Migrate an older database, set up an empty one, reject a newer one (BackupError).

    Several processes may call this at the same time: one upgrades, and the others find nothing to do.
    """
    with postgres.alone():
        current = data_version()
        if current is not None and current > DATA_VERSION:
            raise BackupError(
                f"The data have version {current}, but this Eyelevel reads version {DATA_VERSION}, because a newer "
                "Eyelevel has used them. Install the newer one again, or restore a backup from before."
            )
        if current is not None and _has_steps():
            if not _is_begun():
                _make_restore_point(tell)
            tell(f"Upgrading the data from version {current} to {DATA_VERSION}")
        bring_up_to_date()


def bring_up_to_date() -> None:
    """Run each migration that the database lacks, and record its version."""
    _note(ended=False)
    call_command("migrate", interactive=False, verbosity=0)
    _note(ended=True)


def data_version() -> int | None:
    """The version of the data; None if there are none, 0 if they are older than version numbers."""
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
        # the table is created by the first migration
        return
    row, _ = DataVersion.objects.get_or_create(number=DATA_VERSION)
    if ended and row.ended_at is None:
        row.ended_at = timezone.now()
        row.save()


def _make_restore_point(tell: Callable[[str], None]) -> None:
    """Copy the database, and name the copy as the restore point once it is complete and equal."""
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
        raise BackupError("The database's copy differs from the original, so nothing was upgraded; check the disk.")
    postgres.drop_database(before)
    postgres.rename(scratch, before)
