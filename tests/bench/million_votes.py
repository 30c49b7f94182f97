"""Store a million votes, open every page of the study's researcher, and vote: no page takes longer than a second.

    tests/bench/million_votes.py [--votes 1000000]

Starts a platform of its own in a temporary folder, and fills a study by SQL: sessions of ten votes, ten plays and a
verdict. The analysis is held back, since it reads everything; the worker counts as in the field. Prints the
slowest of five answers of each address that the pages call, and the time of a vote before and after.
Status 1 where an answer takes longer than a second, or the median of a vote more than half as long again.
"""

import argparse
import json
import statistics
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg

sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.faults.stored import connect  # noqa: E402 - found by the path above
from platform_process import Platform, running  # noqa: E402

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
VOTES_PER_SESSION = 10
# at most a half-hour of the platform's work
COUNTED_S = 1800.0
BOUND_S = 1.0
TIMES = 5
VOTES_TIMED = 60
SLOWER = 1.5

SESSIONS = """
INSERT INTO ratings_participant (id, created_at)
  SELECT md5(%(name)s || 'p' || n)::uuid, now() FROM generate_series(1, %(sessions)s) n;
INSERT INTO ratings_session (id, participant_id, fielding_id, number, token_sha256, state, origin, language,
    consent_version, screen_width_px, screen_height_px, device_pixel_ratio, started_at, completed_at, lease_until,
    completion_code)
  SELECT md5(%(name)s || 's' || n)::uuid, md5(%(name)s || 'p' || n)::uuid,
    %(fielding)s, %(first)s + n, md5(%(name)s || 't' || n), 'completed', 'person',
    'en', '1', 1920, 1080, 1, now() - interval '1 hour' + n * interval '10 ms', now(), now(),
    substr(md5(%(name)s || 'c' || n), 1, 16)
  FROM generate_series(1, %(sessions)s) n;
INSERT INTO ratings_trial (session_id, position, stimulus_id, role, kind, kind_version, clip_token, skipped)
  SELECT md5(%(name)s || 's' || n)::uuid, i,
    (%(stimuli)s::bigint[])[1 + (n * 7 + i) %% array_length(%(stimuli)s::bigint[], 1)],
    'main', 'rate', 2, 'bench-' || %(name)s || n || '-' || i, false
  FROM generate_series(1, %(sessions)s) n, generate_series(1, %(per_session)s) i;
INSERT INTO ratings_play (id, trial_id, started_at, ended_at, replay, frames_presented, frames_dropped, evidence,
    received_at)
  SELECT md5('y' || id)::uuid, id, now(), now(), false, 213, 0, %(evidence)s::jsonb, now()
  FROM ratings_trial WHERE clip_token LIKE 'bench-' || %(name)s || '%%' AND kind = 'rate';
INSERT INTO ratings_vote (id, trial_id, session_id, study_id, clip_sha256, stacks, context, position, kind,
    kind_version, data, role, replays, answer_ms, answered_at, received_at)
  SELECT md5('v' || trial.id)::uuid, trial.id, session_id, %(study)s, clip.sha256, ARRAY['QUIC'], stimulus.context,
    position, 'rate', 2, jsonb_build_object('score', 1 + trial.id %% 7), 'main', 0, 1234.5, now(), now()
  FROM ratings_trial trial
  JOIN studies_stimulus stimulus ON stimulus.id = stimulus_id JOIN stimuli_clip clip ON clip.id = stimulus.clip_id
  WHERE clip_token LIKE 'bench-' || %(name)s || '%%' AND trial.kind = 'rate';
INSERT INTO conformance_verdict (session_id, version, accepted, used, findings, plays, judged_at)
  SELECT md5(%(name)s || 's' || n)::uuid, 3, true, n %% 20 > 0, %(findings)s::jsonb, %(per_session)s, now()
  FROM generate_series(1, %(sessions)s) n;
INSERT INTO ratings_exclusion (session_id, rule, excluded_at)
  SELECT md5(%(name)s || 's' || n)::uuid, 'R2', now() FROM generate_series(1, %(sessions)s) n WHERE n %% 20 = 0;
UPDATE studies_fielding SET sessions_without_assignment = %(sessions)s WHERE id = %(fielding)s;
"""
# in the place of a study's own plays
EVIDENCE: dict[str, Any] = {
    "version": 1,
    "media_ms": 3550,
    "wall_ms": 3561.2,
    "off_speed_ms": 4.2,
    "off_speed": False,
    "frames_presented": 213,
    "frames_dropped": 0,
    "stalls": [],
    "hidden": [],
    "unfocused": [],
    "pauses": [],
    "complete": True,
    "frame_callback": True,
    "refresh_hz": 60,
    "device_pixel_ratio": 1,
    "zoom": 1,
    "shown": {"width_px": 1280, "height_px": 720, "scale": 1, "device_scale": 1},
    "window": {"width_px": 1440, "height_px": 900},
    "screen": {"width_px": 1440, "height_px": 900},
}
RULES = [f"R{number}" for number in range(1, 10)]
FINDINGS = [{"rule": rule, "broken": "no", "reason": "", "trials": [], "unknown": 0} for rule in RULES]
# what the researcher's pages call, of all studies and of one
PAGES = ("", "/conformance", "/conformance/sessions?page=1", "/conformance/sessions?page={last}", "/results")
PAGES += ("/exports", "/privacy", "/shares")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--votes", type=int, default=1_000_000)
    wanted = parser.parse_args().votes
    with running() as platform:
        study = platform.publish(FIXTURES / "sample-batch", FIXTURES / "study-demo.yaml")
        hold_analysis(platform, study["sha256"])
        before = vote_times(platform, study)
        begun = time.monotonic()
        fill(platform, study, sessions=wanted // VOTES_PER_SESSION)
        print(f"{wanted} votes stored in {time.monotonic() - begun:.0f} s", flush=True)
        print(f"counted by the worker {wait_until_counted(platform, study, wanted):.0f} s later", flush=True)
        slow = open_pages(platform, study, sessions=wanted // VOTES_PER_SESSION)
        after = vote_times(platform, study)
    factor = statistics.median(after) / statistics.median(before)
    print(
        f"a vote: median {1000 * statistics.median(before):.0f} ms before, "
        f"{1000 * statistics.median(after):.0f} ms after ({factor:.2f} times; bound {SLOWER})"
    )
    return 1 if slow or factor > SLOWER else 0


def hold_analysis(platform: Platform, study: str) -> None:
    with connect(platform) as connection:
        connection.execute(
            "INSERT INTO analysis_analysisstate (study_id, wanted, done, erasures, votes_read, exclusions_read,"
            " verdicts_read, not_before) VALUES (%s, 0, 0, 0, 0, 0, 0, now() + interval '1 day')"
            " ON CONFLICT (study_id) DO UPDATE SET not_before = excluded.not_before",
            [study],
        )


def fill(platform: Platform, study: dict[str, Any], *, sessions: int, name: str = "") -> None:
    """Store judged sessions with their votes and plays; a different `name` for each study keeps their ids distinct."""
    # at once, so that the worker does not judge sessions before their verdicts are there
    with connect(platform) as connection, connection.transaction():
        slug = study["fieldings"][0]["slug"]
        fielding = _one(connection, "SELECT id FROM studies_fielding WHERE slug = %s", slug)
        rated = "SELECT array_agg(id) FROM studies_stimulus WHERE study_id = %s AND kind = 'rate' AND role = 'main'"
        values = {
            "sessions": sessions,
            "name": name,
            "first": 1_000_000,
            "per_session": VOTES_PER_SESSION,
            "fielding": fielding,
            "study": study["sha256"],
            "stimuli": _one(connection, rated, study["sha256"]),
            "evidence": json.dumps(EVIDENCE),
            "findings": json.dumps(FINDINGS),
        }
        # no look-up of each foreign key: half of the time
        connection.execute("SET LOCAL session_replication_role = replica")
        for statement in SESSIONS.strip().split(";\n"):
            connection.execute(statement.strip().rstrip(";"), values)
    # as autovacuum does within minutes, and before anything is timed
    with connect(platform) as connection:
        connection.execute("VACUUM (ANALYZE)")


def wait_until_counted(platform: Platform, study: dict[str, Any], votes: int) -> float:
    begun = time.monotonic()
    with connect(platform) as connection:
        while time.monotonic() - begun < COUNTED_S:
            counts = "SELECT name, value, took_s FROM studies_storedcount WHERE study_id = %s ORDER BY name"
            rows = connection.execute(counts, [study["sha256"]]).fetchall()
            if any(name == "votes" and value >= votes for name, value, _ in rows) and len(rows) == 4:
                print("counting took", ", ".join(f"{name} {took_s:.1f} s" for name, _, took_s in rows))
                return time.monotonic() - begun
            time.sleep(1)
    raise SystemExit(f"The worker has not counted the votes within {COUNTED_S:.0f} s.")


def open_pages(platform: Platform, study: dict[str, Any], *, sessions: int) -> int:
    """Print each address with the slowest of its answers; how many are out of bounds."""
    base = f"/api/research/studies/{study['sha256']}"
    last = -(-sessions // 100)
    slow = 0
    with researcher(platform) as client:
        for path in ("/api/research/studies", "/api/audit", *(base + page.format(last=last) for page in PAGES)):
            times, size = [], 0
            for _ in range(TIMES):
                begun = time.monotonic()
                size = len(client.get(path).raise_for_status().content)
                times.append(time.monotonic() - begun)
            slow += max(times) > BOUND_S
            name = path.replace(study["sha256"], "STUDY")
            print(
                f"{max(times):6.2f} s {size:8d} bytes {'SLOW' if max(times) > BOUND_S else '    '} {name}", flush=True
            )
    return slow


@contextmanager
def researcher(platform: Platform) -> Iterator[httpx.Client]:
    """A browser in which the owner of the study has signed in."""
    client = httpx.Client(base_url=platform.url, timeout=120, trust_env=False)
    client.get("/api/auth/me")
    password = platform.secret("admin-password").strip()
    body = {"username": "admin", "password": password}
    headers = {"X-CSRFToken": client.cookies["csrftoken"]}
    client.post("/api/auth/login", json=body, headers=headers).raise_for_status()
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
    try:
        yield client
    finally:
        client.close()


def vote_times(platform: Platform, study: dict[str, Any]) -> list[float]:
    """How long the platform takes to store each of some votes, by new participants one after the other."""
    times: list[float] = []
    slug = study["fieldings"][0]["slug"]
    while len(times) < VOTES_TIMED:
        with httpx.Client(base_url=platform.url, timeout=60, trust_env=False) as client:
            screen = {"width_px": 1920, "height_px": 1080, "device_pixel_ratio": 1}
            body = {"language": "en", "consent_version": study_version(client, slug), "screen": screen}
            session = client.post(f"/api/participate/{slug}/sessions", json=body).raise_for_status().json()
            for trial in session["trials"]:
                begun = time.monotonic()
                answer = client.put(f"/api/session/votes/{uuid.uuid4()}", json=vote(session, trial))
                times.append(time.monotonic() - begun)
                assert answer.is_success, answer.text
    return times[:VOTES_TIMED]


def study_version(client: httpx.Client, slug: str) -> str:
    return str(client.get(f"/api/participate/{slug}").raise_for_status().json()["consent"]["version"])


def vote(session: dict[str, Any], trial: dict[str, Any]) -> dict[str, Any]:
    data = {"rate": {"score": 4}, "compare": {"choice": "left", "sureness": 3}}[trial["kind"]]
    return {
        "session_id": session["id"],
        "position": trial["position"],
        "clip_digest": trial["clip"]["digest"],
        "kind": trial["kind"],
        "kind_version": trial["kind_version"],
        "data": data,
        "layout": "row",
        "replays": 0,
        "answer_ms": 1234.5,
        "answered_at": "2026-01-01T12:00:00.000Z",
    }


def _one(connection: psycopg.Connection[Any], query: str, *values: str) -> Any:
    row = connection.execute(query, list(values)).fetchone()  # type: ignore[arg-type]
    assert row is not None
    return row[0]


if __name__ == "__main__":
    sys.exit(main())
