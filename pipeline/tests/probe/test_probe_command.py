"""`eyelevel probe` with several recordings; the probe itself is played here."""

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from eyelevel.cli import main
from eyelevel.errors import PageFailedError
from eyelevel.loads.site import Site
from eyelevel.probe import command
from eyelevel.probe.films import Prober
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from tests.capture.test_masks import mask
from tests.loads.recordings import record

Probe = Callable[..., tuple[int, list[str], str]]


@pytest.fixture
def recordings(tmp_path: Path) -> list[Path]:
    return [record(tmp_path / f"{name}.warc.gz", f"<p>{name}".encode()) for name in ("garden", "sohu", "teashop")]


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Probe:
    """Runs the command as a shell does; pages of sites in `fails` do not load, for that cause.

    Gives exit status, masks that were printed, and stderr.
    """
    fails: dict[str, Exception | None] = {}

    def played(_: Prober, site: Site, viewport: Viewport, **_more: Any) -> Mask:
        if site.name in fails:
            raise PageFailedError(f"the page of {site.name} did not load", "Try again.") from fails[site.name]
        assert viewport == Viewport(1280, 720)
        return mask(recording=site.digest)

    @contextmanager
    def loader(*_: Any, **_more: Any) -> Iterator[Any]:
        yield SimpleNamespace()

    stand_ins: dict[str, Any] = {
        "check_tools": lambda: None, "find_testbed": lambda: Path("testbed"), "stacks": lambda _: {},
        "chosen": lambda *_, **_more: {}, "loader": loader, "probe": played,
    }  # fmt: skip
    for name, own in stand_ins.items():
        monkeypatch.setattr(command, name, own)

    def call(*arguments: str | Path, failing: dict[str, Exception | None]) -> tuple[int, list[str], str]:
        fails.clear()
        fails.update(failing)
        monkeypatch.setattr(sys, "argv", ["eyelevel", "probe", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, told.out.splitlines(), told.err

    return call


def masks_of(*recordings: Path) -> list[str]:
    return [str(one).replace(".warc.gz", ".mask-1280x720.json") for one in recordings]


def test_a_page_that_does_not_load_stops_no_other_and_is_named_at_the_end(probe: Probe, recordings: list[Path]) -> None:
    garden, sohu, teashop = recordings
    status, printed, told = probe(garden, sohu, teashop, failing={"sohu": None})
    assert (status, printed) == (1, masks_of(garden, teashop))
    assert all(Path(one).is_file() for one in printed)
    assert not Path(*masks_of(sohu)).exists()
    assert "sohu: The page of sohu did not load. Try again." in told
    assert told.splitlines()[-1] == (
        f"eyelevel: 1 of 3 recordings have no mask, as their page does not load: {sohu}. The reasons are above. "
        "The same command tries them again."
    )


def test_every_page_that_does_not_load_is_named(probe: Probe, recordings: list[Path]) -> None:
    garden, sohu, teashop = recordings
    status, printed, told = probe(garden, sohu, teashop, failing={"garden": None, "teashop": None})
    assert (status, printed) == (1, masks_of(sohu))
    assert f"eyelevel: 2 of 3 recordings have no mask, as their page does not load: {garden}, {teashop}." in told
    assert probe(*recordings, failing={})[:2] == (0, masks_of(*recordings))


def test_of_one_recording_the_reason_is_the_error(probe: Probe, recordings: list[Path]) -> None:
    status, printed, told = probe(recordings[1], failing={"sohu": None})
    assert (status, printed) == (1, [])
    assert told.endswith("eyelevel: The page of sohu did not load. Try again.\n")


def test_a_full_disk_ends_the_command(probe: Probe, recordings: list[Path]) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    status, printed, _ = probe(*recordings, failing={"sohu": full})
    assert (status, printed) == (8, masks_of(recordings[0]))
