"""What a stack is comes from the testbed's table, so a further line is all that it takes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from eyelevel.built import find_testbed
from eyelevel.capture.attempts import attempt
from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.planning.networks import Network
from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel.loads.inside.request import Job, VoidError
from eyelevel.loads.site import Site
from eyelevel.loads.worker import CaptureWorker
from eyelevel.stacks import Stack, chosen, stacks
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.run import Run
from tests.core.made import campaign

GARDEN = Path(__file__).resolve().parents[3] / "fixtures" / "garden.warc.gz"
# none of these names says anything, or says the truth
TABLE = {
    "fred": {"transport": "quic", "http": "3", "alt_svc": False},
    "TCP-like": {"transport": "quic", "http": "3", "alt_svc": True},
    "QUIC-like": {"transport": "tcp", "http": "2", "alt_svc": False},
    "greta": {"transport": "tcp", "http": "1.1", "alt_svc": False},
}


def stand_in(folder: Path, table: dict[str, dict[str, Any]]) -> Path:
    """A program that answers `stacks` as the testbed does."""
    listed = [{"name": name, "digest": "ab" * 32, "definition": definition} for name, definition in table.items()]
    path = folder / "testbed"
    path.write_text(f"#!/bin/sh\n[ $1 = stacks ] && echo '{json.dumps(listed)}'\n")
    path.chmod(0o755)
    return path


def test_the_browser_comes_to_a_stack_by_what_the_table_says(tmp_path: Path) -> None:
    known = stacks(stand_in(tmp_path, TABLE))
    ways = {name: stack.way for name, stack in known.items()}
    assert ways == {"fred": "quic", "TCP-like": "alt-svc", "QUIC-like": "tcp", "greta": "http1"}


def test_the_stacks_of_the_testbed_are_come_to_as_they_are_meant() -> None:
    try:
        known = stacks(find_testbed())
    except ToolMissingError as missing:
        pytest.skip(str(missing))
    ways = {"TCP": "tcp", "TCP+": "tcp", "TCP+BBR": "tcp", "TCP+H1": "http1"}
    ways |= {"QUIC": "quic", "QUIC+BBR": "quic", "QUIC+ALTSVC": "alt-svc"}
    ways |= {
        "TCP-H1-STOCK": "http1",
        "QUIC+ALTSVC-STOCK": "alt-svc",
        "TCP+TICKETS": "tcp",
        "QUIC+TICKETS": "quic",
        "QUIC-2C": "quic",
        "QUIC-RTT100": "quic",
    }
    assert {name: stack.way for name, stack in known.items()} == ways


@pytest.mark.parametrize("name", TABLE)
def test_a_run_over_a_further_stack_has_the_browser_come_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked: dict[str, Any] = {}

    def film(worker: CaptureWorker, job: Job, following: Sequence[Job], *, limit_s: float) -> int:
        request = json.loads((job.folder / "request.json").read_text())
        asked.update(request, stack=job.testbed[job.testbed.index("--stack") + 1])
        (job.folder / "talk.log").write_text("gone")
        return 9

    monkeypatch.setattr(CaptureWorker, "film", film)
    testbed = stand_in(tmp_path, TABLE)
    context = CaptureContext(
        batch=BatchFolder(tmp_path / "batch"),
        campaign=campaign(stacks=[name]),
        sites=(Site("garden", GARDEN, "ef" * 32, None),),
        testbed=testbed,
        worker=CaptureWorker(tmp_path / "batch" / ".attempts"),
        networks={"DSL": Network("DSL", "cd" * 32, None)},
        stacks=chosen(stacks(testbed), [name], source=tmp_path),
    )
    run = Run(site="garden", recording="ef" * 32, network="DSL", stack=name, number=1, seed=5, page_seed=6)
    with pytest.raises(VoidError, match="status 9: gone"):
        attempt._attempt(context, run, 1, tmp_path / "place", ())
    assert (asked["stack"], asked["way"]) == (name, stacks(testbed)[name].way)


def test_a_stack_that_is_not_in_the_table_is_reported_with_those_that_are(tmp_path: Path) -> None:
    known = {name: Stack(name, "ab" * 32, definition) for name, definition in TABLE.items()}
    with pytest.raises(BadInputError, match=r'campaign\.toml: unknown stack "SCTP"; known are fred, TCP-like'):
        chosen(known, ["fred", "SCTP"], source=tmp_path / "campaign.toml")


def test_a_testbed_that_cannot_tell_its_stacks_is_to_be_built_again(tmp_path: Path) -> None:
    path = stand_in(tmp_path, TABLE)
    path.write_text("#!/bin/sh\nexit 2\n")
    with pytest.raises(ToolMissingError, match=r"cannot list its stacks, .*; run make testbed\.$"):
        stacks(path)
