"""`eyelevel study check --batch` and publishing say the same of every file: right, or wrong with line and sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import batches
import pytest
import yaml
from batches import Folder
from click.testing import CliRunner

from eyelevel.study.command import study as command
from eyelevel_core.contracts.sentences import dotted
from eyelevel_core.study.parse import StudyError
from lib.problems import Problem
from studies.models import Study
from studies.publish import publish
from testing import studies

pytestmark = [pytest.mark.django_db, pytest.mark.services]

TEXT = {"en": "x", "de": "x"}
WORK = {"key": "work", "label": TEXT, "networks": ["DSL", "LTE"]}
MOON = {"key": "moon", "label": TEXT, "networks": ["2G"]}
# what was found: null where the file is right, else the sentence, its line and its field
Found = tuple[str, object, object] | None
Change = Callable[[Folder], None]


def rate(**changes: Any) -> dict[str, Any]:
    return {"kind": "rate", "count": 2} | changes


def compare(**changes: Any) -> dict[str, Any]:
    return {"kind": "compare", "count": 2} | changes


def as_it_is(_made: Folder) -> None:
    """Two sites, two networks and two stacks, each alone and side by side in both orders: 8 settings and 4 pairs."""


def with_identical(folder: Folder) -> None:
    """A pair of one take twice, for each of the two stacks of the first site and network."""
    for single in (0, 1):
        (take,), (stack,) = (folder.manifest["clips"][single][name] for name in ("takes", "stacks"))
        data = f"identical {single}".encode()
        batches.add_like(folder, data, like=2, takes=[take] * 2, stacks=[stack] * 2, purpose="identical")


def with_control(folder: Folder) -> None:
    batches.add_like(folder, b"late", like=0, purpose="control", delays_ms=[500.0])


def without_an_order(folder: Folder) -> None:
    del folder.manifest["clips"][3]


def with_medoids(folder: Folder) -> None:
    for clip in folder.manifest["clips"]:
        clip["role"] = "medoid"


RIGHT: dict[str, tuple[Change, dict[str, Any]]] = {
    "plain": (as_it_is, {}),
    "all settings": (as_it_is, {"trials": [rate(count=8), compare(count=4)]}),
    "a default share that the batch has nothing for": (as_it_is, {"trials": [compare(count=4)]}),
    "a default share": (with_identical, {"trials": [compare(count=4)]}),
    "a named share": (with_identical, {"trials": [compare(count=4, identical=0.5)]}),
    "more than there are pairs, with identical ones": (with_identical, {"trials": [compare(count=5, identical=0.4)]}),
    "controls": (with_control, {"controls": {"videos": {"count": 1}}}),
    "medoids": (with_medoids, {"trials": [rate(clips="medoid")]}),
    "two blocks apart": (as_it_is, {"trials": [rate(sites=["alpha"]), rate(sites=["beta"])]}),
    "an order missing that is not asked for": (without_an_order, {"trials": [compare(networks=["LTE"])]}),
}
WRONG: dict[str, tuple[Change, dict[str, Any]]] = {
    "too few settings": (as_it_is, {"trials": [rate(count=9)]}),
    "too few pairs": (as_it_is, {"trials": [rate(), compare(count=5)]}),
    "too few settings to train with": (as_it_is, {"trials": [rate(training=9)]}),
    "too few trials to repeat": (with_identical, {"trials": [compare(count=2, identical=0.5, repeats=2)]}),
    "two blocks with one setting": (as_it_is, {"trials": [rate(sites=["alpha"]), rate()]}),
    "two blocks of other kinds with one setting": (as_it_is, {"trials": [rate(), {"kind": "slider", "count": 1}]}),
    "an unknown site": (as_it_is, {"trials": [rate(sites=["gamma"])]}),
    "an unknown network": (
        as_it_is,
        {"contexts": [WORK | {"networks": ["DSL", "2G"]}], "trials": [rate(networks=["2G"])]},
    ),
    "an unknown stack": (as_it_is, {"trials": [rate(stacks=["TCP"])]}),
    "an unknown stack in a pair": (as_it_is, {"trials": [compare(pairs=[["QUIC", "TCP"]])]}),
    "a missing order": (without_an_order, {"trials": [compare()]}),
    "a named share that the batch has nothing for": (as_it_is, {"trials": [compare(identical=0.1)]}),
    "a named share that leaves no other trial": (with_identical, {"trials": [compare(identical=0.9)]}),
    "controls that are not there": (as_it_is, {"controls": {"videos": {"count": 1}}}),
    "too few controls": (with_control, {"controls": {"videos": {"count": 2}}}),
    "controls of another block": (with_control, {"trials": [compare()], "controls": {"videos": {"count": 1}}}),
    "medoids that nothing marks": (as_it_is, {"trials": [rate(clips="medoid")]}),
    "a context without clips": (as_it_is, {"contexts": [WORK, MOON]}),
    "a block without clips": (
        as_it_is,
        {
            "contexts": [WORK, MOON],
            "trials": [rate(), compare(contexts=["moon"])],
        },
    ),
    "a broken contract": (as_it_is, {"seed": -1}),
    "a number that is none": (as_it_is, {"plan": {"sd": float("nan")}}),
    "a pay without end": (as_it_is, {"pay": {"amount": float("inf"), "currency": "EUR"}}),
    "a time that is none": (as_it_is, {"conformance": {"R3": {"away_ms": float("nan")}}}),
    "a margin without end": (
        as_it_is,
        {"plan": {"hypotheses": [{"key": "H1", "says": "x", "margin": float("inf")}]}},
    ),
    "a lease that no database holds": (as_it_is, {"session": {"lease_minutes": 99_999_999_999}}),
    "a count with a point": (as_it_is, {"trials": [rate(count=2.0)]}),
    "a quota with a point": (as_it_is, {"quota": {"sessions": 6.0}}),
    "a name with a line break": (as_it_is, {"name": "pilot\n"}),
    "half a character": (as_it_is, {"title": {"en": "\ud83d", "de": "x"}}),
    "half a character in a name": (as_it_is, {"half \ud83d": 1}),
    "a kind that is none": (as_it_is, {"trials": [{"kind": "rank", "count": 1}]}),
}


def checked(path: Path, folder: Path) -> Found:
    """What the command says where the file is written."""
    try:
        result = CliRunner().invoke(command, ["check", str(path), "--batch", str(folder)], catch_exceptions=False)
    except StudyError as error:
        return str(error).replace(str(path), "study"), error.line, dotted(error.where) or None
    assert result.exit_code == 0, result.output
    return None


def published(text: str) -> Found:
    """What the platform says."""
    try:
        publish(text, user=None)
    except Problem as problem:
        return str(problem), problem.details["line"], problem.details["field"]
    return None


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_check_and_publish_agree(tmp_path: Path, name: str) -> None:
    change, changes = (RIGHT | WRONG)[name]
    folder = batches.folder()
    change(folder)
    (tmp_path / "manifest.json").write_bytes(folder.manifest_bytes)
    studies.visible_batch(folder)
    # a study file has no aliases, which YAML would write for what the design has twice
    text = yaml.safe_dump(json.loads(json.dumps(studies.design(**changes))))
    path = tmp_path / "study.yaml"
    path.write_text(text)
    fault = checked(path, tmp_path)
    assert published(text) == fault
    assert (fault is None) == (name in RIGHT)
    assert Study.objects.count() == (name in RIGHT)
    if fault is not None:
        sentence, line, _ = fault
        assert line is not None
        assert sentence.startswith(f"study, line {line}")
