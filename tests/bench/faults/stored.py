"""What the platform holds, read in two ways that go round its web server's memory: the database and the export."""

import io
import time
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pyarrow.parquet
from bench.faults.ledger import Stored
from platform_process import Platform

from embedded.data_folder import Layout
from embedded.export_file import download_export
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


def plays_in_database(platform: Platform, study: str) -> list[Stored]:
    """Every play on the study, but for those whose browser says that they were broken off."""
    query = """
        SELECT play.id, trial.session_id, trial.position, play.replay, play.evidence
        FROM ratings_play play
        JOIN ratings_trial trial ON trial.id = play.trial_id
        JOIN ratings_session session ON session.id = trial.session_id
        JOIN studies_fielding fielding ON fielding.id = session.fielding_id
        WHERE fielding.study_id = %s AND (play.evidence ->> 'complete') IS DISTINCT FROM 'false'
    """
    with connect(platform) as connection:
        rows = connection.execute(query, [study]).fetchall()
    return [
        Stored(str(play), str(session), position, {"replay": replay, "evidence": evidence})
        for play, session, position, replay, evidence in rows
    ]


def controls_in_database(platform: Platform, study: str) -> list[Stored]:
    """Every answer to a control question of the study."""
    query = """
        SELECT answer.id, answer.session_id, answer.key, answer.choice
        FROM ratings_controlanswer answer
        JOIN ratings_session session ON session.id = answer.session_id
        JOIN studies_fielding fielding ON fielding.id = session.fielding_id
        WHERE fielding.study_id = %s
    """
    with connect(platform) as connection:
        rows = connection.execute(query, [study]).fetchall()
    return [Stored(str(answer), str(session), key, {"choice": choice}) for answer, session, key, choice in rows]


def not_played(platform: Platform, study: str, sessions: Collection[str]) -> list[str]:
    """Which of these complete sessions the rule R1 does not find to have played every film to its end.

    They are judged behind their end: waits until the platform has a verdict on each, or for a while.
    """
    address = f"/api/research/studies/{study}/conformance/sessions"
    left: list[str] = []
    with _researcher(platform) as client:
        end = time.monotonic() + EXPORT_S
        while time.monotonic() < end:
            broken = {
                row["session_id"]: next(
                    (finding["broken"] for finding in row["findings"] if finding["rule"] == "R1"), None
                )
                for row in _all_pages(client, address)
            }
            left = [session for session in sessions if broken.get(session) != "no"]
            if not any(broken.get(session) is None for session in sessions):
                break
            time.sleep(0.5)
    return left


def _all_pages(client: httpx.Client, address: str) -> list[dict[str, Any]]:
    """The rows of all pages of a list of sessions."""
    rows: list[dict[str, Any]] = []
    page, pages = 1, 1
    while page <= pages:
        answer = client.get(address, params={"page": page}).raise_for_status().json()
        rows += answer["sessions"]
        page, pages = page + 1, answer["pages"]
    return rows


def _researcher(platform: Platform) -> httpx.Client:
    return researcher(platform.url, platform.secret("studies-token"))


def researcher(url: str, token: str) -> httpx.Client:
    """A program with a token for studies."""
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=120, trust_env=False)


def codes_in_database(platform: Platform) -> dict[str, str]:
    """Session -> completion code, of the completed ones."""
    query = "SELECT id, completion_code FROM ratings_session WHERE state = 'completed'"
    with connect(platform) as connection:
        return {str(session): code for session, code in connection.execute(query).fetchall()}


def in_export(platform: Platform, study: str, *, votes: int) -> list[Stored]:
    """Every vote in the snapshot that a researcher takes home, once it holds so many, or after a while as it is."""
    with _researcher(platform) as client:
        return exported(client, study, votes=votes) if votes else []


def exported(client: httpx.Client, study: str, *, votes: int) -> list[Stored]:
    """As in_export, for a client of any platform."""
    end = time.monotonic() + EXPORT_S
    while time.monotonic() < end:
        results = client.get(f"/api/research/studies/{study}/results").json()
        if results["status"] == "fresh" and results["snapshot"] and results["snapshot"]["votes"] == votes:
            break
        time.sleep(0.5)
    archive = download_export(client, study, within_s=EXPORT_S)
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        days = [file.read(name) for name in file.namelist() if name.startswith("votes/")]
    rows = [row for day in days for row in pyarrow.parquet.read_table(io.BytesIO(day)).to_pylist()]
    return [_exported(row) for row in rows]


def commit_settings(platform: Platform) -> dict[str, str]:
    """What the served database says about commits, to a connection that sets nothing itself."""
    with connect(platform) as connection:
        return {name: str(connection.execute(f"SHOW {name}").fetchone()[0]) for name in DURABLE}  # type: ignore[index]


def double_a_row(platform: Platform, table: str) -> None:
    """Store one row a second time under another id, past all that forbids it: a lie that the bench must find."""
    with connect(platform) as connection:
        found = connection.execute(
            "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'u'", [table]
        ).fetchall()
        for (name,) in found:
            connection.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        names = [
            row[0]
            for row in connection.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s", [table]
            ).fetchall()
        ]
        columns = ", ".join(f'"{name}"' for name in names if name != "id")
        connection.execute(
            f"INSERT INTO {table} (id, {columns}) SELECT gen_random_uuid(), {columns} FROM {table} LIMIT 1"  # noqa: S608
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
