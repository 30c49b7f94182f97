"""Follows docs/guides/move.md: `eyelevel serve` to containers and back, while a participant is in a session."""

import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import httpx
import platform_process
from compose.containers import compose, eyelevel, follow, wait_until_healthy

from eyelevel.measure.film import LOSSY_TOLERANCE
from eyelevel.measure.metrics import measure
from eyelevel.simulate.eyes import MeasuringEyes
from eyelevel.simulate.platform import Platform, browser
from eyelevel.simulate.trial import World
from eyelevel.simulate.walk import Counts, Crowd, walk

REPOSITORY = Path(__file__).resolve().parents[2]
GUIDE = "move.md"
PASSPHRASE = {"EYELEVEL_BACKUP_PASSPHRASE": "correct horse battery staple"}
# before these trials, counted from 1, the study moves to the containers and back
THERE, BACK = 3, 6


@dataclass
class Move:
    """`client` is the participant's browser; its address changes where the study's name would lead elsewhere."""

    folder: Path
    containers_url: str
    serving: platform_process.Platform
    client: httpx.Client
    slug: str
    trial: int = 0

    def before_trial(self, _share: float) -> None:
        self.trial += 1
        if self.trial == THERE:
            self._to_containers()
        if self.trial == BACK:
            self._back()
        if self.trial in (THERE, BACK):
            self._resume()

    def _to_containers(self) -> None:
        platform_process.stop(self.serving)
        eyelevel("backup", self.folder / "study.backup", "--data", self.serving.data, env=PASSPHRASE)
        follow(GUIDE, "up -d --build postgres", folder=self.folder)
        output = follow(GUIDE, "restore -", folder=self.folder, env=PASSPHRASE)
        if "✗" in output or "✓" not in output:
            raise SystemExit(f"The restore proves nothing: {output}")
        follow(GUIDE, "up -d", folder=self.folder)
        wait_until_healthy(self.containers_url)
        self._lead_to(self.containers_url)

    def _back(self) -> None:
        (self.folder / "study.backup").unlink()
        follow(GUIDE, "stop proxy", folder=self.folder)
        follow(GUIDE, "entrypoint backup", folder=self.folder, env=PASSPHRASE)
        if not (self.folder / "study.backup").read_bytes().startswith(b"eyelevel-backup with passphrase"):
            raise SystemExit("The backup of the containers is not encrypted.")
        follow(GUIDE, "compose down", folder=self.folder)
        data = self.folder / "new"
        eyelevel("restore", self.folder / "study.backup", "--data", data, env=PASSPHRASE)
        self.serving = platform_process.start(data)
        self._lead_to(self.serving.url)

    def _lead_to(self, url: str) -> None:
        self.client.base_url = httpx.URL(url)
        self.client.headers["Origin"] = url

    def _resume(self) -> None:
        """As a page that is opened again by the study's link, with the same cookie."""
        found = self.client.get("/api/session", params={"slug": self.slug}).raise_for_status().json()
        if (found["comeback"], len(found["answered"])) != ("resume", self.trial - 1):
            raise SystemExit(
                f"At trial {self.trial}, the session resumes with {found['answered']}: {found['comeback']}."
            )
        print(f"the participant resumes at trial {self.trial}, by {self.client.base_url}")


def check_move(containers_url: str) -> None:
    compose("down", "--volumes", "--timeout", "10")
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    try:
        serving = platform_process.start(folder / "old")
        batch, study = REPOSITORY / "fixtures" / "sample-batch", REPOSITORY / "fixtures" / "study-demo.yaml"
        published = serving.publish(batch, study)
        slug = published["fieldings"][0]["slug"]
        with browser(serving.url) as client:
            move = Move(folder, containers_url, serving, client, slug)
            counts = _take_part(move, token=serving.secret("studies-token"))
        print("moved there and back:", json.dumps(counts.__dict__))
        if (counts.completed, counts.votes) != (1, counts.receipts) or move.trial < BACK:
            raise SystemExit("The participant did not finish with a receipt for each vote.")
        platform_process.stop(move.serving)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _take_part(move: Move, *, token: str) -> Counts:
    world = World(
        eyes=MeasuringEyes(lambda frames: measure(frames, tolerance=LOSSY_TOLERANCE).si_ms),
        now=lambda: datetime.now(UTC),
        new_id=uuid4,
    )
    counts = Counts()
    crowd = Crowd(advanced=move.before_trial)
    walk(Platform(move.client, token=token), move.slug, seed="move", world=world, counts=counts, crowd=crowd)
    return counts


if __name__ == "__main__":
    check_move(sys.argv[1])
