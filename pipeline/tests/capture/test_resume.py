"""A batch folder tells what it holds, after any crash; two commands never work in one folder."""

import errno
import json
import os
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from eyelevel.capture.resuming.resume import catch_up, claimed, costs, keep_campaign, lines, note, taken
from eyelevel.capture.resuming.same_conditions import check_browser, check_rules, check_testbed
from eyelevel.errors import BadInputError, RefusedError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.attempt import Outcome
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run
from tests.core.made import campaign, take, take_value

RUN = Run(site="garden", recording="ab" * 32, network="DSL", stack="QUIC", number=1, seed=5, page_seed=6)
CAMPAIGN = campaign()
HEAD = 'contract = "eyelevel/campaign/1"\nname = "x"\nseed = 1\nstacks = ["QUIC"]\n'


def read(text: str) -> Campaign:
    return Campaign.of(tomllib.loads(text), source="campaign.toml")


def put(batch: Path, **changes: Any) -> None:
    folder = batch / RUN.path
    folder.mkdir(parents=True)
    (folder / "take.json").write_text(json.dumps(take_value(RUN, **changes)))


def test_a_run_with_its_take_is_taken(tmp_path: Path) -> None:
    assert not taken(BatchFolder(tmp_path), [RUN], CAMPAIGN)
    put(tmp_path)
    assert set(taken(BatchFolder(tmp_path), [RUN], CAMPAIGN)) == {RUN.path}


@pytest.mark.parametrize(
    "change",
    [{"seed": 4}, {"recording": "cd" * 32}, {"provenance": {"scheduler": "round-robin"}}],
)
def test_a_take_of_another_campaign_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    put(tmp_path, **change)
    with pytest.raises(BadInputError, match="was captured by another campaign"):
        taken(BatchFolder(tmp_path), [RUN], CAMPAIGN)


def test_takes_of_another_browser_are_not_added_to() -> None:
    takes = {RUN.path: take(RUN, provenance={"tools": {"chromium": "156.0.1"}})}
    check_browser(takes, "156.0.1")
    check_browser(takes, None)
    check_browser({RUN.path: take(RUN)}, "157.0.1")
    with pytest.raises(BadInputError, match=r"with Chromium 156\.0\.1, but this machine has 157\.0\.1"):
        check_browser(takes, "157.0.1")


def test_takes_that_began_at_another_page_are_not_added_to(tmp_path: Path) -> None:
    def begun_at(start_url: str | None, name: str = "garden") -> str:
        page = f'start_url = "{start_url}"\n' if start_url else ""
        return f'{HEAD}networks = ["DSL"]\n[[sites]]\nname = "{name}"\nrecording = "garden.warc.gz"\n{page}'

    def check(text: str) -> None:
        check_rules(BatchFolder(tmp_path), read(text))

    (tmp_path / "campaign.toml").write_text(begun_at("https://garden.example/"))
    check(begun_at("https://garden.example/"))
    for other in ("https://garden.example/beds", None):
        with pytest.raises(BadInputError, match=f"garden in .* start_url = https://garden.example/, .* has {other};"):
            check(begun_at(other))
    check(begun_at(None, "harbour"))


@pytest.mark.parametrize("torn", ["", 'name = "demo"\n', 'name = "de', "sites = 3\n"])
def test_a_campaign_file_that_a_full_disk_tore_is_named_and_how_to_go_on(tmp_path: Path, torn: str) -> None:
    (tmp_path / "campaign.toml").write_text(torn)
    with pytest.raises(
        BadInputError, match=r"campaign\.toml.* Restore the campaign file with which the takes were captured"
    ):
        check_rules(BatchFolder(tmp_path), CAMPAIGN)


def test_the_campaign_file_is_kept_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = tmp_path / "batch"
    batch.mkdir()
    given = tmp_path / "given.toml"
    given.write_text("runs = 2\n")
    keep_campaign(BatchFolder(batch), given)
    stored = batch / "campaign.toml"
    assert stored.read_text() == "runs = 2\n"
    given.write_text("runs = 3\n")
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(OSError, match="No space left"):
        keep_campaign(BatchFolder(batch), given)
    assert [(path.name, path.read_text()) for path in batch.iterdir()] == [("campaign.toml", "runs = 2\n")]
    monkeypatch.undo()
    keep_campaign(BatchFolder(batch), given)
    assert stored.read_text() == "runs = 3\n"


def test_a_batchs_own_campaign_file_may_be_given(tmp_path: Path) -> None:
    stored = tmp_path / "campaign.toml"
    stored.write_text("runs = 2\n")
    keep_campaign(BatchFolder(tmp_path), stored)
    assert stored.read_text() == "runs = 2\n"


def test_takes_of_another_build_of_the_testbed_are_not_added_to() -> None:
    takes = {RUN.path: take(RUN, provenance={"tools": {"testbed_sha256": "ab" * 32}})}
    check_testbed(takes, "ab" * 32)
    check_testbed({RUN.path: take(RUN)}, "cd" * 32)
    with pytest.raises(BadInputError, match=r"another build of the testbed \(abababababab, now cdcdcdcdcdcd\)"):
        check_testbed(takes, "cd" * 32)


def write(batch: Path, number: int, outcome: Outcome, cause: str | None = None) -> None:
    note(BatchFolder(batch), RUN, number, outcome, cause=cause, detail=None, wall_s=1.5)


def attempts(batch: Path) -> list[tuple[int, str]]:
    return [(line.attempt, line.outcome) for line in lines(BatchFolder(batch))]


def test_attempts_are_read_back_and_a_torn_line_is_not(tmp_path: Path) -> None:
    assert lines(BatchFolder(tmp_path)) == []
    write(tmp_path, 1, Outcome.VOID, "frames lost")
    path = tmp_path / "attempts.jsonl"
    path.write_text(path.read_text() + '{"run": "takes/gard')
    assert attempts(tmp_path) == [(1, "void")]
    write(tmp_path, 2, Outcome.VALID)
    assert attempts(tmp_path) == [(1, "void"), (2, "valid")]
    assert json.loads(path.read_text().splitlines()[-1])["outcome"] == "valid"


@pytest.mark.parametrize(("outcome", "line"), [("settled", "valid"), ("unsettled", "censored")])
def test_a_take_whose_line_was_lost_gets_one_and_only_one(tmp_path: Path, outcome: str, line: str) -> None:
    put(tmp_path, attempt=2, outcome=outcome)
    write(tmp_path, 1, Outcome.VOID, "frames lost")
    for _ in range(2):
        catch_up(BatchFolder(tmp_path), [RUN], taken(BatchFolder(tmp_path), [RUN], CAMPAIGN))
    assert attempts(tmp_path) == [(1, "void"), (2, line)]


def test_a_take_costs_its_files_and_its_attempt_s_time(tmp_path: Path) -> None:
    put(tmp_path)
    write(tmp_path, 1, Outcome.VALID)
    (seen,) = costs(BatchFolder(tmp_path), [RUN])
    assert (seen.network, seen.wall_s) == ("DSL", 1.5)
    assert seen.size_bytes == (tmp_path / RUN.path / "take.json").stat().st_size


def test_a_second_command_in_the_same_folder_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    with (
        claimed(BatchFolder(tmp_path)),
        pytest.raises(RefusedError, match="Another capture is using"),
        claimed(BatchFolder(tmp_path)),
    ):
        pass
    with claimed(BatchFolder(tmp_path)):
        pass


def test_takes_made_by_other_rules_are_not_added_to(tmp_path: Path) -> None:
    campaign_text = """contract = "eyelevel/campaign/1"
name = "x"
seed = 1
networks = ["MSS"]
stacks = ["QUIC"]
limits_s = {MSS = 60}
sites = [{name = "garden", recording = "garden.warc.gz"}]
"""
    (tmp_path / "campaign.toml").write_text(campaign_text)
    check_rules(BatchFolder(tmp_path), read(campaign_text))
    longer = read(campaign_text.replace("60", "120"))
    with pytest.raises(BadInputError, match=r"limits_s = .*60.* now has .*120"):
        check_rules(BatchFolder(tmp_path), longer)
