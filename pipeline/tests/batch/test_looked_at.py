"""A clip is looked at again when it is made: it must tell what its film tells, or it is left out with its reason."""

import json
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel.batch import make_clips
from eyelevel.batch.agreement import apart, disagreements
from eyelevel.batch.build import build
from eyelevel.batch.looked_at import TOLERANCES, Look, look_at, ssim
from eyelevel.batch.planar import to_planar
from eyelevel.batch.planned import Plan
from eyelevel.errors import EyelevelError
from eyelevel.measure.pages import measure_pages
from eyelevel.video import Page
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import check
from eyelevel_core.model.campaign import Campaign

from .conftest import HEIGHT_PX, WIDTH_PX, MakeTake, build_batch, page

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
LOAD = [(-20.0, 0), (100.0, 48), (300.0, 240), (400.0, 240)]
FILM = {"fvc_ms": 100.0, "si_ms": 5000.0, "vc85_ms": 300.0, "lvc_ms": None}


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({}, []),
        ({"fvc_ms": 133.3, "vc85_ms": 266.7}, []),
        ({"fvc_ms": 133.4}, ["fvc_ms"]),
        ({"si_ms": 5050.0}, []),
        ({"si_ms": 5051.2}, ["si_ms"]),
        ({"vc85_ms": None, "lvc_ms": 1.0}, ["vc85_ms", "lvc_ms"]),
    ],
)
def test_one_frame_is_allowed_and_one_percent_of_si(changes: dict[str, Any], names: list[str]) -> None:
    assert apart(FILM, {**FILM, **changes}, frame_ms=1000 / 30) == names


def test_short_speed_indexes_may_differ_by_a_frame() -> None:
    assert apart({**FILM, "si_ms": 400.0}, {**FILM, "si_ms": 433.0}, frame_ms=1000 / 30) == []


def test_a_speed_index_that_was_cut_to_whole_milliseconds_may_lie_just_beyond_a_frame() -> None:
    film = {"fvc_ms": 383.356, "si_ms": 383.0, "vc85_ms": 383.356, "lvc_ms": 383.356}
    clip = dict.fromkeys(film, 400.0)
    assert apart(film, clip, frame_ms=1000 / 60) == []
    assert apart(film, {**clip, "si_ms": 401.0}, frame_ms=1000 / 60) == ["si_ms"]


def test_a_disagreement_is_a_phrase() -> None:
    assert disagreements(FILM, {**FILM, "lvc_ms": 400.4}, frame_ms=10) == ["LVC is 400 ms, the film's unknown"]


class TestBuilding:
    """What `build` does where a clip and its film disagree."""

    @pytest.fixture
    def one_stack(self, campaign: dict[str, Any]) -> dict[str, Any]:
        return {
            **campaign,
            "stacks": ["QUIC"],
            "clips": {"researcher": False, "identical": False, "control_delay_ms": 0, "still_ms": 100},
        }

    def test_if_the_only_film_shows_something_else_the_build_fails_and_names_the_clip(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake
    ) -> None:
        folder = make_take("QUIC", LOAD, settled_ms=400.0)
        take = json.loads((folder / "take.json").read_text())
        take["metrics"]["vc85_ms"] -= 100
        (folder / "take.json").write_text(json.dumps(take))
        with pytest.raises(EyelevelError) as caught:
            build_batch(batch_dir, one_stack)
        assert str(caught.value).startswith(
            "No clip for participants is left, for example: garden, DSL, QUIC (run 1), for participants: it does not "
            "agree with its film: VC85 is 300 ms, the film's 200 ms. "
        )
        assert not (batch_dir / "manifest.json").exists()
        assert list((batch_dir / "clips").iterdir()) == []

    def test_a_clip_that_disagrees_is_left_out_with_its_reason_and_the_others_are_the_batch(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = make_take("QUIC", LOAD, settled_ms=400.0)
        make_take("TCP+", LOAD, settled_ms=400.0)
        take = json.loads((folder / "take.json").read_text())
        take["metrics"]["fvc_ms"] += 500
        (folder / "take.json").write_text(json.dumps(take))
        manifest = json.loads(build_batch(batch_dir, {**one_stack, "stacks": ["TCP+", "QUIC"]}).read_text())
        check(manifest, "batch.1", source="manifest.json")
        assert [clip["stacks"] for clip in manifest["clips"]] == [["TCP+"]]
        assert len(list((batch_dir / "clips").glob("*.mp4"))) == 1
        assert [left["stacks"] for left in manifest["left_out"]] == [["QUIC"], ["TCP+", "QUIC"], ["QUIC", "TCP+"]]
        why = "it does not agree with its film: FVC is 100 ms, the film's 600 ms"
        assert {left["why"] for left in manifest["left_out"]} == {why}
        assert f"warning: no clip of garden, DSL, QUIC (run 1), for participants: {why}." in capsys.readouterr().err

    def test_a_pair_is_in_the_batch_in_both_orders_or_not_at_all(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_take("QUIC", LOAD, settled_ms=400.0)
        make_take("TCP+", LOAD, settled_ms=400.0)

        def one_disagrees(clip: Path, plan: Plan, *given: Any, **named: Any) -> Look:
            if [take.stack for take in plan.takes] == ["QUIC", "TCP+"]:
                return Look([], ["LVC is 1 ms, the film's 2 ms"], [], hopeless=True)
            return look_at(clip, plan, *given, **named)

        monkeypatch.setattr(make_clips, "look_at", one_disagrees)
        manifest = json.loads(build_batch(batch_dir, {**one_stack, "stacks": ["TCP+", "QUIC"]}).read_text())
        assert [clip["stacks"] for clip in manifest["clips"]] == [["QUIC"], ["TCP+"]]
        assert [(left["stacks"], left["why"]) for left in manifest["left_out"]] == [
            (["TCP+", "QUIC"], "its other order does not agree with its film"),
            (["QUIC", "TCP+"], "it does not agree with its film: LVC is 1 ms, the film's 2 ms"),
        ]

    def test_the_named_tolerances_are_tried_and_no_other(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake
    ) -> None:
        folder = make_take("QUIC", LOAD, settled_ms=400.0)
        take = json.loads((folder / "take.json").read_text())
        take["metrics"]["vc85_ms"] -= 100
        (folder / "take.json").write_text(json.dumps(take))
        tried: list[int] = []

        def measured(video: Path, parts: Sequence[Page], tolerances: Sequence[int], times_ms: Any) -> Any:
            tried.extend(tolerances)
            return measure_pages(video, parts, tolerances, times_ms)

        with pytest.raises(EyelevelError, match="No clip for participants is left"):
            build(BatchFolder(batch_dir), Campaign.of(one_stack, source="campaign.toml"), measure=measured)
        assert tried == list(TOLERANCES)

    def test_a_gentle_fade_is_encoded_better_until_it_shows(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(make_clips, "QUANTIZERS", (51, 4))
        noise = np.random.default_rng(5).integers(90, 110, (HEIGHT_PX, WIDTH_PX, 1), dtype=np.uint8).repeat(3, axis=2)
        faded = [noise + np.uint8(step) for step in (0, 3, 6)]
        shown = [(-20.0, page(0)), *((100.0 * k, frame) for k, frame in enumerate(faded, start=1)), (400.0, faded[-1])]
        make_take("QUIC", shown, settled_ms=400.0)
        (clip,) = json.loads(build_batch(batch_dir, one_stack).read_text())["clips"]
        assert clip["quantizer"] == 4
        assert clip["measured"][0]["lvc_ms"] == 300

    def test_a_clip_that_the_cap_cuts_agrees_with_the_film_up_to_there(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake
    ) -> None:
        late = [(-20.0, 0), (100.0, 48), (700.0, 120), (1500.0, 240), (1600.0, 240)]
        make_take("QUIC", late, settled_ms=1600.0)
        manifest = json.loads(
            build_batch(batch_dir, {**one_stack, "clips": {**one_stack["clips"], "cap_ms": 1000}}).read_text()
        )
        (clip,) = manifest["clips"]
        assert (clip["start_ms"], clip["duration_ms"], clip["cut"]) == (100, 1116.667, True)
        # FVC was seen; the others came later, and so did the end of SI
        seen = {"fvc_ms": 100, "si_ms": None, "vc85_ms": None, "lvc_ms": None}
        assert clip["measured"] == clip["metrics"] == [seen]
        assert manifest["takes"][0]["metrics"]["lvc_ms"] == 1500
        assert manifest["showing"]["scenes"] == [
            {
                "site": "garden", "network": "DSL", "settled_ms": 1600, "end_ms": 1000, "cut": True,
                "frame_rate": 60,
            }
        ]  # fmt: skip

    @pytest.mark.parametrize(("level", "differ"), [(240, False), (200, True)])
    def test_arms_that_do_not_end_with_the_same_page_are_flagged(
        self, batch_dir: Path, one_stack: dict[str, Any], make_take: MakeTake, level: int, differ: bool
    ) -> None:
        make_take("QUIC", LOAD, settled_ms=400.0)
        make_take("TCP+", [*LOAD[:-2], (300.0, level), (400.0, level)], settled_ms=400.0)
        clips = json.loads(build_batch(batch_dir, {**one_stack, "stacks": ["TCP+", "QUIC"]}).read_text())["clips"]
        assert [clip["last_pictures_differ"] for clip in clips if clip["kind"] == "pair"] == [differ, differ]
        assert all("last_pictures_differ" not in clip for clip in clips if clip["kind"] == "single")


def test_ssim_is_one_for_the_same_and_falls_with_every_change() -> None:
    pictures = [to_planar(page(level)) for level in (240, 239, 220, 120)]
    values = [ssim(pictures[0], picture) for picture in pictures]
    assert values[0] == 1
    assert all(earlier > later for earlier, later in pairwise(values))
    assert values[-1] < 0.8
