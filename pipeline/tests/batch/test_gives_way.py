"""Films have right of way over clips: no step of a build, and no program that it starts, runs while a film is made."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.batch import command
from eyelevel.machine import alone

from .conftest import page, write_take

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
LOAD = [(-20.0, page(0)), *((100.0 * step, page(24 * step)) for step in range(1, 10)), (1000.0, page(240))]
# how long a film lasts here, how soon after its beginning everything has stopped, and how long until the next one
FILM_S, STOPPED_S, BETWEEN_S = 0.5, 0.05, 0.2
MOST_TICKS = 2
MOST_FILMS, SOON_S = 10, 60
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
# in the order in which they come; each goes on until it has been seen
PHASES = {"reading": False, "planning": False, "encoding": True, "checking": True}
BUILD = """
import sys
from pathlib import Path
from eyelevel.batch import build, make_clips
from eyelevel.giving_way import giving_way
from eyelevel.measure.pages import measure_pages
from eyelevel_core.batch_folder import BatchFolder
here = Path(sys.argv[1])
folder = BatchFolder(here / "batch")
def longer(phase, place, name):
    real = getattr(place, name)
    def again(*given, **named):
        (here / phase).touch()
        found = real(*given, **named)
        while not (here / f"{phase}-seen").exists():
            found = real(*given, **named)
        return found
    setattr(place, name, again)
longer("reading", BatchFolder, "takes")
longer("planning", build, "plan")
longer("encoding", make_clips, "_encode")
longer("checking", make_clips, "look_at")
giving_way(
    lambda: build.build(folder, folder.campaign(), measure=measure_pages),
    waits=print,
    clips=here / "clips",
    films=here / "films",
)
"""


def family(pid: int) -> list[tuple[int, str, str, int]]:
    """A process and all below it: pid, program, state, ticks of processor time."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = path.read_text().rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            continue
        fields = after.split()
        ticks = int(fields[11]) + int(fields[12])
        found.append((int(path.parent.name), before.partition("(")[2], fields[0], int(fields[1]), ticks))
    members = {pid}
    while grown := {member for member, _, _, parent, _ in found if parent in members} - members:
        members |= grown
    return [(member, name, state, ticks) for member, name, state, _, ticks in found if member in members]


def during_a_film(folder: Path, pid: int) -> list[tuple[str, str]]:
    """Program and state of all processes of the command while a film is made; "ran" for one that used a processor."""
    with alone("demo", waits=lambda _: None, films=folder / "films", clips=folder / "clips"):
        time.sleep(STOPPED_S)
        before = {member: ticks for member, _, _, ticks in family(pid)}
        time.sleep(FILM_S - STOPPED_S)
        after = family(pid)
    # on a busy machine a stop may wait for its turn, and so may the last tick before it
    ran = [member for member, _, _, ticks in after if ticks > before.get(member, ticks) + MOST_TICKS]
    # the command itself only waits, and looks from time to time whether the film is over
    return [
        (name, "ran" if member in ran else state) for member, name, state, _ in after if member != pid or member in ran
    ]


def test_no_step_of_a_build_runs_while_a_film_is_made(tmp_path: Path) -> None:
    batch = tmp_path / "batch"
    batch.mkdir()
    (batch / "campaign.toml").write_text(CAMPAIGN)
    for stack in ("TCP+", "QUIC"):
        write_take(batch, stack, LOAD, settled_ms=1500.0)
    building = subprocess.Popen([sys.executable, "-c", BUILD, str(tmp_path)], stdout=subprocess.PIPE)
    try:
        for phase, with_ffmpeg in PHASES.items():
            until = time.monotonic() + SOON_S
            while not (tmp_path / phase).exists():
                assert building.poll() is None, phase
                assert time.monotonic() < until, phase
                time.sleep(0.02)
            names: set[str] = set()
            # an encoder or decoder is there most of the time, but not always
            for _ in range(MOST_FILMS):
                seen = during_a_film(tmp_path, building.pid)
                # Z: a program that has ended, and whose parent is stopped
                assert {state for _, state in seen} <= {"T", "Z"}, (phase, seen)
                names |= {name for name, _ in seen}
                if "ffmpeg" in names or not with_ffmpeg:
                    break
                time.sleep(BETWEEN_S)
            assert seen, phase
            assert ("ffmpeg" in names) == with_ffmpeg, phase
            (tmp_path / f"{phase}-seen").touch()
        assert building.wait(SOON_S) == 0
    finally:
        building.kill()
        building.communicate()
    assert (batch / "manifest.json").is_file()


def test_the_command_does_nothing_but_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    works: list[object] = []

    def never(work: object, **_: object) -> str:
        works.append(work)
        return "manifest.json"

    monkeypatch.setattr(command, "giving_way", never)
    ended = CliRunner().invoke(command.batch, [str(tmp_path / "missing")])
    assert (ended.exit_code, ended.output, len(works)) == (0, "manifest.json\n", 1)
