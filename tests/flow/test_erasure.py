"""Tests erasure: planted values of a withdrawn participant are found nowhere, also after a restore."""

import hashlib
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import platform_process
import psycopg
import pytest
import yaml
from clip_links import sha256_of
from haystack import database, dump, places_of, restore
from platform_process import Platform

from embedded import processes, servers
from embedded.data_folder import Layout
from embedded.export_file import download_export

pytestmark = [pytest.mark.services]

REPOSITORY = Path(__file__).resolve().parents[2]
BATCH = REPOSITORY / "fixtures" / "tiny-batch"
MANIFEST = json.loads((BATCH / "manifest.json").read_text(encoding="utf-8"))
STUDY = REPOSITORY / "fixtures" / "study-demo.yaml"
WAIT_S = 90.0

RECRUITER_ID = "prolific-unmistakable-17"
SUBMISSION = "submission-unmistakable-17"
ADDRESS, BROWSER = "203.0.113.77", "UnmistakableBrowser/31.4"
# values that no other participant sends, and no study's text holds
PLANTED: dict[str, tuple[str, ...]] = {
    "recruiter's id": (RECRUITER_ID,),
    "parameter of the link": (SUBMISSION,),
    "answer about the person": ('"planted": "never-told"', '\\"planted\\": \\"never-told\\"'),
    "width": ("134777",),
    "height": ("911333",),
    "pixel ratio": ("1.0625173849",),
    "time to answer": ("98765.4321",),
    "replays": ("417753",),
    "moment of the answer": ("2031-07-19",),
    "moment in a play": ("31415.9265",),
    "frames": ("271828",),
}
# what must never be kept at all
NEVER: dict[str, tuple[str, ...]] = {"address": (ADDRESS,), "browser": (BROWSER,)}
DECODED = {"rows of votes", "rows of sessions.parquet"}
IN_SNAPSHOT = {"answer about the person", "width", "height", "pixel ratio", "time to answer", "replays"}


def text() -> dict[str, str]:
    return {"en": "Text", "de": "Text"}


@pytest.fixture(params=["folder", pytest.param("bucket", marks=[pytest.mark.stores, pytest.mark.soak])])
def held_in(request: pytest.FixtureRequest) -> Iterator[Platform]:
    """A platform whose files are in a folder, then one with a bucket."""
    if request.param == "folder":
        yield request.getfixturevalue("platform")
        return
    with platform_process.running(bucket=True) as started:
        started.push(BATCH)
        yield started


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The demo study, shorter, with a question that only one will answer so."""
    design = yaml.safe_load(STUDY.read_text(encoding="utf-8"))
    design |= {
        "name": "withdrawn",
        "batch": "tiny",
        "trials": [{"kind": "rate", "count": 2, "training": 0}, {"kind": "compare", "count": 1, "training": 0}],
        "quota": {"sessions": 8},
        "retention": {"months": 6, "text": text()},
        "debriefing": text(),
        "groups": [{"key": "worker", "recruiter": {"name": "panel", "id_parameter": "PID"}}],
        "questions": [
            {
                "key": "planted",
                "label": text(),
                "required": False,
                "choices": [{"key": "never-told", "label": text()}, {"key": "other", "label": text()}],
            }
        ],
    }
    for unwanted in ("controls", "conformance", "plan", "pay", "ethics", "order"):
        design.pop(unwanted, None)
    file = tmp_path / "withdrawn.yaml"
    file.write_text(yaml.safe_dump(design, allow_unicode=True), encoding="utf-8")
    return file


@dataclass
class Visitor:
    """Somebody who took part: their browser, session, code and the ids of their votes."""

    client: httpx.Client
    session: dict[str, Any]
    code: str
    votes: list[str]

    @property
    def token(self) -> str:
        (token,) = (cookie.value for cookie in self.client.cookies.jar)
        return str(token)


def take_part(platform: Platform, slug: str, *, planted: bool) -> Visitor:
    """One whole session over HTTP; a planted one sends what nobody else does."""
    headers = {"User-Agent": BROWSER, "X-Forwarded-For": ADDRESS, "Forwarded": f"for={ADDRESS}"} if planted else {}
    client = httpx.Client(base_url=platform.url, headers=headers, timeout=30)
    screen = (134777, 911333, 1.0625173849) if planted else (1280, 800, 1)
    body = {
        "language": "en",
        "consent_version": client.get(f"/api/participate/{slug}").json()["consent"]["version"],
        "screen": dict(zip(("width_px", "height_px", "device_pixel_ratio"), screen, strict=True)),
        "recruit": {"id": RECRUITER_ID if planted else str(uuid.uuid4())},
        "arrival": {"SESSION_ID": SUBMISSION if planted else str(uuid.uuid4())},
    }
    session = client.post(f"/api/participate/{slug}/sessions", json=body).raise_for_status().json()
    session_id = {"session_id": session["id"]}
    answers = {"planted": "never-told" if planted else "other"}
    client.put("/api/session/person", json=session_id | {"answers": answers}).raise_for_status()
    moment = "2031-07-19T03:04:05.678Z" if planted else "2026-01-01T12:00:00Z"
    votes = []
    for trial in session["trials"]:
        play = {
            "position": trial["position"],
            "started_at": moment,
            "ended_at": moment,
            "replay": False,
            "evidence": evidence(trial["clip"], planted=planted),
        }
        put_twice(client, f"/api/session/plays/{uuid.uuid4()}", session_id | play)
        votes.append(str(uuid.uuid4()))
        vote = {
            "position": trial["position"],
            "clip_digest": trial["clip"]["digest"],
            "kind": trial["kind"],
            "kind_version": trial["kind_version"],
            "data": {"score": 6} if trial["kind"] == "rate" else {"choice": "left", "sureness": 3},
            "layout": "column" if planted else "row",
            "replays": 417753 if planted else 0,
            "answer_ms": 98765.4321 if planted else 1500,
            "answered_at": moment,
        }
        put_twice(client, f"/api/session/votes/{votes[-1]}", session_id | vote)
    code = (
        client.post("/api/session/finish", json=session_id | {"skipped": []})
        .raise_for_status()
        .json()["completion_code"]
    )
    return Visitor(client, session, code, votes)


def evidence(clip: dict[str, Any], *, planted: bool) -> dict[str, Any]:
    """Of a film that was played to its end."""
    lengths_ms = {clip["sha256"]: clip["duration_ms"] for clip in MANIFEST["clips"]}
    media_ms = lengths_ms[sha256_of(clip, lengths_ms)]
    size = {"width_px": clip["width_px"], "height_px": clip["height_px"]}
    return {
        "version": 1,
        "media_ms": media_ms,
        "wall_ms": 31415.9265 if planted else media_ms,
        "off_speed_ms": None,
        "off_speed": False,
        "frames_presented": 271828 if planted else 30,
        "frames_dropped": 0,
        "stalls": [],
        "hidden": [],
        "unfocused": [],
        "pauses": [],
        "window": size,
        "screen": size,
        "device_pixel_ratio": 1,
        "zoom": None,
        "shown": size | {"scale": 1, "device_scale": 1},
        "refresh_hz": None,
        "frame_callback": True,
        "complete": True,
    }


def put_twice(client: httpx.Client, path: str, body: dict[str, Any]) -> None:
    """As a browser does that has not seen the first receipt: the second one meets what is there."""
    for _ in range(2):
        client.put(path, json=body).raise_for_status()


def needles(data: Path, visitor: Visitor) -> dict[str, tuple[str, ...]]:
    """What was planted, and what the platform itself made of this visitor: times, code, cookie."""
    with psycopg.connect(database(data)) as connection:
        rows = connection.execute(
            "SELECT started_at, completed_at FROM ratings_session WHERE id = %(id)s UNION ALL "
            "SELECT received_at, NULL FROM ratings_vote WHERE session_id = %(id)s UNION ALL "
            "SELECT p.received_at, NULL FROM ratings_play p JOIN ratings_trial t ON t.id = p.trial_id "
            "WHERE t.session_id = %(id)s",
            {"id": visitor.session["id"]},
        ).fetchall()
    moments = [moment for row in rows for moment in row if moment is not None]
    assert len(moments) == 2 + 2 * len(visitor.votes)
    return PLANTED | {
        "moments at the server": tuple(_spelled(moment) for moment in moments),
        "completion code": (visitor.code,),
        "hash of the cookie": (hashlib.sha256(visitor.token.encode()).hexdigest(),),
        "names of the clips": tuple(trial["clip"]["url"].rsplit("/", 1)[1] for trial in visitor.session["trials"]),
    }


def _spelled(moment: datetime) -> str:
    """The time of day to the microsecond, as PostgreSQL and Python both begin it."""
    return f"{moment:%H:%M:%S.%f}".rstrip("0")


def research(platform: Platform, sha256: str, what: str) -> Any:
    with program(platform) as client:
        return client.get(f"/api/research/studies/{sha256}/{what}").raise_for_status().json()


def program(platform: Platform) -> httpx.Client:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    return httpx.Client(base_url=platform.url, headers=headers, timeout=30)


def wait_for_results(platform: Platform, sha256: str, *, votes: int) -> str:
    """The digest of the snapshot of so many votes."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        results = research(platform, sha256, "results")
        if results["status"] == "fresh" and results["snapshot"]["votes"] == votes:
            return str(results["snapshot"]["sha256"])
        time.sleep(0.3)
    raise AssertionError(f"no fresh results of {votes} votes: {results['status']}, {results['snapshot']}")


def wait_for_new_statistics(data: Path, wanted: Mapping[str, tuple[str, ...]]) -> None:
    """The worker samples the tables again after an erasure; here somebody always was in a sample before."""
    end = time.monotonic() + WAIT_S
    while any("statistics of the planner" in places for places in places_of(wanted, data).values()):
        assert time.monotonic() < end, "the planner's statistics still contain the erased participant"
        time.sleep(0.3)


def analyze(data: Path) -> None:
    """Let the planner sample the tables, as it does by itself sooner or later."""
    with psycopg.connect(database(data), autocommit=True) as connection:
        connection.execute("ANALYZE")


def test_a_withdrawn_participant_is_found_nowhere_even_after_a_restore(held_in: Platform, study: Path) -> None:
    platform, data = held_in, held_in.data
    published = platform.publish_file(study)
    sha256, slug = published["sha256"], published["fieldings"][0]["slug"]
    stayer = take_part(platform, slug, planted=False)
    leaver = take_part(platform, slug, planted=True)
    held = wait_for_results(platform, sha256, votes=6)
    with program(platform) as client:
        download_export(client, sha256, within_s=WAIT_S)
    analyze(data)
    wanted = needles(data, leaver)

    before = places_of(wanted, data)
    assert set(before) == set(wanted), "the search must find what was planted"
    assert {name for name, places in before.items() if places & DECODED} >= IN_SNAPSHOT
    assert any(place.endswith("of an export") for places in before.values() for place in places)
    assert places_of(NEVER, data) == {}
    # what failed in PostgreSQL, such as a play that came twice, is in no log
    assert {where for places in before.values() for where in places if ".log" in where or "queue" in where} == set()
    backup = dump(data)

    answer = httpx.post(f"{platform.url}/api/withdrawals", json={"completion_code": leaver.code}, timeout=30)
    erased = answer.raise_for_status().json()
    assert (erased["votes"], erased["sessions"], erased["recruiter_ids"], len(erased["exports"])) == (3, 1, 1, 1)
    assert erased["snapshots"] >= 1
    made_anew = wait_for_results(platform, sha256, votes=3)
    assert made_anew != held
    wait_for_new_statistics(data, wanted)
    assert places_of(wanted, data) == {}
    (export,) = research(platform, sha256, "exports")
    assert (export["snapshot_sha256"], export["withdrawn"]) == (held, 1)
    assert_tombstones(data, leaver)
    # the random ids of tombstones are all that is left
    left = places_of({"votes": tuple(leaver.votes)}, data)["votes"]
    assert left <= {"dump of public.ratings_vote", "statistics of the planner"}
    assert stayer.client.get("/api/session").json()["state"] == "completed"
    for visitor in (stayer, leaver):
        visitor.client.close()

    platform_process.stop(platform)
    try:
        put_back(data, backup, wanted)
    finally:
        platform_process.start_again(platform)
    assert places_of(wanted, data) == {}, "the erasures must be replayed before anybody is let in"
    assert_tombstones(data, leaver)
    wait_for_results(platform, sha256, votes=3)
    assert places_of(wanted, data) == {}
    (row,) = research(platform, sha256, "privacy")["erasures"]
    assert row["by"] == "participant"


def put_back(data: Path, backup: str, wanted: dict[str, tuple[str, ...]]) -> None:
    """Restore the dump of before, with nothing but the database running; all is back."""
    layout, user = Layout(data), processes.unprivileged_user()
    running = servers.start_postgres(layout.postgres, layout.sockets, user=user)
    try:
        restore(data, backup)
        text = dump(data)
        assert [name for name, spellings in wanted.items() if not any(spelling in text for spelling in spellings)] == []
    finally:
        servers.stop(running)


def assert_tombstones(data: Path, leaver: Visitor) -> None:
    with psycopg.connect(database(data)) as connection:
        rows = connection.execute(
            "SELECT id::text, data, erased_at IS NOT NULL FROM ratings_vote WHERE session_id = %s ORDER BY position",
            [leaver.session["id"]],
        ).fetchall()
    assert rows == [(vote, None, True) for vote in leaver.votes]
