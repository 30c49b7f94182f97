"""Loads pages over a network without limits, outside the runs of a campaign: for probes, learning and checks."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from eyelevel.disk import RESERVE_BYTES, room
from eyelevel.errors import PageFailedError
from eyelevel.loads.inside.request import Job, LoadRequest, VoidError
from eyelevel.loads.inside.sandbox import holding
from eyelevel.loads.judgement import AROUND_S, judge
from eyelevel.loads.site import Site
from eyelevel.loads.testbed_run import arguments
from eyelevel.loads.worker import CaptureWorker
from eyelevel.machine import alone
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder.takes import WIRE, read_wire
from eyelevel_core.model.run import Run
from eyelevel_core.model.wire import ServerReport

NETWORK = "unlimited"
DEFINITION = {"name": NETWORK, "up_mbps": "unlimited", "down_mbps": "unlimited", "rtt_ms": 0}
ATTEMPTS = 4


@dataclass(frozen=True)
class Loader:
    """The context of all loads of a command; unfinished loads are in `scratch`.

    `volatile` has the files of volatile parameters by site, without the sites that have none.
    """

    testbed: Path
    stacks: Mapping[str, Stack]
    worker: CaptureWorker
    scratch: Path
    waits: Callable[[str], None] = lambda _: None
    volatile: Mapping[str, Path] = field(default_factory=dict)

    def knowing(self, site: Site, volatile: Path | None) -> "Loader":
        """Returns this loader with the file of a site's volatile parameters."""
        return self if volatile is None else replace(self, volatile={**self.volatile, site.name: volatile})

    def load(self, folder: Path, site: Site, run: Run, request: LoadRequest, *, words: str, cure: str) -> Path:
        """Loads a page into `folder`, which must not exist; an error names the load by `words`, and ends with `cure`.

        Raises PageFailedError if the load is void ATTEMPTS times.
        """
        part = folder.with_name(f"{folder.name}.part")
        for attempt in range(1, ATTEMPTS + 1):
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            try:
                self._film(part, site, run, request)
            except VoidError as void:
                if attempt == ATTEMPTS:
                    raise PageFailedError(f"{words} was void {ATTEMPTS} times, last: {void}", cure) from void
                continue
            break
        part.rename(folder)
        return folder

    def _film(self, folder: Path, site: Site, run: Run, request: LoadRequest) -> None:
        request.write(folder / "request.json")
        (folder / "network.json").write_text(json.dumps(DEFINITION))
        (folder / "talk.log").touch()
        command = arguments(
            self.testbed, run, site, ["--network-file", str(folder / "network.json")],
            report=folder / "wire.json", command=holding(request.window.width_px, request.window.height_px),
            volatile=self.volatile.get(site.name),
        )  # fmt: skip
        with (
            alone(f"loads of {site.name}", waits=self.waits, parts=self.worker.drop),
            room(self.scratch, needed_bytes=RESERVE_BYTES),
        ):
            status = self.worker.film(Job(folder, tuple(command)), [], limit_s=request.limit_s + AROUND_S)
        judge(folder, status, folder / "talk.log")


def served(folder: Path) -> ServerReport:
    """Returns the report of a load's servers; raises PageFailedError if there is none."""
    server = read_wire(folder / WIRE).server
    if server is None:
        raise PageFailedError(f"the servers of the load in {folder} left no report", "Run the command again.")
    return server


@contextmanager
def loader(
    testbed: Path, arms: Mapping[str, Stack], scratch: Path, *, waits: Callable[[str], None]
) -> Iterator[Loader]:
    """Returns a context with a loader, which ends its worker, and removes `scratch` unless it has unfinished loads."""
    with closing(CaptureWorker(scratch / "worker")) as worker:
        yield Loader(testbed, arms, worker, scratch, waits=waits)
    shutil.rmtree(scratch / "worker", ignore_errors=True)
    with suppress(OSError):
        scratch.rmdir()
