"""Tests kill -9 of each part of a platform at named points of a session: no vote is lost or doubled.

Kills at random moments, of many sessions at once, are in `bench/test_faults.py`.
"""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import platform_process
import processes
import psycopg
import pytest
from bench.faults.chaos import SERVICES, Chaos
from browser.studies import shortened
from haystack import database
from platform_process import Platform
from researcher_client import close, researcher_client

pytestmark = [pytest.mark.services]

WAIT_S = 90.0
SCREEN = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1}


@pytest.fixture
def study_file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return shortened(tmp_path, name=request.node.name.replace("_", "-")[:60], rate=3, compare=2)


def simulate(platform: Platform, slug: str, *, seed: int) -> dict[str, Any]:
    output = platform.eyelevel(
        *("simulate", "--study", f"{platform.url}/s/{slug}", "--participants", "1", "--seed", str(seed)),
        scope="studies",
    )
    counted: dict[str, Any] = json.loads(output)
    return counted


def results(platform: Platform, sha256: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    answer = httpx.get(f"{platform.url}/api/research/studies/{sha256}/results?origin=all", headers=headers, timeout=30)
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def wait_for_analysis(platform: Platform, sha256: str, votes: int) -> None:
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        found = results(platform, sha256)
        if found["status"] == "fresh" and found["snapshot"] and found["snapshot"]["votes"] == votes:
            return
        time.sleep(0.5)
    raise AssertionError(f"no analysis of {votes} votes within {WAIT_S:.0f} s: {found['status']}, {found['snapshot']}")


def worker_of(platform: Platform, name: bytes = b"worker") -> int:
    for pid in sorted(processes.naming(platform.data)):
        command = processes.words(pid)
        if any(b"celery" in part for part in command) and name + b"@%h" in command:
            return pid
    raise AssertionError(f"there is no {name.decode()}")


def send(client: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Repeat a call until the platform answers it, as the page's outbox does; the receipt."""
    end = time.monotonic() + WAIT_S
    while True:
        try:
            answer = client.put(path, json=body)
        except httpx.TransportError as error:
            failure = str(error)
        else:
            if answer.is_success:
                receipt: dict[str, Any] = answer.json()
                return receipt
            failure = f"{answer.status_code} {answer.text}"
            assert answer.status_code >= httpx.codes.INTERNAL_SERVER_ERROR, failure
        assert time.monotonic() < end, f"PUT {path} got no receipt within {WAIT_S:.0f} s: {failure}"
        time.sleep(0.2)


def vote_on(trial: dict[str, Any], session_id: str) -> dict[str, Any]:
    vote = {name: trial[name] for name in ("position", "kind", "kind_version")}
    data = {"score": 6} if trial["kind"] == "rate" else {"choice": "left", "sureness": 3}
    vote |= {"session_id": session_id, "clip_digest": trial["clip"]["digest"], "data": data}
    return vote | {"layout": "row", "replays": 0, "answer_ms": 900.0, "answered_at": datetime.now(UTC).isoformat()}


def test_each_service_is_killed_after_a_vote_and_the_repeated_vote_is_held_once(
    platform: Platform, study_file: Path
) -> None:
    study = platform.publish_file(study_file)
    slug, chaos = study["fieldings"][0]["slug"], Chaos(platform, WAIT_S)
    # position by the id that the browser made up
    given: dict[str, int] = {}
    with httpx.Client(base_url=platform.url, timeout=10) as client:
        entrance = client.get(f"/api/participate/{slug}").raise_for_status().json()
        body = {"language": "en", "consent_version": entrance["consent"]["version"], "screen": SCREEN}
        session = client.post(f"/api/participate/{slug}/sessions", json=body).raise_for_status().json()
        mine = {"session_id": session["id"]}
        answers = {question["key"]: question["choices"][0]["key"] for question in entrance["questions"]}
        client.put("/api/session/person", json=mine | {"answers": answers}).raise_for_status()
        for trial, service in zip(session["trials"], (*SERVICES, None), strict=True):
            vote_id, vote = str(uuid.uuid4()), vote_on(trial, session["id"])
            given[vote_id] = trial["position"]
            first = send(client, f"/api/session/votes/{vote_id}", vote)
            if service is not None:
                kill = chaos.kill(service)
                # the receipt is as good as lost: a browser that did not read it sends the vote again
                assert send(client, f"/api/session/votes/{vote_id}", vote) == first
                chaos.wait_until_well(kill)
        finished = client.post("/api/session/finish", json=mine | {"skipped": []}).raise_for_status().json()
    assert len(finished["completion_code"]) >= 6
    wait_for_analysis(platform, study["sha256"], len(given))
    with psycopg.connect(database(platform.data)) as connection:
        held = connection.execute(
            "SELECT id::text, position FROM ratings_vote WHERE session_id = %s", [session["id"]]
        ).fetchall()
    assert sorted(held) == sorted(given.items())


def test_a_killed_supervisor_leaves_nothing_behind_and_loses_no_vote(platform: Platform, study_file: Path) -> None:
    study = platform.publish_file(study_file)
    slug = study["fieldings"][0]["slug"]
    first = simulate(platform, slug, seed=1)
    platform.process.kill()
    platform.process.wait()
    platform_process.wait_until_gone(platform)
    platform_process.start_again(platform)
    second = simulate(platform, slug, seed=2)
    wait_for_analysis(platform, study["sha256"], first["receipts"] + second["receipts"])


def test_votes_are_analysed_after_the_worker_was_killed(platform: Platform, study_file: Path) -> None:
    study = platform.publish_file(study_file)
    worker = worker_of(platform)
    os.kill(worker, signal.SIGSTOP)  # it takes no more tasks, but keeps what it has
    counted = simulate(platform, study["fieldings"][0]["slug"], seed=1)
    os.kill(worker, signal.SIGKILL)
    wait_for_analysis(platform, study["sha256"], counted["receipts"])


def test_votes_do_not_wait_for_the_worker_of_tables_in_depth_which_computes_them_after_it_was_killed(
    platform: Platform, study_file: Path
) -> None:
    study = platform.publish_file(study_file)
    slug = study["fieldings"][0]["slug"]
    worker = worker_of(platform, b"in-depth")
    os.kill(worker, signal.SIGSTOP)
    first = simulate(platform, slug, seed=1)["receipts"]
    wait_for_analysis(platform, study["sha256"], first)
    os.kill(worker, signal.SIGKILL)
    with researcher_client(platform) as client:
        close(client, study)
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        found = dict(in_depth_of(platform, study["sha256"]))
        if set(found.values()) == {"done"}:
            assert set(found) == {"person", "all"}
            return
        time.sleep(0.5)
    raise AssertionError(f"no tables in depth within {WAIT_S:.0f} s: {found}")


def in_depth_of(platform: Platform, sha256: str) -> list[tuple[str, str]]:
    """Origin and state of each result's tables in depth; whoever asks the API for them has them computed."""
    query = """
        SELECT result.origin, deep.state FROM analysis_indepthresult deep
        JOIN analysis_result result ON result.id = deep.result_id
        JOIN analysis_snapshot snapshot ON snapshot.sha256 = result.snapshot_id WHERE snapshot.study_id = %s
    """
    with psycopg.connect(database(platform.data)) as connection:
        return connection.execute(query, [sha256]).fetchall()


def test_a_second_platform_on_the_same_data_is_refused(platform: Platform) -> None:
    command = [sys.executable, "-m", "eyelevel", "serve", "--data", str(platform.data), "--port", "0"]
    second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=WAIT_S)
    assert second.returncode == 1
    assert f"is already running at {platform.url} (process {platform.process.pid})" in second.stderr
