"""The doctor tells what is missing for which stage, and how to get it; it works for anybody."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from eyelevel.doctor.command import doctor
from eyelevel.doctor.look import Finding, look
from eyelevel.doctor.needs import STAGES, Kind, Need
from eyelevel.loads.tools import TOOLS


def test_every_stage_of_a_capture_machine_is_in_the_table() -> None:
    stages = ["record", "replay", "capture", "measure", "batch", "upload", "study", "rate", "analyse", "export"]
    assert list(STAGES) == stages
    assert all(need.cure for needs in STAGES.values() for need in needs)


def test_an_empty_path_lacks_every_program_and_names_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(doctor, ["--json"])
    assert result.exit_code == 1
    value = json.loads(result.stdout)
    assert value["ok"] is False
    missing = {need["name"]: need["cure"] for need in value["stages"]["capture"]["needs"] if need["found"] is None}
    assert missing["Xvfb"] == "apt-get install xvfb"
    assert missing["ffmpeg"] == "apt-get install ffmpeg"
    assert "playwright" not in missing


def test_a_package_whose_program_does_not_start_is_missing() -> None:
    cause = "node: error while loading shared libraries: libatomic.so.1"
    driver = Need(Kind.PACKAGE, "playwright", "", ("sh", "-c", f"echo trace >&2; echo '{cause}' >&2; exit 127"))
    finding = look(driver, finders={})
    assert (finding.found, finding.note) == (
        None,
        f"it does not start (Debian: apt-get install libatomic1): {cause}",
    )


def test_the_table_is_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(doctor, [])
    assert result.exit_code == 1
    assert "missing" in result.stdout
    assert "Something is missing" in result.stdout


def test_the_doctor_is_content_where_only_optional_tools_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    optional = {"warcprox", "a font for zh"}

    def fake_look(need: Need, **_: object) -> Finding:
        return Finding(None if need.name in optional else "yes")

    monkeypatch.setattr("eyelevel.doctor.command.look", fake_look)
    result = CliRunner().invoke(doctor, [])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == (
        "Only optional tools are missing; the table says how to get them: without warcprox (stage record) pages of "
        "your own cannot be recorded; without a font for zh (stage capture) Chinese pages show boxes."
    )
    value = json.loads(CliRunner().invoke(doctor, ["--json"]).stdout)
    assert (value["ok"], value["stages"]["record"]["complete"]) == (True, False)
    assert {need["name"] for need in value["stages"]["record"]["needs"] if need["optional"]} == {"warcprox"}


def test_one_tool_that_is_not_optional_is_enough_to_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def fake_look(need: Need, **_: object) -> Finding:
        return Finding(None if need.name in {"warcprox", "ffprobe"} else "yes")

    monkeypatch.setattr("eyelevel.doctor.command.look", fake_look)
    result = CliRunner().invoke(doctor, [])
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (
        1,
        "Something is missing for these stages: capture, measure, batch, rate; the table says how to get it. These "
        "stages can run: record, replay, upload, study, analyse, export.",
    )


def told_missing(stage: str) -> set[str]:
    value = json.loads(CliRunner().invoke(doctor, ["--json"]).stdout)["stages"][stage]
    missing = {need["name"] for need in value["needs"] if need["found"] is None}
    assert value["complete"] is (not missing)
    return missing


def test_capture_is_not_complete_without_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert "root" in told_missing("capture")


def test_capture_needs_the_testbed_and_all_that_its_own_command_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("EYELEVEL_TESTBED", str(tmp_path / "no-testbed"))
    missing = told_missing("capture")
    assert set(TOOLS) - missing == set()
    assert {"eyelevel-testbed", "network namespaces"} - missing == set()


@pytest.mark.parametrize(("setting", "found"), [("1048576\n", "1048576 bytes"), ("212992\n", None), ("", None)])
def test_a_udp_buffer_smaller_than_browsers_ask_for_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, found: str | None
) -> None:
    (tmp_path / "rmem_max").write_text(setting)
    monkeypatch.setattr("eyelevel.doctor.look.RMEM_MAX", tmp_path / "rmem_max")
    (need,) = (need for need in STAGES["capture"] if need.kind is Kind.UDP_BUFFER)
    assert look(need, finders={}).found == found


@pytest.mark.parametrize(
    ("runtime", "tried", "expected"),
    [
        ("950000\n", (0, 0), ("yes", "")),
        ("-1\n", (1000, 0), ("yes", "")),
        ("950000\n", (0, 1), (None, "")),
        ("950000\n", (1000, 1), (None, "only root can test it")),
        ("0\n", (0, 0), (None, "sched_rt_runtime_us=950000")),
        ("", (0, 0), (None, "cannot be read")),
    ],
)
def test_real_time_priority_is_tried(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    runtime: str,
    tried: tuple[int, int],
    expected: tuple[str | None, str],
) -> None:
    (user, status), (found, note) = tried, expected
    (tmp_path / "runtime").write_text(runtime)
    monkeypatch.setattr("eyelevel.doctor.look.RT_RUNTIME", tmp_path / "runtime")
    (tmp_path / "chrt").write_text(f"#!/bin/sh\n[ \"$*\" = '--fifo 1 true' ] && exit {status}\n")
    (tmp_path / "chrt").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: user)
    (need,) = (need for need in STAGES["replay"] if need.kind is Kind.REAL_TIME)
    finding = look(need, finders={})
    assert finding.found == found
    assert note in finding.note
    assert (finding.note == "") is (note == "")
    assert "CAP_SYS_NICE" in need.cure


def test_real_time_priority_is_unknown_without_the_program_that_tries_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (need,) = (need for need in STAGES["replay"] if need.kind is Kind.REAL_TIME)
    assert look(need, finders={}).found is None


def test_the_platforms_servers_and_pages_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("EYELEVEL_DATABASE_URL", "EYELEVEL_REDIS_URL"):
        monkeypatch.delenv(variable, raising=False)
    check = SimpleNamespace(load=lambda: lambda: ["Valkey"])
    monkeypatch.setattr("eyelevel.doctor.look.entry_points", lambda **_: (check,))
    monkeypatch.setenv("EYELEVEL_FRONTEND_DIST", str(tmp_path))
    assert {"Valkey", "built pages"} <= told_missing("rate")
    assert "PostgreSQL" not in told_missing("rate")
    assert "celery" in {need.name for need in STAGES["rate"]}
    (tmp_path / "index.html").write_text("<!doctype html>")
    monkeypatch.setenv("EYELEVEL_REDIS_URL", "redis://valkey.example/0")
    assert not {"Valkey", "built pages"} & told_missing("rate")


def test_without_the_platform_its_servers_are_unknown_and_so_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("EYELEVEL_DATABASE_URL", "EYELEVEL_REDIS_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("eyelevel.doctor.look.entry_points", lambda **_: ())
    assert {"PostgreSQL", "Valkey"} <= told_missing("rate")


def test_a_program_is_found_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "screen"
    program.write_text("#!/bin/sh\necho screen version 2.7.1 of today\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    need = Need(Kind.PROGRAM, "screen", "apt-get install screen", ("screen", "--version"))
    assert look(need, finders={}).found == "2.7.1"


def test_a_package_that_nobody_has_is_missing() -> None:
    assert look(Need(Kind.PACKAGE, "no-such-package-here", "pip install it"), finders={}).found is None
