"""A batch folder tells what it holds, after any crash; two commands never work in one folder."""

import errno
import json
import os
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from eyelevel.capture.campaign import settings_of
from eyelevel.capture.ledger import (
    catch_up,
    check_browser,
    check_rules,
    check_testbed,
    claimed,
    costs,
    keep_campaign,
    lines,
    note,
    taken,
)
from eyelevel.capture.plan import Run
from eyelevel.errors import BadInputError, RefusedError

RUN = Run(site="garden", recording="ab" * 32, network="DSL", stack="QUIC", number=1, seed=5, page_seed=6)
SETTINGS: dict[str, Any] = {
    "viewport": {"width_px": 1280, "height_px": 720},
    "frame_rate": 30,
    "frame_rates": {},
    "quiet_ms": 3000,
    "scheduler": "rfc9218",
}


def put(batch: Path, **changes: Any) -> None:
    folder = batch / RUN.path
    folder.mkdir(parents=True)
    take = {
        "seed": 5,
        "recording": "ab" * 32,
        "viewport": SETTINGS["viewport"],
        "film": {"frame_rate": 30},
        "provenance": {"scheduler": "rfc9218"},
        **changes,
    }
    (folder / "take.json").write_text(json.dumps(take))


def test_a_run_with_its_take_is_taken(tmp_path: Path) -> None:
    assert not taken(tmp_path, [RUN], SETTINGS)
    put(tmp_path)
    assert set(taken(tmp_path, [RUN], SETTINGS)) == {RUN.path}


@pytest.mark.parametrize(
    "change",
    [{"seed": 4}, {"recording": "cd" * 32}, {"film": {"frame_rate": 60}}, {"provenance": {"scheduler": "round-robin"}}],
)
def test_a_take_of_another_campaign_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    put(tmp_path, **change)
    with pytest.raises(BadInputError, match="was taken by another campaign"):
        taken(tmp_path, [RUN], SETTINGS)


def test_takes_of_another_browser_are_not_added_to() -> None:
    takes = {RUN.path: {"provenance": {"tools": {"chromium": "156.0.1"}}}}
    check_browser(takes, "156.0.1")
    check_browser(takes, None)
    check_browser({RUN.path: {"provenance": {"tools": {}}}}, "157.0.1")
    with pytest.raises(BadInputError, match=r"with Chromium 156\.0\.1, and here is 157\.0\.1"):
        check_browser(takes, "157.0.1")


def test_takes_that_began_at_another_page_are_not_added_to(tmp_path: Path) -> None:
    def campaign(start_url: str | None) -> str:
        page = f'start_url = "{start_url}"\n' if start_url else ""
        return f'networks = ["DSL"]\n[[sites]]\nname = "garden"\nrecording = "garden.warc.gz"\n{page}'

    (tmp_path / "campaign.toml").write_text(campaign("https://garden.example/"))
    check_rules(tmp_path, settings_of(tomllib.loads(campaign("https://garden.example/"))))
    for other in ("https://garden.example/beds", None):
        with pytest.raises(BadInputError, match=f"garden in .* start_url = https://garden.example/, .* says {other};"):
            check_rules(tmp_path, settings_of(tomllib.loads(campaign(other))))
    other_site = campaign(None).replace('"garden"', '"harbour"')
    check_rules(tmp_path, settings_of(tomllib.loads(other_site)))


@pytest.mark.parametrize("torn", ["", 'name = "demo"\n', 'name = "de', "sites = 3\n"])
def test_a_campaign_file_that_a_full_disk_tore_is_named_and_how_to_go_on(tmp_path: Path, torn: str) -> None:
    (tmp_path / "campaign.toml").write_text(torn)
    with pytest.raises(BadInputError, match=r"campaign.toml cannot be read .*put the file .* in its place"):
        check_rules(tmp_path, SETTINGS)


def test_the_campaign_file_is_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = tmp_path / "batch"
    batch.mkdir()
    given = tmp_path / "signs.toml"
    given.write_text("runs = 2\n")
    keep_campaign(batch, given)
    kept = batch / "campaign.toml"
    assert kept.read_text() == "runs = 2\n"
    given.write_text("runs = 3\n")
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(OSError, match="No space left"):
        keep_campaign(batch, given)
    assert [(path.name, path.read_text()) for path in batch.iterdir()] == [("campaign.toml", "runs = 2\n")]
    monkeypatch.undo()
    keep_campaign(batch, given)
    assert kept.read_text() == "runs = 3\n"


def test_a_batchs_own_campaign_file_may_be_given(tmp_path: Path) -> None:
    kept = tmp_path / "campaign.toml"
    kept.write_text("runs = 2\n")
    keep_campaign(tmp_path, kept)
    assert kept.read_text() == "runs = 2\n"


def test_takes_of_another_build_of_the_testbed_are_not_added_to() -> None:
    takes = {RUN.path: {"provenance": {"tools": {"testbed_sha256": "ab" * 32}}}}
    check_testbed(takes, "ab" * 32)
    check_testbed({RUN.path: {"provenance": {"tools": {}}}}, "cd" * 32)
    with pytest.raises(BadInputError, match=r"another build of the testbed \(abababababab, now cdcdcdcdcdcd\)"):
        check_testbed(takes, "cd" * 32)


def write(batch: Path, number: int, outcome: str, cause: str | None = None) -> None:
    note(batch, RUN, number, outcome, cause=cause, detail=None, wall_s=1.5)


def told(batch: Path) -> list[tuple[int, str]]:
    return [(line["attempt"], line["outcome"]) for line in lines(batch)]


def test_attempts_are_read_back_and_a_torn_line_is_not(tmp_path: Path) -> None:
    assert lines(tmp_path) == []
    write(tmp_path, 1, "void", "frames lost")
    path = tmp_path / "attempts.jsonl"
    path.write_text(path.read_text() + '{"run": "takes/gard')
    assert told(tmp_path) == [(1, "void")]
    write(tmp_path, 2, "valid")
    assert told(tmp_path) == [(1, "void"), (2, "valid")]
    assert json.loads(path.read_text().splitlines()[-1])["outcome"] == "valid"


@pytest.mark.parametrize(("outcome", "line"), [("settled", "valid"), ("unsettled", "censored")])
def test_a_take_whose_line_was_lost_gets_one_and_only_one(tmp_path: Path, outcome: str, line: str) -> None:
    put(tmp_path, attempt=2, outcome=outcome)
    write(tmp_path, 1, "void", "frames lost")
    for _ in range(2):
        catch_up(tmp_path, [RUN], taken(tmp_path, [RUN], SETTINGS))
    assert told(tmp_path) == [(1, "void"), (2, line)]


def test_a_take_costs_its_files_and_its_attempt_s_time(tmp_path: Path) -> None:
    put(tmp_path)
    write(tmp_path, 1, "valid")
    (seen,) = costs(tmp_path, [RUN])
    assert (seen.network, seen.wall_s) == ("DSL", 1.5)
    assert seen.size_bytes == (tmp_path / RUN.path / "take.json").stat().st_size


def test_a_second_command_in_the_same_folder_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    with claimed(tmp_path), pytest.raises(RefusedError, match="Another capture is at work"), claimed(tmp_path):
        pass
    with claimed(tmp_path):
        pass


def test_takes_made_by_other_rules_are_not_added_to(tmp_path: Path) -> None:
    campaign = """contract = "eyelevel/campaign/1"
name = "x"
seed = 1
networks = ["MSS"]
stacks = ["QUIC"]
limits_s = {MSS = 60}
sites = [{name = "garden", recording = "garden.warc.gz"}]
"""
    (tmp_path / "campaign.toml").write_text(campaign)
    check_rules(tmp_path, settings_of(tomllib.loads(campaign)))
    longer = settings_of(tomllib.loads(campaign.replace("60", "120")))
    with pytest.raises(BadInputError, match=r"limits_s = .*60.* now says .*120"):
        check_rules(tmp_path, longer)
