"""Capture's report and the comparison give the same verdict on a site, from the same takes."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eyelevel.capture.outcome.rates import report
from eyelevel.compare.comparison import Choices, compare
from eyelevel.compare.model import Pair
from eyelevel.compare.reading import read_batch
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from tests.compare.made import Plan, write

UNKNOWN = dict.fromkeys(("exact", "equivalent", "inexact", "missed", "before_load_digest"))


def rewrite(folder: Path, **changes: Any) -> None:
    path = folder / "take.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def never_loaded(batch: Path) -> None:
    for folder in batch.glob("takes/garden/*/*/*"):
        rewrite(folder, fidelity=UNKNOWN)


def second_visits_never_loaded(batch: Path) -> None:
    for folder in batch.glob("takes/garden/*/*/run-*"):
        http = folder.with_name(folder.name.replace("run", "http"))
        shutil.copytree(folder, http)
        rewrite(http, cache="http", fidelity=UNKNOWN)


def in_comparison(batch: Path, cache: str) -> bool | None:
    """What capture's report says of garden."""
    takes = {
        folder.parent.relative_to(batch).as_posix(): Take.of(json.loads(folder.read_text()))
        for folder in batch.glob("takes/*/*/*/*/take.json")
    }
    caches = tuple(sorted({take.cache for take in takes.values()}))
    campaign = replace(BatchFolder(batch).campaign(), networks=("DSL",), stacks=("TCP+", "QUIC"), caches=caches)
    runs = [
        Run(take.site, "DSL", take.stack.name, take.run, take.cache, recording="", seed=1, page_seed=1)
        for take in takes.values()
    ]
    checks = BatchFolder(batch).replay_checks()
    value = report(campaign, runs, takes, [], scenes=[], differing={}, checks=checks, beyond={})
    (said,) = [
        site["in_comparison"]
        for site in value.as_json()["sites"]
        if site["site"] == "garden" and site.get("cache", cache) == cache
    ]
    return said  # type: ignore[no-any-return]


def compared(batch: Path, cache: str) -> bool:
    """What `eyelevel compare` says of garden."""
    made = read_batch(batch)
    found = compare(made, Choices([Pair("QUIC", "TCP+")], "TCP+", "holm", cache))
    (kept,) = [row.kept for row in found.fidelity if row.site == "garden"]
    return kept


@pytest.mark.parametrize(
    ("plant", "lacking", "expected"),
    [
        pytest.param(never_loaded, [], False, id="no take of the site loaded"),
        pytest.param(lambda _: None, ["garden"], False, id="the replay check missed a style sheet"),
        pytest.param(second_visits_never_loaded, [], True, id="no second visit loaded"),
    ],
)
def test_capture_and_compare_agree_on_whether_a_site_is_excluded(
    tmp_path: Path, plant: Any, lacking: list[str], expected: bool
) -> None:
    batch = write(
        Plan(sites=("forest", "garden"), runs=2, lacking=lacking, toml='cache = ["cold", "http"]'), tmp_path / "batch"
    )
    plant(batch)
    assert {"capture": in_comparison(batch, "cold"), "compare": compared(batch, "cold")} == {
        "capture": expected,
        "compare": expected,
    }


def test_second_visits_are_judged_apart_in_both(tmp_path: Path) -> None:
    batch = write(Plan(sites=("forest", "garden"), runs=2, toml='cache = ["cold", "http"]'), tmp_path / "batch")
    second_visits_never_loaded(batch)
    for folder in batch.glob("takes/forest/*/*/run-*"):
        http = folder.with_name(folder.name.replace("run", "http"))
        shutil.copytree(folder, http)
        rewrite(http, cache="http")
    assert (in_comparison(batch, "http"), compared(batch, "http")) == (False, False)
