"""Simulated participants in real time keep R9; those who answer at once are unknown; a person who does breaks it."""

import json
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from browser.studies import shortened
from platform_process import Platform

pytestmark = [pytest.mark.services]

BATCH = Path(__file__).resolve().parents[2] / "fixtures" / "tiny-batch"
SCREEN = {"width_px": 1440, "height_px": 900, "device_pixel_ratio": 1}
JUDGED_S = 90.0
AT_ONCE = 4


def test_only_a_person_who_answers_faster_than_the_videos_last_breaks_r9(platform: Platform, tmp_path: Path) -> None:
    study = platform.publish(BATCH, shortened(tmp_path, name="real-time", rate=2, compare=0))
    slug = study["fieldings"][0]["slug"]
    link = f"{platform.url}/s/{slug}"
    people = ("--participants", str(AT_ONCE), "--at-once", str(AT_ONCE))
    output = platform.eyelevel("simulate", "--study", link, *people, "--real-time", scope="studies")
    assert json.loads(output)["completed"] == AT_ONCE
    platform.eyelevel("simulate", "--study", link, "--participants", "2", "--seed", "2", scope="studies")
    hurry(platform, slug)
    found = r9_of(platform, study["sha256"], sessions=AT_ONCE + 3)
    assert found.count(("person", "yes")) == 1
    # measuring the clips may take a program as long as watching them
    assert found.count(("simulated", "no")) >= AT_ONCE
    assert set(found) <= {("person", "yes"), ("simulated", "no"), ("simulated", "unknown")}


def hurry(platform: Platform, slug: str) -> None:
    """A program that calls itself a person, and answers at once."""
    with httpx.Client(base_url=platform.url, timeout=30) as client:

        def send(method: str, path: str, body: dict[str, Any]) -> Any:
            answer = client.request(method, path, json=body).raise_for_status()
            return answer.json() if answer.content else None

        study = client.get(f"/api/participate/{slug}").raise_for_status().json()
        begin = {"language": "en", "consent_version": study["consent"]["version"], "screen": SCREEN}
        session = send("POST", f"/api/participate/{slug}/sessions", begin)
        mine = {"session_id": session["id"]}
        answers = {question["key"]: question["choices"][0]["key"] for question in study["questions"]}
        send("PUT", "/api/session/person", mine | {"answers": answers})
        for trial in session["trials"]:
            client.get(trial["clip"]["url"]).raise_for_status()
            vote = {name: trial[name] for name in ("position", "kind", "kind_version")} | {"data": {"score": 4}}
            vote |= {"clip_digest": trial["clip"]["digest"], "layout": "row", "replays": 0, "answer_ms": 900.0}
            send("PUT", f"/api/session/votes/{uuid.uuid4()}", mine | vote | {"answered_at": now()})
        send("POST", "/api/session/finish", mine | {"skipped": []})


def now() -> str:
    return datetime.now(UTC).isoformat()


def r9_of(platform: Platform, sha256: str, *, sessions: int) -> list[tuple[str, str]]:
    """Origin and finding of each session, once all are judged."""
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    address = f"{platform.url}/api/research/studies/{sha256}/conformance/sessions?origin=all"
    end = time.monotonic() + JUDGED_S
    while time.monotonic() < end:
        rows = httpx.get(address, headers=headers, timeout=30).raise_for_status().json()["sessions"]
        found = [
            (row["origin"], finding["broken"]) for row in rows for finding in row["findings"] if finding["rule"] == "R9"
        ]
        if len(found) == sessions:
            return found
        time.sleep(0.5)
    raise AssertionError(f"{len(found)} of {sessions} sessions are judged after {JUDGED_S:.0f} s.")
