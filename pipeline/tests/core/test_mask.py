"""Masks: tiles as rows of signs, dilation, 8-connected regions, the digest, and their files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel_core.batch_folder.masks import mask_name, mask_of_take, read_mask, write_mask
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import RULES, Mask, Region, box_of, connected, contradictions, dilated, drawn, grid

VIEWPORT = Viewport(100, 60)


def mask(*rows: str, regions: int = 1, tiles: int = 4) -> Mask:
    return Mask.of(
        {
            "recording": "ab" * 32,
            "start_url": "https://garden.example/",
            "start_url_given": False,
            "viewport": {"width_px": 100, "height_px": 60},
            "tile_px": 16,
            "threshold": 8,
            "rules": dict(RULES),
            "loads": [
                {
                    "stack": "TCP+",
                    "page_seed": 1,
                    "load_ms": 80.5,
                    "watched_from_ms": 580.5,
                    "end_ms": 30_580.5,
                    "moving_tiles": 1,
                }
            ],
            "rows": list(rows),
            "regions": [
                Region(tiles=tiles, box=(0, 0, 32, 32), entropy_bits=4.0, low_ms=0.0).as_json() for _ in range(regions)
            ],
            "not_painting": [],
            "timed": [],
            "masked_share": 0.25,
            "animated": False,
        }
    )


def test_the_last_tiles_of_a_viewport_may_be_smaller() -> None:
    assert grid(VIEWPORT) == (7, 4)
    assert box_of(frozenset({(6, 3)}), VIEWPORT) == (96, 48, 4, 12)


def test_a_tile_is_dilated_to_its_neighbours_within_the_viewport() -> None:
    assert dilated(frozenset({(0, 0)}), (7, 4)) == {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert len(dilated(frozenset({(3, 2)}), (7, 4))) == 9


def test_tiles_that_touch_at_a_corner_are_one_region_and_regions_are_ordered_by_their_first_tile() -> None:
    found = connected(frozenset({(5, 0), (0, 1), (1, 2), (2, 1)}))
    assert found == [{(5, 0)}, {(0, 1), (1, 2), (2, 1)}]


def test_rows_draw_the_tiles_and_are_read_back() -> None:
    tiles = frozenset({(0, 0), (6, 3)})
    rows = drawn(tiles, (7, 4))
    assert rows == ("#......", ".......", ".......", "......#")
    assert mask(*rows, regions=2).tiles == tiles


def test_a_mask_keeps_its_contract_and_its_digest_when_it_is_read_and_written() -> None:
    learned = mask("##.....", "##.....", ".......", ".......")
    check(learned.as_json(), "mask.1", source="mask")
    again = Mask.of(learned.as_json())
    assert again.digest == learned.digest
    assert contradictions(learned) == []


def test_a_mask_of_another_size_or_with_other_regions_than_it_draws_is_reported() -> None:
    assert contradictions(mask("##", "##")) == [
        "`rows` must be 4 texts of 7 signs, as the viewport and `tile_px` make of it"
    ]
    assert contradictions(mask("#.#....", *["......."] * 3)) == ["`rows` draws 2 regions, but `regions` lists 1"]
    assert contradictions(mask("##.....", "##.....", ".......", ".......", tiles=9)) == [
        "`rows` draws region 0 with 4 tiles in the box [0, 0, 32, 32], but `regions` gives it 9 in [0, 0, 32, 32]"
    ]


def test_a_mask_lies_beside_its_recording() -> None:
    for name in ("garden.warc.gz", "garden.warc"):
        assert mask_name(Path("sites") / name, VIEWPORT) == "garden.mask-100x60.json"


def test_a_mask_is_written_and_read(tmp_path: Path) -> None:
    learned = mask("##.....", "##.....", ".......", ".......")
    write_mask(learned, tmp_path / "mask.json")
    assert read_mask(tmp_path / "mask.json") == learned
    (tmp_path / "mask.json").write_text(json.dumps(learned.as_json() | {"rows": ["##"]}))
    with pytest.raises(ContractError, match=r"mask.json: `rows` must be 4 texts of 7 signs.*let eyelevel probe make"):
        read_mask(tmp_path / "mask.json")


def test_a_mask_that_was_changed_under_its_digest_is_refused(tmp_path: Path) -> None:
    learned = mask("##.....", "##.....", ".......", ".......")
    named = tmp_path / f"{learned.digest}.json"
    write_mask(learned, named)
    assert read_mask(named) == learned
    changed = replace(learned, animated=True)
    write_mask(changed, named)
    with pytest.raises(
        ContractError, match=f"{named} is not the mask that its name says: its digest is {changed.digest}"
    ):
        read_mask(named)


def test_the_mask_of_a_take_is_in_its_batch_under_the_digest_that_the_take_names(tmp_path: Path) -> None:
    learned = mask("##.....", "##.....", ".......", ".......")
    take = tmp_path / "takes" / "garden" / "DSL" / "QUIC" / "run-01"
    take.mkdir(parents=True)
    assert mask_of_take(take) is None
    (take / "take.json").write_text(json.dumps({"provenance": {"mask_digest": learned.digest}}))
    with pytest.raises(
        ContractError, match=f"{learned.digest}.json is missing, the motion mask that .* names; give it"
    ):
        mask_of_take(take)
    (tmp_path / "masks").mkdir()
    write_mask(learned, tmp_path / "masks" / f"{learned.digest}.json")
    assert mask_of_take(take) == learned
    (take / "take.json").write_text(json.dumps({"provenance": {"mask_digest": None}}))
    assert mask_of_take(take) is None
