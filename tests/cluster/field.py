"""A planted campaign on hosts that share a store, and what must be true of it in the end."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import planted_capture
import s3_stores
from docs.markdown import REPOSITORY, fenced

from cluster.hosts import Host

GUIDE = REPOSITORY / "docs" / "guides" / "cluster.md"
SITES, RUNS, STACKS = 3, 8, 2
BLOCKS = SITES * RUNS
PORT = 7070


def block_of(language: str) -> str:
    """The code of the guide that is marked with this language."""
    (found,) = fenced(GUIDE.read_text(), language)
    return found


class Field:
    """A store on the hub, and a folder with the campaign and with `eyelevel` on the path.

    `logs` gives what helps to understand a failure.
    """

    def __init__(self, folder: Path, hub: Host, *, logs: Callable[[], str], variables: dict[str, str]) -> None:
        self.folder, self.hub, self.logs, self._more = folder, hub, logs, variables
        self.work = folder / "work"
        self.work.mkdir()
        (self.work / "campaign.toml").write_text(planted_capture.campaign_text(sites=SITES, runs=RUNS))
        (self.work / "film.sbatch").write_text(block_of("sbatch"))
        # `eyelevel capture`, whose loads are planted
        program = self.work / "bin" / "eyelevel"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nshift\nexec {sys.executable} {planted_capture.__file__} "$@"\n')
        program.chmod(0o755)
        self.store_log = folder / "store.out"
        self.start_store()

    @property
    def variables(self) -> dict[str, str]:
        found = dict(s3_stores.Server("versitygw", self.folder, PORT, None).variables)  # type: ignore[arg-type]
        found["AWS_ENDPOINT_URL"] = f"http://{self.hub.address}:{PORT}"
        found |= {"CAMPAIGN": "campaign.toml", "STORE": f"s3://{s3_stores.BUCKET}/demo"}
        found |= {"PATH": f"{self.work / 'bin'}:/usr/sbin:/usr/bin:/sbin:/bin"}
        return found | self._more | {"PLANTED_S": "0.4", "PLANTED_VOID": "0.05", "PLANTED_MARKS": str(self.marks)}

    @property
    def marks(self) -> Path:
        """A file for each machine that films just now."""
        return self.folder / "marks"

    def start_store(self) -> None:
        s3_stores.installed("versitygw")
        program = Path(s3_stores.__file__)
        words = [sys.executable, program, "versitygw", self.folder / "store", "--port", str(PORT)]
        self.hub.start(*words, "--address", self.hub.address, log=self.store_log)

    def stop_store(self) -> None:
        self.hub.signal_all(signal.SIGKILL, running="versitygw")

    def sh(self, script: str) -> str:
        done = self.hub.run("sh", "-ec", f"cd {self.work}\n{script}", **self.variables)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}\n{self.logs()}"
        return done.stdout

    def results(self, kind: str = "results") -> list[dict[str, Any]]:
        root = self.folder / "store" / "bucket" / s3_stores.BUCKET / "demo" / kind
        return [json.loads(path.read_text()) for path in sorted(root.rglob("*.json"))]

    def complete(self) -> list[dict[str, Any]]:
        return [result for result in self.results() if result["takes"]]

    def assert_all_once(self) -> None:
        """The gathered folder has exactly the planned runs, and those of a block come from one machine."""
        output = self.sh('eyelevel capture "$CAMPAIGN" --store "$STORE" --status')
        runs = BLOCKS * STACKS
        assert output.startswith(f"{BLOCKS} of {BLOCKS} blocks are done, with {runs} of {runs} runs"), output
        names = [result["block"] for result in self.complete()]
        assert len(names) == len(set(names)) == BLOCKS
        self.sh('eyelevel capture "$CAMPAIGN" --store "$STORE" --gather out')
        takes = [json.loads(path.read_text()) for path in (self.work / "out").rglob("take.json")]
        assert len({(take["site"], take["run"], take["stack"]["name"]) for take in takes}) == len(takes) == runs
        by_block: dict[tuple[str, int], set[str]] = {}
        for take in takes:
            fingerprint = take["provenance"]["machine"]["fingerprint"]
            by_block.setdefault((take["site"], take["run"]), set()).add(fingerprint)
        assert {len(machines) for machines in by_block.values()} == {1}
