"""Reads plays and votes of a session from the database; no API returns plays."""

import time
from collections.abc import Callable
from typing import Any

import psycopg
from platform_process import Platform
from psycopg.rows import dict_row

from embedded.data_folder import Layout
from embedded.servers import postgres_url

ARRIVES_S = 20.0
PLAYS = """
    SELECT play.evidence, play.replay, trial.position
    FROM ratings_play play JOIN ratings_trial trial ON trial.id = play.trial_id
    WHERE trial.session_id = %s ORDER BY play.started_at
"""
VOTES = """
    SELECT position, data, layout, kind_version, replays, media_ms, answer_ms, away
    FROM ratings_vote WHERE session_id = %s ORDER BY position
"""


def plays_of(platform: Platform, session_id: str, *, at_least: int = 0) -> list[dict[str, Any]]:
    """The session's plays in the order in which they began, once there are that many."""
    return _rows(platform, PLAYS, session_id, at_least)


def votes_of(platform: Platform, session_id: str, *, at_least: int = 0) -> list[dict[str, Any]]:
    return _rows(platform, VOTES, session_id, at_least)


def _rows(platform: Platform, query: str, session_id: str, at_least: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    with psycopg.connect(
        postgres_url(Layout(platform.data).sockets), row_factory=dict_row, autocommit=True
    ) as database:

        def arrived() -> bool:
            rows[:] = database.execute(query, [session_id]).fetchall()
            return len(rows) >= at_least

        wait_until(arrived)
    assert len(rows) >= at_least, f"{len(rows)} rows after {ARRIVES_S:g} s, not {at_least}"
    return rows


def wait_until(condition: Callable[[], bool], within_s: float = ARRIVES_S) -> None:
    end = time.monotonic() + within_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)
