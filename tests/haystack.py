"""Reads everything that a platform stores as text: a dump of its database, its files and its queue."""

import io
import re
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pyarrow.parquet as pq
import redis
from platform_process import PREFIX, bucket_folder
from s3_stores import BUCKET

from embedded import servers
from embedded.data_folder import Layout

# PostgreSQL's own files are searched as a dump; the videos hold nothing of anybody
NOT_AS_FILES = ("postgres", "blobs", "run")


@dataclass(frozen=True)
class Straw:
    """One place that something may be found in, and all that it says."""

    where: str
    text: str


def database(data: Path) -> str:
    return servers.postgres_url(Layout(data).sockets)


def dump(data: Path) -> str:
    """A full dump by pg_dump of the very version that runs: every table, a statement for every row."""
    return _run(data, "pg_dump", "--inserts", "--no-owner", database(data))


def restore(data: Path, text: str) -> None:
    """Put a dump in the place of all that is there."""
    with psycopg.connect(database(data), autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    _run(data, "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", "--dbname", database(data), text=text)


def haystack(data: Path) -> Iterator[Straw]:
    """All of it, a straw for each table's rows, file and key."""
    for line in dump(data).splitlines():
        table = line.split()[2] if line.startswith("INSERT INTO") else "other"
        yield Straw(f"dump of {table}", line)
    yield Straw("statistics of the planner", _statistics(data))
    for folder in (data, *_in_the_store(data)):
        yield from _files(folder)
    yield from _queue(data)


def places_of(needles: Mapping[str, tuple[str, ...]], data: Path) -> dict[str, set[str]]:
    """Where each needle lies, in any of its spellings; a needle that lies nowhere is left out."""
    patterns = {name: re.compile("|".join(map(_pattern, spellings))) for name, spellings in needles.items()}
    lying: dict[str, set[str]] = {}
    for straw in haystack(data):
        for name, pattern in patterns.items():
            if pattern.search(straw.text):
                lying.setdefault(name, set()).add(straw.where)
    return lying


def _pattern(spelling: str) -> str:
    """A number does not stand in a digest or a fraction of a second, where the same digits are something else."""
    return rf"(?<![0-9a-f.]){spelling}(?![0-9a-f])" if spelling.isdigit() else re.escape(spelling)


def _statistics(data: Path) -> str:
    """What ANALYZE drew from the tables: samples of values that pg_dump leaves out."""
    with psycopg.connect(database(data)) as connection:
        return "\n".join(str(row) for row in connection.execute("SELECT * FROM pg_stats WHERE schemaname = 'public'"))


def _in_the_store(data: Path) -> tuple[Path, ...]:
    """The files of an S3 store of tests, and all that it notes about them; nothing without a store."""
    return (bucket_folder(data) / "bucket" / BUCKET / PREFIX, bucket_folder(data) / "side")


def _files(folder: Path) -> Iterator[Straw]:
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder)
        if not path.is_file() or place.parts[0] in NOT_AS_FILES:
            continue
        content = path.read_bytes()
        yield Straw(f"file {place}", content.decode("latin-1"))
        if path.suffix == ".parquet":
            table = pq.read_table(io.BytesIO(content))
            rows = "\n".join(f"{name}={value}" for row in table.to_pylist() for name, value in row.items())
            # a part is named by its digest
            kind = next((kind for kind in ("vote", "play") if f"{kind}_id" in table.column_names), None)
            yield Straw(f"rows of {path.name}" if kind is None else f"rows of {kind}s", rows)
        if path.suffix == ".zip":
            yield from _packed(content)


def _packed(content: bytes) -> Iterator[Straw]:
    """The files of an export."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            yield Straw(f"{name} of an export", archive.read(name).decode("latin-1"))


def _queue(data: Path) -> Iterator[Straw]:
    with redis.Redis.from_url(servers.valkey_url(Layout(data).sockets)) as client:
        for key in client.scan_iter():
            kind = client.type(key)
            if kind == b"string":
                content = client.get(key)
            elif kind == b"hash":
                content = client.hgetall(key)
            elif kind == b"list":
                content = client.lrange(key, 0, -1)
            elif kind == b"set":
                content = client.smembers(key)
            else:
                content = client.zrange(key, 0, -1, withscores=True)
            yield Straw(f"queue {key!r}", f"{key!r} {content!r}")


def _run(data: Path, program: str, *arguments: str, text: str | None = None) -> str:
    binary = servers.find_postgres_binaries(servers.data_major(Layout(data).postgres)) / program
    done = subprocess.run([str(binary), *arguments], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{program} ended with {done.returncode}: {done.stderr[-800:]}"
    return done.stdout
