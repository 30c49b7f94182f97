"""Several batches are compared as one, unless they contradict each other."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.compare.command import compare_command
from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import BatchFolder
from tests.core.made import replay_check

from .made import Plan, void, write

PLAN = Plan(sites=("alpha", "beta"), networks=("DSL", "LTE"), runs=3)
ALONE = "takes/alpha/DSL/QUIC/run-01"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(compare_command, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def part(batch: Path, folder: Path, keeps: Callable[[str], bool]) -> Path:
    """The batch with some of its takes: those whose path is kept, and their attempts and scenes."""
    shutil.copytree(batch, folder)
    for take in list(folder.glob("takes/*/*/*/*")):
        if not keeps(take.relative_to(folder).as_posix()):
            shutil.rmtree(take)
    lines = [line for line in (folder / "attempts.jsonl").read_text().splitlines() if keeps(json.loads(line)["run"])]
    (folder / "attempts.jsonl").write_text("".join(f"{line}\n" for line in lines))
    scenes = json.loads((folder / "fidelity.json").read_text())
    for scene in scenes:
        scene["takes"] = [path for path in scene["takes"] if keeps(path)]
    (folder / "fidelity.json").write_text(json.dumps([scene for scene in scenes if scene["takes"]]))
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write(PLAN, tmp_path / "whole", attempts=[void(ALONE)])


def changed(batch: Path, change: Callable[[dict[str, object]], None]) -> None:
    for path in batch.glob("takes/*/*/*/*/take.json"):
        value = json.loads(path.read_text())
        change(value)
        path.write_text(json.dumps(value))


def test_two_halves_give_the_tables_of_the_whole(whole: Path, tmp_path: Path) -> None:
    dsl = part(whole, tmp_path / "dsl", lambda path: "/DSL/" in path)
    lte = part(whole, tmp_path / "lte", lambda path: "/LTE/" in path)
    assert run(dsl, lte, "--out", tmp_path / "two") == run(whole, "--out", tmp_path / "one")
    for path in sorted((tmp_path / "one").rglob("*.*")):
        if path.name not in {"provenance.csv", "report.html"}:
            assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes(), path.name
    facts = (tmp_path / "two" / "tables" / "provenance.csv").read_text()
    assert facts.count('campaign,"made, seed 1, 3 runs"') == 2


def test_a_network_of_one_batch_may_have_more_runs(tmp_path: Path) -> None:
    dsl = write(replace(PLAN, networks=("DSL",), runs=5, toml="runs_on = {DSL = 5}"), tmp_path / "dsl")
    lte = write(replace(PLAN, networks=("LTE",)), tmp_path / "lte")
    campaign = dsl / "campaign.toml"
    campaign.write_text(campaign.read_text().replace("runs = 5", "runs = 3"))
    said = run(dsl, lte, "--out", tmp_path / "two")
    assert "up to 5\u00a0runs each." in said
    assert "no take" not in said
    facts = (tmp_path / "two" / "tables" / "provenance.csv").read_text()
    assert 'campaign,"made, seed 1, 3 runs, 5 on DSL"' in facts


def test_takes_of_a_scene_in_two_batches_are_compared_and_it_is_said(whole: Path, tmp_path: Path) -> None:
    quic = part(whole, tmp_path / "quic", lambda path: "/QUIC/" in path)
    tcp = part(whole, tmp_path / "tcp", lambda path: "/QUIC/" not in path)
    assert "24\u00a0page loads of 2\u00a0sites" in run(quic, tcp, "--out", tmp_path / "two")
    page = (tmp_path / "two" / "report.html").read_text()
    assert "Takes of 4\u00a0scenes (such as alpha on DSL) are in several batches" in page


def test_a_site_that_one_batch_excludes_is_excluded_in_all(whole: Path, tmp_path: Path) -> None:
    one = part(whole, tmp_path / "one", lambda path: "/DSL/" in path)
    other = part(whole, tmp_path / "other", lambda path: "/LTE/" in path)
    BatchFolder(other).write_check("alpha", replay_check(lacks_style_sheet=True))
    run(one, other, "--out", tmp_path / "out")
    table = (tmp_path / "out" / "tables" / "site-tests.csv").read_text()
    assert {line.split(",")[0] for line in table.splitlines()[1:]} == {"beta"}


def test_what_only_one_batch_was_checked_for_stays_unknown_for_the_other(whole: Path, tmp_path: Path) -> None:
    dsl = part(whole, tmp_path / "dsl", lambda path: "/DSL/" in path)
    lte = part(whole, tmp_path / "lte", lambda path: "/LTE/" in path)
    (lte / "fidelity.json").unlink()
    run(dsl, lte, "--out", tmp_path / "two")
    page = (tmp_path / "two" / "report.html").read_text()
    assert "fidelity.json does not cover 12 of 24 takes yet" in page


REFUSED: dict[str, tuple[Callable[[dict[str, object]], None], str]] = {
    "browser": (
        lambda take: take["provenance"]["tools"].update(chromium="2.0"),  # type: ignore[index]  # a take's JSON
        "was captured with chromium 2.0, but .* with 1.0; batches of two builds or browsers",
    ),
    "stack": (lambda take: take["stack"].update(digest="1" * 64), "The stack QUIC is not"),  # type: ignore[attr-defined]  # the same
    "network": (lambda take: take["network"].update(digest="1" * 64), "The network DSL is not"),  # type: ignore[attr-defined]  # the same
    "recording": (lambda take: take.update(recording="1" * 64), "The site alpha is not"),
    "page seed": (
        lambda take: take["provenance"].update(page_seed=7),  # type: ignore[attr-defined]  # the same
        "takes of alpha have the seed of the page's random numbers 7 .page_seed., but those of .* have none; batches",
    ),
    "mask": (
        lambda take: take["provenance"].update(mask_digest="a" * 64),  # type: ignore[attr-defined]  # the same
        "takes of alpha have the motion mask a{64} .mask_digest., but those of .* have none; batches",
    ),
    "volatile parameters": (
        lambda take: take["provenance"].update(volatile_digest="b" * 64),  # type: ignore[attr-defined]  # the same
        "takes of alpha have the volatile parameters b{64} .volatile_digest., but those of .* have none; batches",
    ),
}


@pytest.mark.parametrize("change", REFUSED)
def test_batches_that_contradict_each_other_are_refused(whole: Path, tmp_path: Path, change: str) -> None:
    first = part(whole, tmp_path / "first", lambda path: path.endswith("run-01"))
    other = part(whole, tmp_path / "other", lambda path: not path.endswith("run-01"))
    apply, words = REFUSED[change]
    changed(other, apply)
    with pytest.raises(BadInputError, match=words) as error:
        run(first, other, "--out", tmp_path / "report")
    assert str(first) in str(error.value)
    assert str(other) in str(error.value)


def test_campaigns_that_judge_takes_otherwise_are_refused(whole: Path, tmp_path: Path) -> None:
    first = part(whole, tmp_path / "first", lambda path: path.endswith("run-01"))
    other = part(whole, tmp_path / "other", lambda path: not path.endswith("run-01"))
    text = (other / "campaign.toml").read_text()
    (other / "campaign.toml").write_text(f"quiet_ms = 5000\n{text}")
    with pytest.raises(BadInputError, match=r"campaign.toml has quiet_ms 5000, but that of .* has 3000"):
        run(first, other, "--out", tmp_path / "report")
    (other / "campaign.toml").write_text(f"limit_s = 90\n{text}")
    with pytest.raises(BadInputError, match="The limit of the network DSL is not the same in"):
        run(first, other, "--out", tmp_path / "report")


def test_a_run_counts_once(whole: Path, tmp_path: Path) -> None:
    copy = part(whole, tmp_path / "copy", lambda path: path == ALONE)
    with pytest.raises(BadInputError, match=f"both have {ALONE}; a run can count only once"):
        run(whole, copy, "--out", tmp_path / "report")
    with pytest.raises(BadInputError, match="whole is given twice"):
        run(whole, whole, "--out", tmp_path / "report")
