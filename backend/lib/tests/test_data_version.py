"""A change of tables is a new data version, so that an older program refuses the data and an upgrade keeps a copy."""

from pathlib import Path

from django.apps import apps
from django.db.migrations.loader import MigrationLoader

from lib.data_version import DATA_VERSION

BACKEND = Path(__file__).parents[2]
# the version's number, and the last migration of each of our apps in it
VERSION, LAST = (
    5,
    {
        "accounts": "0002_signin",
        "analysis": "0002_parts",
        "audit": "0002_archive_and_delete",
        "backups": "0001_initial",
        "conformance": "0001_initial",
        "exports": "0002_exportjob",
        "fieldwork": "0001_initial",
        "health": "0001_initial",
        "privacy": "0001_initial",
        "ratings": "0004_delete_missingid",
        "stimuli": "0001_initial",
        "studies": "0002_study_archived_at",
    },
)
CURE = (
    "Tables changed: raise DATA_VERSION in lib/data_version.py, describe it in docs/guides/upgrade.md, keep "
    "fixtures/data-N.backup of the version before (fixtures/make_data.py), and write the new migrations here."
)


def test_new_migrations_raise_the_data_version() -> None:
    ours = {config.label for config in apps.get_app_configs() if Path(config.path).parent == BACKEND}
    leaves = dict(MigrationLoader(None).graph.leaf_nodes())
    found = {label: name for label, name in leaves.items() if label in ours}
    assert (DATA_VERSION, found) == (VERSION, LAST), CURE
