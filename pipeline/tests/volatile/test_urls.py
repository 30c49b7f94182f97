"""URLs are split, and scripts cut, as in the testbed: both are held to the tables in testbed/cases."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyelevel.volatile.calls import without_name
from eyelevel.volatile.urls import bare, name_of, named, path_parameters, split_url

CASES = Path(__file__).resolve().parents[2] / "testbed" / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / name).read_text())
    return found


@pytest.mark.parametrize("case", cases("paths.json"), ids=lambda case: case["path"])
def test_paths_are_told_from_their_parameters(case: dict[str, Any]) -> None:
    assert (bare(case["path"]), path_parameters(case["path"])) == (case["bare"], case["parameters"])


@pytest.mark.parametrize("case", cases("names.json"), ids=lambda case: case["piece"])
def test_a_number_alone_has_a_name(case: dict[str, Any]) -> None:
    assert name_of(case["piece"]) == case["name"]


@pytest.mark.parametrize("case", cases("jsonp.json"), ids=lambda case: f"{case['name']} in {case['body']}")
def test_a_body_is_cut_at_the_name_of_the_callback_that_it_begins_by_calling(case: dict[str, Any]) -> None:
    found = without_name(case["name"], case["body"].encode())
    assert (None if found is None else [piece.decode() for piece in found]) == case["pieces"]


def test_the_host_is_spelt_as_in_urls() -> None:
    assert split_url("https://[fd00::2]:8443/a")[0] == ("[fd00::2]", "/a")
    assert split_url("https://A.example/a")[0] == ("a.example", "/a")


def test_the_path_is_spelt_as_chromium_asks_for_it() -> None:
    assert split_url("https://a.example/x|y^z;ord=1|2?q=a|b^c") == (
        ("a.example", "/x%7Cy%5Ez"),
        (";ord=1%7C2", "q=a|b^c"),
    )


def test_parameters_of_the_path_come_before_those_of_the_query() -> None:
    place, parameters = split_url("https://a.example:8443/adi;x=1/N1;ord=2?b=3&&c&d=#top")
    assert place == ("a.example", "/adi/N1")
    assert parameters == (";x=1", ";ord=2", "b=3", "c", "d=")
    assert named(parameters) == [(";x", "1"), (";ord", "2"), ("b", "3"), ("d", "")]
    assert named(("0.4711", "c", "=5")) == [("=", "0.4711")]
