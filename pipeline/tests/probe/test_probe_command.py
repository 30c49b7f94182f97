"""`eyelevel probe` with several recordings; the probe itself is played here."""

import errno
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
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
from eyelevel_core.model.mask import Mask, drawn, grid
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

    def played(
        prober: Callable[[Site], Prober], sites: Iterable[Site], page: Callable[[Site], Viewport], **_: Any
    ) -> Iterator[tuple[Site, Mask | PageFailedError]]:
        for site in sites:
            prober(site)
            viewport = page(site)
            assert viewport == Viewport(1280, 720)
            if site.name in fails:
                error = PageFailedError(f"the page of {site.name} did not load", "Try again.")
                error.__cause__ = fails[site.name]
                yield site, error
            else:
                learned = mask(recording=site.digest)
                yield site, replace(learned, viewport=viewport, rows=drawn(learned.tiles, grid(viewport)))

    @contextmanager
    def loader(*_: Any, **_more: Any) -> Iterator[Any]:
        yield SimpleNamespace()

    stand_ins: dict[str, Any] = {
        "check_tools": lambda: None, "find_testbed": lambda: Path("testbed"), "stacks": lambda _: {},
        "chosen": lambda *_, **_more: {}, "loader": loader, "probe": played,
    }  # fmt: skip
    for name, stand_in in stand_ins.items():
        monkeypatch.setattr(command, name, stand_in)

    def call(*arguments: str | Path, failing: dict[str, Exception | None]) -> tuple[int, list[str], str]:
        fails.clear()
        fails.update(failing)
        monkeypatch.setattr(sys, "argv", ["eyelevel", "probe", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, captured.out.splitlines(), captured.err

    return call


def masks_of(*recordings: Path) -> list[str]:
    return [str(recording).replace(".warc.gz", ".mask-1280x720.json") for recording in recordings]


def test_a_page_that_does_not_load_stops_no_other_and_is_named_at_the_end(probe: Probe, recordings: list[Path]) -> None:
    garden, sohu, teashop = recordings
    status, printed, stderr = probe(garden, sohu, teashop, failing={"sohu": None})
    assert (status, printed) == (1, masks_of(garden, teashop))
    assert all(Path(path).is_file() for path in printed)
    assert not Path(*masks_of(sohu)).exists()
    assert "sohu: The page of sohu did not load. Try again." in stderr
    assert stderr.splitlines()[-1] == (
        f"eyelevel: 1 of 3 recordings have no mask, because their page does not load: {sohu}. The reasons are "
        "above. Run the same command to try them again."
    )


def test_a_recording_with_a_mask_and_a_copy_of_one_are_not_probed_again(probe: Probe, recordings: list[Path]) -> None:
    garden, sohu, teashop = recordings
    copy, other = garden.with_name("copy.warc.gz"), garden.with_name("other.warc.gz")
    for path in (copy, other):
        path.write_bytes(garden.read_bytes())
    status, printed, stderr = probe(garden, copy, teashop, failing={"copy": None})
    assert (status, printed) == (0, masks_of(garden, copy, teashop))
    assert "  2 pages to probe: about 60 s for a page that stops changing" in stderr
    assert " (1/2, about 0 s left)" in stderr
    status, printed, stderr = probe(other, garden, sohu, failing={"garden": None, "other": None})
    assert (status, printed) == (0, masks_of(other, garden, sohu))
    assert "  1 page to probe: " in stderr
    assert stderr.count("; its mask exists already") == 1


def test_every_page_that_does_not_load_is_named(probe: Probe, recordings: list[Path]) -> None:
    garden, sohu, teashop = recordings
    status, printed, stderr = probe(garden, sohu, teashop, failing={"garden": None, "teashop": None})
    assert (status, printed) == (1, masks_of(sohu))
    assert f"eyelevel: 2 of 3 recordings have no mask, because their page does not load: {garden}, {teashop}." in stderr
    assert probe(*recordings, failing={})[:2] == (0, masks_of(sohu, garden, teashop))


def test_of_one_recording_the_reason_is_the_error(probe: Probe, recordings: list[Path]) -> None:
    status, printed, stderr = probe(recordings[1], failing={"sohu": None})
    assert (status, printed) == (1, [])
    assert stderr.endswith("eyelevel: The page of sohu did not load. Try again.\n")


def test_a_full_disk_ends_the_command(probe: Probe, recordings: list[Path]) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    status, printed, _ = probe(*recordings, failing={"sohu": full})
    assert (status, printed) == (8, masks_of(recordings[0]))
