"""Locks of npm packages install on any day: npm refuses one that a tag such as `latest` has moved away from."""

import json
import re
from pathlib import Path

import pytest

LOCKS = sorted(Path(__file__).parent.glob("*/package-lock.json"))
TAG = re.compile(r"[a-z][a-z-]*")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_what_a_package_asks_for_by_tag_is_pinned_by_an_override(lock: Path) -> None:
    pinned = json.loads(lock.with_name("package.json").read_text()).get("overrides", {})
    asked = {
        name
        for package in json.loads(lock.read_text())["packages"].values()
        for name, version in package.get("dependencies", {}).items()
        if TAG.fullmatch(version)
    }
    assert asked <= set(pinned)


def test_the_benches_have_locks() -> None:
    assert {lock.parent.name for lock in LOCKS} >= {"browsertime", "lighthouse"}
