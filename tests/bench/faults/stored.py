"""What the platform holds, read in two ways that go round its web server's memory: the database and the export."""

import io
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pyarrow.parquet
from bench.faults.ledger import Stored
from platform_process import Platform

from embedded.layout import Layout
from embedded.servers import postgres_url

EXPORT_S = 180.0
DURABLE = ("fsync", "synchronous_commit", "full_page_writes")


def connect(platform: Platform) -> psycopg.Connection[Any]:
    return psycopg.connect(postgres_url(Layout(platform.data).sockets), autocommit=True)


def in_database(platform: Platform, study: str) -> list[Stored]:
    """Every vote on the study, straight from its table."""
    query = "SELECT id, session_id, position, data, clip_sha256 FROM ratings_vote WHERE study_id = %s"
    with connect(platform) as connection:
        rows = connection.execute(query, [study]).fetchall()
    return [Stored(str(vote), str(session), position, data, clip) for vote, session, position, data, clip in rows]


def codes_in_database(platform: Platform) -> dict[str, str]:
    """Session -> completion code, of the completed ones."""
    query = "SELECT id, completion_code FROM ratings_session WHERE state = 'completed'"
    with connect(platform) as connection:
        return {str(session): code for session, code in connection.execute(query).fetchall()}


def in_export(platform: Platform, study: str, *, votes: int) -> list[Stored]:
    """Every vote in the snapshot that a researcher takes home, once it holds so many, or after a while as it is."""
    if votes == 0:
        return []
    address = f"/api/research/studies/{study}"
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    with httpx.Client(base_url=platform.url, headers=headers, timeout=120, trust_env=False) as client:
        end = time.monotonic() + EXPORT_S
        while time.monotonic() < end:
            told = client.get(f"{address}/results").json()
            if told["status"] == "fresh" and told["snapshot"] and told["snapshot"]["votes"] == votes:
                break
            time.sleep(0.5)
        archive = client.get(f"{address}/export").raise_for_status().content
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        rows = pyarrow.parquet.read_table(io.BytesIO(file.read("votes.parquet"))).to_pylist()
    return [_exported(row) for row in rows]


def commit_settings(platform: Platform) -> dict[str, str]:
    """What the served database says about commits, to a connection that sets nothing itself."""
    with connect(platform) as connection:
        return {name: str(connection.execute(f"SHOW {name}").fetchone()[0]) for name in DURABLE}  # type: ignore[index]


def double_a_vote(platform: Platform) -> None:
    """Store one vote a second time under another id, past all that forbids it: a lie that the bench must find."""
    with connect(platform) as connection:
        found = connection.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'ratings_vote'::regclass AND contype = 'u'"
        ).fetchall()
        for (name,) in found:
            connection.execute(f'ALTER TABLE ratings_vote DROP CONSTRAINT "{name}"')
        names = [
            row[0]
            for row in connection.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = 'ratings_vote'"
            ).fetchall()
        ]
        kept = ", ".join(f'"{name}"' for name in names if name != "id")
        connection.execute(
            f"INSERT INTO ratings_vote (id, {kept}) SELECT gen_random_uuid(), {kept} FROM ratings_vote LIMIT 1"  # noqa: S608
        )


def _exported(row: dict[str, Any]) -> Stored:
    names = ("score",) if row["trial_kind"] == "rate" else ("choice", "sureness")
    data = {name: row[name] for name in names}
    return Stored(row["vote_id"], row["session_id"], row["position"], data, row["clip_sha256"])


def free_of(path: Path) -> Path:
    """The path, which must not be there yet: a ledger is never mixed with an older one."""
    if path.exists():
        raise SystemExit(f"{path} is there already; name another file by --ledger.")
    return path
