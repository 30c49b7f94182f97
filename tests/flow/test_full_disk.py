"""A disk that is full: requests get a sentence and never 500, and once there is room nothing has been lost."""

import contextlib
import os
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import platform_process
import psycopg
import pytest
from browser.studies import shortened
from haystack import database
from platform_process import Platform

pytestmark = [pytest.mark.services, pytest.mark.root, pytest.mark.soak]

SIZE = "700m"
SCREEN = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1}
WAIT_S = 120.0
SESSIONS = 12
# what a full disk may be answered with: stored all the same, no room, or a database that starts again
KNOWN = {200, 503, 507}


@pytest.fixture
def small(batch: Path) -> Iterator[Platform]:
    """A platform whose data folder is a disk of its own."""
    data = Path(tempfile.mkdtemp(prefix="eyl-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "tmpfs", data], check=True)
    try:
        platform = platform_process.start(data)
        try:
            platform.push(batch)
            yield platform
        finally:
            platform_process.stop(platform)
    finally:
        subprocess.run(["umount", "--lazy", data], check=True)
        data.rmdir()


def fill(data: Path) -> Path:
    """Take all room that is left."""
    filler = data / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass
    return filler


def begin(platform: Platform, slug: str) -> tuple[httpx.Client, dict[str, Any]]:
    client = httpx.Client(base_url=platform.url, timeout=20)
    study = client.get(f"/api/participate/{slug}").raise_for_status().json()
    body = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN}
    session = client.post(f"/api/participate/{slug}/sessions", json=body).raise_for_status().json()
    answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
    client.put("/api/session/person", json={"session_id": session["id"], "answers": answers}).raise_for_status()
    return client, session


def vote_on(trial: dict[str, Any], session_id: str) -> dict[str, Any]:
    vote = {name: trial[name] for name in ("position", "kind", "kind_version")}
    data = {"score": 6} if trial["kind"] == "rate" else {"choice": "left", "sureness": 3}
    vote |= {"session_id": session_id, "clip_digest": trial["clip"]["digest"], "data": data}
    return vote | {"layout": "row", "replays": 0, "answer_ms": 900.0, "answered_at": datetime.now(UTC).isoformat()}


def test_nothing_is_lost_on_a_full_disk_and_nobody_gets_500(small: Platform, tmp_path: Path) -> None:
    slug = small.publish_file(shortened(tmp_path, name="full-disk", rate=3, compare=2))["fieldings"][0]["slug"]
    people = [begin(small, slug) for _ in range(SESSIONS)]
    filler = fill(small.data)
    assert os.statvfs(small.data).f_bavail == 0
    seen: list[int] = []
    sent: list[tuple[httpx.Client, str, dict[str, Any]]] = []
    for client, session in people:
        for trial in session["trials"]:
            vote_id = str(uuid.uuid4())
            sent.append((client, f"/api/session/votes/{vote_id}", vote_on(trial, session["id"])))
            with contextlib.suppress(httpx.TransportError):
                seen.append(client.put(sent[-1][1], json=sent[-1][2]).status_code)
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    refused = httpx.post(f"{small.url}/api/participate/{slug}/sessions", json=body, timeout=20)
    assert refused.status_code in KNOWN - {200}, refused.text
    assert refused.headers["Retry-After"]
    assert set(seen) <= KNOWN, f"answers to votes: {seen}"
    filler.unlink()
    end = time.monotonic() + WAIT_S
    for client, path, vote in sent:
        while True:
            with contextlib.suppress(httpx.TransportError):
                if client.put(path, json=vote).status_code == httpx.codes.OK:
                    break
            assert time.monotonic() < end, "the platform did not take votes again"
            time.sleep(0.5)
    for client, session in people:
        client.post("/api/session/finish", json={"session_id": session["id"], "skipped": []}).raise_for_status()
        client.close()
    with psycopg.connect(database(small.data)) as connection:
        held = connection.execute("SELECT id::text FROM ratings_vote").fetchall()
    assert sorted(row[0] for row in held) == sorted(path.rpartition("/")[2] for _, path, _ in sent)
