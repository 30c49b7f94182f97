"""Films have right of way over clips: no step of a build, and no program that it starts, runs while a film is made."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from eyelevel.machine import alone

from .conftest import page, write_take

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
LOAD = [(-20.0, page(0)), *((100.0 * step, page(24 * step)) for step in range(1, 10)), (1000.0, page(240))]
# how long a film lasts here, how soon after its beginning everything has stopped, and how long until the next one
FILM_S, STOPPED_S, BETWEEN_S = 0.5, 0.05, 1.0
MOST_TICKS = 2
CAMPAIGN = """
contract = "eyelevel/campaign/1"
name = "small"
seed = 3
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
[[sites]]
name = "garden"
recording = "garden.warc.gz"
[clips]
control_delay_ms = 500
"""
BUILD = """
import sys
from pathlib import Path
from eyelevel.batch.build import build
from eyelevel.giving_way import giving_way
from eyelevel.measure.pages import measure_pages
from eyelevel_core.batch_folder import BatchFolder
folder = BatchFolder(Path(sys.argv[1], "batch"))
giving_way(
    lambda: build(folder, folder.campaign(), measure=measure_pages),
    waits=print,
    clips=Path(sys.argv[1], "clips"),
    films=Path(sys.argv[1], "films"),
)
"""


def processes_below(pid: int) -> list[tuple[int, str, str, int]]:
    """The children of a process with theirs: pid, program, state, ticks of processor time."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = path.read_text().rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields = after.split()
        found.append((int(path.parent.name), before.partition("(")[2], fields[0], int(fields[1]), int(fields[11])))
    family = {pid}
    while grown := {own for own, _, _, parent, _ in found if parent in family} - family:
        family |= grown
    return [(own, name, state, ticks) for own, name, state, _, ticks in found if own in family - {pid}]


def test_no_step_of_a_build_runs_while_a_film_is_made(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    batch.mkdir()
    (batch / "campaign.toml").write_text(CAMPAIGN)
    for stack in ("TCP+", "QUIC"):
        write_take(batch, stack, LOAD, settled_ms=1500.0)
    command = subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)], stdout=subprocess.PIPE)
    seen: list[tuple[str, str]] = []
    while not (batch / "clips").exists():  # before, its worker may still wait to begin
        time.sleep(0.02)
    while command.poll() is None:
        with alone("demo", waits=lambda _: None, films=tmp_path / "films", clips=tmp_path / "clips"):
            time.sleep(STOPPED_S)
            before = {own: ticks for own, _, _, ticks in processes_below(command.pid)}
            time.sleep(FILM_S - STOPPED_S)
            after = processes_below(command.pid)
        # on a busy machine a stop may wait for its turn, and so may the last tick before it
        seen += [
            (name, state if ticks <= before.get(own, ticks) + MOST_TICKS else "ran")
            for own, name, state, ticks in after
        ]
        time.sleep(BETWEEN_S)
    assert command.wait() == 0
    command.communicate()
    assert (batch / "manifest.json").is_file()
    # Z: a program that has ended, and whose parent is stopped
    assert {state for _, state in seen} <= {"T", "Z"}, seen
    assert len(seen) > 5
    assert "ffmpeg" in {name for name, _ in seen}
