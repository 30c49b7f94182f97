"""The reference pages in docs/contracts are those of the contracts."""

import json
import sys
from pathlib import Path

import pytest

from eyelevel_core.contracts import check, schema
from eyelevel_core.contracts.check import FOLDER
from eyelevel_core.contracts.reference import main, pages

DOCS = Path(__file__).resolve().parents[3] / "docs" / "contracts"
WRITE = "write them again: PYTHONPATH=pipeline .venv/bin/python -m eyelevel_core.contracts.reference docs/contracts"


@pytest.mark.parametrize("name", sorted(pages()))
def test_a_page_is_current(name: str) -> None:
    page = DOCS / name
    assert page.is_file(), WRITE
    assert page.read_text() == pages()[name], WRITE


def test_every_page_is_of_a_contract_and_listed() -> None:
    listed = (DOCS / "README.md").read_text()
    names = {path.name for path in DOCS.glob("*.md")} - {"README.md", "api.md"}
    assert names == set(pages())
    assert [name for name in names if f"]({name})" not in listed] == []


def test_a_row_tells_type_unit_range_default_and_whether_it_is_required() -> None:
    campaign = pages()["campaign.1.md"]
    assert "| `runs` | integer | 1 to 1000 |  | `1` | " in campaign
    assert "| `viewport.width_px` | integer | pixels, 320 to 3840, in steps of 2 | yes |  |" in campaign
    assert "| `[].takes` | list of string |  | yes |  | " in pages()["fidelity.1.md"]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.schema.json")), ids=lambda path: path.name)
def test_a_contract_is_a_schema_itself(path: Path) -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(json.loads(path.read_text()))


def test_the_defaults_of_a_contract_keep_it() -> None:
    for name, part in schema("campaign.1")["properties"].items():
        if "default" in part:
            value = {
                "contract": "eyelevel/campaign/1", "name": "x", "seed": 1, "networks": ["DSL", "LTE"],
                "stacks": ["TCP+", "QUIC"], "sites": [{"name": "a", "recording": "a"}], name: part["default"],
            }  # fmt: skip
            check(value, "campaign.1", source="campaign.toml")


def test_the_command_writes_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["reference", str(tmp_path)])
    main()
    assert {path.name for path in tmp_path.iterdir()} == set(pages())
    monkeypatch.setattr(sys, "argv", ["reference"])
    with pytest.raises(SystemExit, match="usage"):
        main()
