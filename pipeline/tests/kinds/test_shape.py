"""A folder is a kind: it is found by its being there, and a folder that is none is named."""

import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import eyelevel_kinds
from eyelevel_core.contracts import ContractError, schema
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.study.check import check_study
from eyelevel_core.study.resolve import block_schema
from eyelevel_kinds import KINDS
from eyelevel_kinds.discovery import discover


def package(root: Path, name: str, **folders: str) -> list[str]:
    for folder, code in folders.items():
        (root / name / folder).mkdir(parents=True)
        (root / name / folder / "__init__.py").write_text(code)
    (root / name / "__init__.py").write_text("")
    return [str(root / name)]


def test_every_folder_is_a_kind() -> None:
    folders = {path.parent.name for path in Path(eyelevel_kinds.__file__).parent.glob("*/__init__.py")}
    assert set(KINDS) == folders >= {"rate", "compare", "slider"}


def test_one_folder_more_is_one_kind_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from dataclasses import replace\nfrom eyelevel_kinds import KINDS\nKIND = replace(KINDS['rate'], name='{}')"
    path = package(tmp_path, "some_kinds", guess=code.format("guess"), alike=code.format("alike"))
    monkeypatch.syspath_prepend(tmp_path)
    kinds = discover("some_kinds", path)
    assert [(name, kind.name) for name, kind in kinds.items()] == [("alike", "alike"), ("guess", "guess")]


@pytest.mark.parametrize("code", ["", "KIND = 3", "from eyelevel_kinds import KINDS\nKIND = KINDS['rate']"])
def test_a_folder_that_is_no_kind_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    path = package(tmp_path, "odd_kinds", odd=code)
    monkeypatch.syspath_prepend(tmp_path)
    for module in [name for name in sys.modules if name.startswith("odd_kinds")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(TypeError, match="the folder odd_kinds/odd must have a KIND"):
        discover("odd_kinds", path)


@pytest.mark.parametrize("name", KINDS)
def test_a_blocks_own_fields_are_a_schema_and_hide_no_shared_one(name: str) -> None:
    kind = KINDS[name]
    Draft202012Validator.check_schema(block_schema(name))
    shared = schema("study.1")["properties"]["trials"]["items"]["properties"]
    assert not set(shared) & set(kind.block["properties"])
    assert set(kind.block) <= {"properties", "required"}


@pytest.mark.parametrize("name", KINDS)
def test_defaults_keep_the_blocks_own_schema(name: str) -> None:
    block = {"kind": name, "count": 1, **KINDS[name].defaults()}
    Draft202012Validator(block_schema(name)).validate(block)


def test_defaults_are_those_of_the_schema() -> None:
    assert KINDS["compare"].defaults() == {
        "min_width_px": 1024,
        "min_scale": 0.48,
        "min_device_scale": 0.48,
        "identical": 0.15,
    }
    assert KINDS["rate"].defaults() == {"min_scale": 0.2, "min_device_scale": 0.48}


@pytest.mark.parametrize("name", KINDS)
def test_an_answer_fills_columns_that_the_export_has(name: str) -> None:
    known = {column.name: column.type for column in export_columns()}
    for column in KINDS[name].columns:
        assert known[column.name] == column.type


def test_a_control_clip_has_a_right_answer() -> None:
    rate, compare, slider = (KINDS[name].right for name in ("rate", "compare", "slider"))
    assert [rate({"score": score}, [6000], 3) for score in (1, 3, 4)] == [True, True, False]
    # 3 of 7 is a third of the way
    assert [slider({"value": value}, [6000], 3) for value in (0, 33, 34, 100)] == [True, True, False, False]
    assert [compare({"choice": choice}, [6000, 0], 3) for choice in ("left", "right", "none")] == [False, True, False]
    assert [compare({"choice": choice}, [0, 6000], 3) for choice in ("left", "right", "none")] == [True, False, False]


def test_a_study_that_is_no_study_is_not_asked_for_kinds() -> None:
    with pytest.raises(
        ContractError, match=r"trials\[0\].kind is \[\"rate\"\], but must be one of compare, rate, slider"
    ):
        check_study({"trials": [{"kind": ["rate"]}]}, source="study.yaml")


def test_the_participants_page_has_the_same_folders() -> None:
    pages = Path(__file__).parents[3] / "frontend" / "src" / "trials"
    assert {path.parent.name for path in pages.glob("*/index.ts")} == set(KINDS)
