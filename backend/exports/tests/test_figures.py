"""Tests the figures of an export."""

import json

import pytest

from eyelevel_core.contracts import sha256_of_bytes
from testing.votes import Field

from .exported import analysed, exported

pytestmark = [pytest.mark.services, pytest.mark.django_db]


def test_figures_are_those_of_the_snapshot_and_listed_in_the_manifest() -> None:
    field = Field()
    field.rate("QUIC", 6)
    field.compare("left")
    result = analysed(field)
    files = exported(result)
    drawn = {name: data for name, data in files.items() if name.startswith("figures/")}
    assert "figures/pairs-dsl-quic-tcp+.svg" in drawn
    assert all(f"Study demo, snapshot {result.snapshot_id[:12]}.".encode() in data for data in drawn.values())
    # nothing in a file opens a clip
    assert not any(b"data-clip" in data for data in drawn.values())
    listed = json.loads(files["manifest.json"])["files"]
    assert {name: listed[name] for name in drawn} == {
        name: {"sha256": sha256_of_bytes(data), "bytes": len(data)} for name, data in drawn.items()
    }
    resources = {resource["path"]: resource for resource in json.loads(files["datapackage.json"])["resources"]}
    pair = resources["figures/pairs-dsl-quic-tcp+.svg"]
    assert (pair["name"], pair["mediatype"]) == ("figures-pairs-dsl-quic-tcp-plus-svg", "image/svg+xml")
