"""Header of a backup: the state of all data at one moment, with which a restore is compared.

It is read in one transaction, whose snapshot `pg_dump` uses too. Tables are compared by digests of their rows, studies
by the digest of the export that a researcher would download.
"""

import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone
from pydantic import TypeAdapter

import analysis
import exports
import eyelevel_core
import eyelevel_figures
import eyelevel_stats
from analysis.models import AnalysisState, Part, ResultOrigin, Snapshot
from analysis.origins import of_origin
from analysis.snapshots import files
from analysis.snapshots.files import DamagedSnapshotError
from exports.archive import write_archive
from lib.data_version import DATA_VERSION
from stimuli.models import BatchFile, BatchState
from studies.models import Study

CONTRACT = "eyelevel/backup/1"
# settings that are needed to set up the same platform again; none of them is secret
SETTINGS = (
    *("EYELEVEL_ALLOWED_HOSTS", "EYELEVEL_PUBLIC_URL", "EYELEVEL_SECURE_COOKIES", "EYELEVEL_TRUSTED_PROXY"),
    "EYELEVEL_REQUIRE_SECOND_FACTOR",
    *("EYELEVEL_MAX_BATCH_FILES", "EYELEVEL_WORKERS", "EYELEVEL_STORE", "AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION"),
)


@dataclass(frozen=True)
class TableFacts:
    """Number and digest of a table's rows, in the order of its primary key."""

    rows: int
    sha256: str


@dataclass(frozen=True)
class StudyFacts:
    """A study's votes and, per origin of votes, the digest of its export; empty if nothing has been analysed yet."""

    name: str
    votes: int
    votes_sha256: str
    snapshot: str | None
    exports: dict[str, str]


@dataclass(frozen=True)
class FileFacts:
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Header:
    """The first entry of a backup."""

    created_at: str
    data_version: int
    # digest of the code that computes results: other code may compute other bytes
    program_sha256: str
    postgres: str
    tables: dict[str, TableFacts]
    studies: dict[str, StudyFacts]
    # digests of all files of batches, which are their names in the store
    blobs: list[FileFacts]
    # digest of a snapshot, or of a study for the parts of its snapshots -> files by name
    snapshots: dict[str, dict[str, FileFacts]]
    erasures: int
    settings: dict[str, str] = field(default_factory=dict)
    contract: str = CONTRACT

    @property
    def votes(self) -> int:
        return sum(study.votes for study in self.studies.values())

    @property
    def files_bytes(self) -> int:
        """Bytes of all files, without the database."""
        files = [*self.blobs, *(file for named in self.snapshots.values() for file in named.values())]
        return sum(file.bytes for file in files)

    def as_bytes(self) -> bytes:
        return HEADER.dump_json(self)

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.created_at)


HEADER = TypeAdapter(Header)


def read_header(*, erasures: int) -> Header:
    """Read the current state; call it in a transaction with a fixed snapshot, while the files are held."""
    tables = table_facts()
    return Header(
        created_at=timezone.now().isoformat(timespec="seconds"),
        data_version=DATA_VERSION,
        program_sha256=program_sha256(),
        postgres=_scalar("SHOW server_version"),
        tables=tables,
        studies=study_facts(),
        blobs=blob_facts(),
        snapshots=snapshot_facts(),
        erasures=erasures,
        settings={name: os.environ[name] for name in SETTINGS if os.environ.get(name)},
    )


def table_facts() -> dict[str, TableFacts]:
    """Number and digest of rows of every table of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        names = sorted(name for (name,) in cursor.fetchall())
    return {name: _table_facts(name) for name in names}


def _table_facts(name: str) -> TableFacts:
    return TableFacts(*_digest(f'SELECT * FROM "{name}"{_by_key(name)}'))  # noqa: S608 - a name of PostgreSQL's own


def study_facts() -> dict[str, StudyFacts]:
    """Votes and digests of exports of every study."""
    return {study.sha256: _study_facts(study) for study in Study.objects.order_by("pk")}


def blob_facts() -> list[FileFacts]:
    """Files of complete batches. The sender of an incomplete batch uploads the missing files again."""
    files = BatchFile.objects.exclude(batch__state=BatchState.RECEIVING).order_by("sha256")
    return [FileFacts(sha256, size) for sha256, size in files.values_list("sha256", "bytes").distinct()]


def snapshot_facts() -> dict[str, dict[str, FileFacts]]:
    """Digests of the stored files of every snapshot, and of the parts of every study.

    A missing file was erased or superseded a moment ago.
    """
    facts: dict[str, dict[str, FileFacts]] = {}
    studies = Part.objects.order_by("study").values_list("study", flat=True).distinct()
    for folder in (*Snapshot.objects.order_by("pk").values_list("pk", flat=True), *studies):
        named = facts[folder] = {}
        for stored in files.of(folder):
            name = stored.key.rpartition("/")[2]
            with suppress(FileNotFoundError):
                named[name] = FileFacts(files.sha256_of(folder, name), stored.bytes)
    return {digest: named for digest, named in facts.items() if named}


@cache
def program_sha256() -> str:
    """Digest of the source that computes and exports results."""
    digest = hashlib.sha256()
    for package in (analysis, exports, eyelevel_core, eyelevel_figures, eyelevel_stats):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            if "tests" not in path.parts:
                digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _study_facts(study: Study) -> StudyFacts:
    votes, votes_sha256 = _digest("SELECT * FROM ratings_vote WHERE study_id = %s ORDER BY id", study.pk)
    state = AnalysisState.objects.select_related("result__snapshot__study").filter(study=study).first()
    result = None if state is None else state.shown
    digests: dict[str, str] = {}
    if result is not None:
        for origin in ResultOrigin:
            exported = of_origin(result, origin)
            if exported is not None and (digest := export_sha256(exported)) is not None:
                digests[origin.value] = digest
    return StudyFacts(study.name, votes, votes_sha256, None if result is None else result.snapshot_id, digests)


def export_sha256(result: Any) -> str | None:
    """Digest of the export of a result; None if its snapshot was erased or superseded a moment ago."""
    packed = io.BytesIO()
    try:
        write_archive(result, packed)
    except DamagedSnapshotError:
        return None
    return hashlib.sha256(packed.getbuffer()).hexdigest()


def _digest(query: str, *values: str) -> tuple[int, str]:
    digest, rows = hashlib.sha256(), 0
    for block in _copied(query, *values):
        digest.update(block)
        # a line break within a value is escaped
        rows += bytes(block).count(b"\n")
    return rows, digest.hexdigest()


def _copied(query: str, *values: str) -> Iterator[memoryview]:
    """The rows in PostgreSQL's text format, which is the same in every supported version."""
    with connection.cursor() as cursor:
        for setting, value in (("TimeZone", "UTC"), ("DateStyle", "ISO"), ("extra_float_digits", "1")):
            cursor.execute("SELECT set_config(%s, %s, true)", [setting, value])
        with cursor.copy(f"COPY ({query}) TO STDOUT", values) as rows:
            yield from rows


def _by_key(table: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT quote_ident(attname) FROM pg_index
            JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
            WHERE indrelid = %s::regclass AND indisprimary ORDER BY array_position(indkey::int2[], attnum)
            """,
            [f'"{table}"'],
        )
        columns = [name for (name,) in cursor.fetchall()]
    return f" ORDER BY {', '.join(columns)}" if columns else ""


def _scalar(query: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return str(cursor.fetchone()[0])
