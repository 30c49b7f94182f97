"""`testbed browse` opens a recording in Chromium in the testbed; other commands are for the testbed's program."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from PIL import Image

from eyelevel.errors import BadInputError
from eyelevel.testbed import command as edge
from eyelevel_core.batch_folder.volatile import write_volatile
from eyelevel_core.contracts import sha256_of_file
from eyelevel_core.model.volatile import Volatile
from tests.loads.needs import needs_testbed
from tests.loads.recordings import record

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
TEASHOP = str(FIXTURES / "teashop.warc.gz")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "eyelevel", "testbed", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=ENVIRONMENT)


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
@pytest.mark.parametrize("stack", ["TCP+H1", "QUIC", "QUIC+ALTSVC"])
def test_the_page_is_pictured_over_each_way_to_a_stack(stack: str, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    done = run("browse", TEASHOP, "--stack", stack, "--screenshot", str(picture))
    assert done.returncode == 0, done.stderr
    with Image.open(picture) as image:
        assert image.size == (1280, 720)
        # an error page of the browser is grey and white
        assert len(image.convert("RGB").getcolors(1 << 24) or []) > 10_000


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
def test_the_browser_names_itself_as_in_captures(tmp_path: Path) -> None:
    script = "document.body.style.background = navigator.userAgent.includes('Headless') ? 'red' : 'lime'"
    site = record(tmp_path / "site.warc.gz", f"<body><script>{script}</script>".encode())
    picture = tmp_path / "page.png"
    done = run("browse", str(site), "--screenshot", str(picture))
    assert done.returncode == 0, done.stderr
    with Image.open(picture) as image:
        assert image.convert("RGB").getpixel((0, 0)) == (0, 255, 0)


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
def test_a_page_that_does_not_load_is_named(tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    done = run("browse", TEASHOP, "--start-url", "https://none.example/", "--screenshot", str(picture))
    assert done.returncode == 4
    assert 'the start URL "https://none.example/" is not of a recorded host' in done.stderr
    assert not picture.exists()


def test_a_window_needs_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(edge.testbed, ["browse", TEASHOP])
    assert isinstance(result.exception, BadInputError)
    assert "There is no display" in str(result.exception)
    assert "--screenshot FILE.png" in str(result.exception)


@needs_testbed
def test_an_unknown_stack_is_named_with_the_known_ones(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        edge.testbed, ["browse", TEASHOP, "--stack", "SPDY", "--screenshot", str(tmp_path / "x.png")]
    )
    assert result.exit_code == 2
    assert "'SPDY' is not one of TCP, TCP+, " in result.output


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that this process would have become, with a testbed that knows one stack."""
    found: list[list[str]] = []
    monkeypatch.setattr("eyelevel.testbed.browse.find_testbed", lambda: Path("/program"))
    monkeypatch.setattr("eyelevel.testbed.browse.stacks", lambda _: {"TCP+": SimpleNamespace(way="tcp")})
    monkeypatch.setattr("shutil.which", lambda _: "/chromium")
    monkeypatch.setattr("os.execv", lambda _, given: found.append(given))
    return found


def test_the_volatile_parameters_beside_the_recording_are_used(became: list[list[str]], tmp_path: Path) -> None:
    recording = record(tmp_path / "page.warc.gz", b"<p>page")
    arguments = ["browse", str(recording), "--screenshot", str(tmp_path / "x.png")]
    CliRunner().invoke(edge.testbed, arguments, catch_exceptions=False)
    assert "--volatile" not in became[0]
    file = tmp_path / "page.volatile.json"
    write_volatile(Volatile(sha256_of_file(recording), (), ()), file)
    CliRunner().invoke(edge.testbed, arguments, catch_exceptions=False)
    at = became[1].index("--volatile")
    assert became[1][at : at + 3] == ["--volatile", str(file), "--"]


def test_volatile_parameters_of_another_recording_are_refused(became: list[list[str]], tmp_path: Path) -> None:
    recording = record(tmp_path / "page.warc.gz", b"<p>page")
    write_volatile(Volatile("cd" * 32, (), ()), tmp_path / "page.volatile.json")
    result = CliRunner().invoke(edge.testbed, ["browse", str(recording), "--screenshot", str(tmp_path / "x.png")])
    assert isinstance(result.exception, BadInputError)
    assert "of another recording (cdcdcdcdcdcd...) than page.warc.gz" in str(result.exception)
    assert became == []


@pytest.mark.parametrize("arguments", [[], ["--help"], ["run", "--help"], ["networks", "--network", "DSL", "--", "x"]])
def test_other_commands_become_the_program_with_their_arguments(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    became: list[list[str]] = []
    monkeypatch.setattr("eyelevel.testbed.command.find_testbed", lambda: Path("/program"))
    monkeypatch.setattr("os.execv", lambda _, given: became.append(given))
    result = CliRunner().invoke(edge.testbed, arguments)
    assert result.exit_code == 0, result.output
    assert became == [["/program", *arguments]]
