"""A batch built from films whose every frame is known, looked at again frame by frame."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import Mock

import numpy as np
import pytest

from eyelevel.batch import make_clips
from eyelevel.batch.compose import GAP_COLOUR, GAP_PX
from eyelevel.batch.encode import encode
from eyelevel.batch.planar import to_planar
from eyelevel.batch.showable import OTHERWISE
from eyelevel.batch.timeline import FRAME_RATE
from eyelevel.disk import DiskFullError
from eyelevel.errors import BadInputError, Exit, EyelevelError
from eyelevel.measure.film import measure_film, measure_video
from eyelevel.push.read_batch import read_batch
from eyelevel.video import Frame, decode, inspect
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.batch import Clip
from eyelevel_core.model.scene import ContentMismatch, Scene, SettingsDifference
from tests.core.made import replay_check

from .conftest import CAMPAIGN, HEIGHT_PX, WIDTH_PX, MakeTake, empty_batch, page, write_take
from .conftest import build_batch as build

pytestmark = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
FRAME_MS = 1000 / FRAME_RATE
TAKE_FILES = ("frames.json", "progress.json", "take.json", "wire.json")
Campaign = dict[str, Any]

# (ms since navigation start, page level), at irregular times
QUICK = [(-40.0, 0), (-6.5, 0), (31.0, 0), (62.0, 48), (140.0, 48), (171.5, 240), (205.0, 240), (300.0, 240)]
SLOW = [(-30.0, 0), (4.0, 0), (120.0, 90), (333.4, 90), (390.0, 240), (500.0, 240)]


@pytest.fixture
def pair(make_take: MakeTake) -> tuple[Path, Path]:
    return make_take("TCP+", SLOW, settled_ms=480.0), make_take("QUIC", QUICK, settled_ms=290.0)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifest of a batch that tests only look at."""
    folder = empty_batch(tmp_path_factory.mktemp("batch"))
    write_take(folder, "TCP+", SLOW, settled_ms=480.0)
    write_take(folder, "QUIC", QUICK, settled_ms=290.0)
    return build(folder, CAMPAIGN)


def read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def clip_of(manifest: Path, *stacks: str) -> Path:
    (found,) = [c for c in people(manifest) if c["stacks"] == list(stacks)]
    return manifest.parent / str(found["path"])


def people(manifest: Path) -> list[dict[str, Any]]:
    return [c for c in read(manifest)["clips"] if c["audience"] == "participant"]


# the still second, then until SLOW has settled at 480 ms
STILL, COUNT = 60, 60 + 30


def shown_at(k: int) -> float:
    """Milliseconds since navigation start of a clip's frame."""
    return max(0, k - STILL) * FRAME_MS


def looks_like(shown: Frame, expected: Frame) -> bool:
    """Whether two pictures are the same but for what H.264 and its thinner colours change."""
    return float(np.abs(shown.astype(int) - expected).mean()) < 6


def level_at(film: list[tuple[float, int]], ms: float) -> int:
    return [level for at, level in film if at <= ms + 1e-6][-1]


def test_the_manifest_keeps_its_contract_and_names_every_file(built: Path) -> None:
    manifest = read(built)
    check(manifest, "batch.1", source="manifest.json")
    assert built.name == "manifest.json"
    assert sorted(name for name in manifest["files"] if not name.endswith(".mp4")) == [
        "campaign.toml",
        *(f"takes/garden/DSL/QUIC/run-01/{name}" for name in TAKE_FILES),
        *(f"takes/garden/DSL/TCP+/run-01/{name}" for name in TAKE_FILES),
    ]
    for name, listed in manifest["files"].items():
        data = (built.parent / name).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (listed["sha256"], listed["bytes"])
    assert {c["path"] for c in manifest["clips"]} == {n for n in manifest["files"] if n.endswith(".mp4")}
    assert [(c["kind"], c["stacks"]) for c in people(built)] == [
        ("single", ["QUIC"]),
        ("single", ["TCP+"]),
        ("pair", ["TCP+", "QUIC"]),
        ("pair", ["QUIC", "TCP+"]),
    ]
    digests = {take["stack"]: take["digest"] for take in manifest["takes"]}
    assert all(clip["takes"] == [digests[stack] for stack in clip["stacks"]] for clip in manifest["clips"])


def scene_of(*takes: str, otherwise: Sequence[str] = (), unlike: Sequence[str] = ()) -> dict[str, Any]:
    """A scene's entry in fidelity.json, as capture writes it."""
    scene = Scene(
        site="garden",
        network="DSL",
        cache="cold",
        takes=takes,
        differences=tuple(ContentMismatch(take, (), ()) for take in otherwise),
        settings_differ=tuple(SettingsDifference(take, takes[0], ("kernel is 1 and 2",)) for take in unlike),
    )
    return scene.as_json()


def test_how_the_stacks_of_a_scene_differ_travels_with_the_batch(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake
) -> None:
    make_take("QUIC", QUICK, settled_ms=290.0)
    compared = json.dumps([scene_of("takes/garden/DSL/QUIC/run-01")]).encode()
    (batch_dir / "fidelity.json").write_bytes(compared)
    for name in ("report.json", "calibration.json", f"calibration-{'ab' * 32}.json"):
        (batch_dir / name).write_bytes(b"{}")
    manifest = build(batch_dir, {**campaign, "stacks": ["QUIC"]})
    assert read(manifest)["files"]["fidelity.json"] == {
        "sha256": hashlib.sha256(compared).hexdigest(), "bytes": len(compared), "media_type": "application/json",
    }  # fmt: skip
    others = {"report.json", "calibration.json", f"calibration-{'ab' * 32}.json"}
    assert others <= set(read(manifest)["files"])
    assert "fidelity.json" in {blob.path.name for blob in read_batch(batch_dir).blobs.values()}


def test_a_clip_of_a_phone_has_the_films_pixels_and_says_how_many_are_a_css_pixel(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake
) -> None:
    place = make_take("TCP+", SLOW, settled_ms=480.0, site="garden-phone") / "take.json"
    page = {"width_px": WIDTH_PX // 2, "height_px": HEIGHT_PX // 2}
    device = {"name": "phone", "pixel_ratio": 2, "processor_slowdown": 4}
    place.write_text(json.dumps(read(place) | {"viewport": page, "device": device}))
    manifest = read(build(batch_dir, campaign | {"stacks": ["TCP+"], "pairs": [], "devices": ["phone"]}))
    assert [site["device"] for site in manifest["sites"]] == ["phone"]
    (clip,) = manifest["clips"]
    assert (clip["width_px"], clip["height_px"], clip["pixel_ratio"]) == (WIDTH_PX, HEIGHT_PX, 2)
    assert Clip.of(clip).own_size.as_json() == page


def test_a_single_clip_shows_each_picture_at_its_moment(built: Path) -> None:
    video = inspect(clip_of(built, "TCP+"))
    frames = list(decode(video))
    assert (video.width_px, video.height_px, video.frame_rate, len(frames)) == (WIDTH_PX, HEIGHT_PX, 60, COUNT)
    for k, frame in enumerate(frames):
        assert looks_like(frame, page(level_at(SLOW, shown_at(k)))), f"frame {k}"
    assert not looks_like(frames[0], page(90))


def test_measured_again_a_clip_gives_the_films_metrics_within_one_frame(built: Path) -> None:
    for stack, film in (("TCP+", SLOW), ("QUIC", QUICK)):
        path = built.parent / "takes" / "garden" / "DSL" / stack / "run-01" / "film.mkv"
        filmed: Any = measure_film(path, [ms for ms, _ in film]).as_json()
        # by its own timestamps: all but the zero is told by the file itself
        seen: Any = measure_video(clip_of(built, stack)).as_json()
        (shown,) = [c for c in people(built) if c["stacks"] == [stack]]
        assert shown["start_ms"] == 1000
        for name in ("fvc_ms", "vc85_ms", "lvc_ms", "si_ms"):
            assert abs(seen[name] - shown["start_ms"] - filmed[name]) <= FRAME_MS, (stack, name)
            assert shown["measured"][0][name] == pytest.approx(seen[name] - 1000, abs=1), (stack, name)
        assert "agrees_by_colours" not in shown


@pytest.mark.parametrize("order", [("TCP+", "QUIC"), ("QUIC", "TCP+")])
def test_a_pair_shows_both_pages_at_the_same_moment(built: Path, order: tuple[str, str]) -> None:
    films = {"TCP+": SLOW, "QUIC": QUICK}
    video = inspect(clip_of(built, *order))
    assert (video.width_px, video.height_px) == (2 * WIDTH_PX + GAP_PX, HEIGHT_PX)
    frames = list(decode(video))
    # until the slower one has settled; the quicker one keeps its last picture
    assert len(frames) == COUNT
    for k, frame in enumerate(frames):
        left, right = (page(level_at(films[stack], shown_at(k))) for stack in order)
        assert looks_like(frame[:, :WIDTH_PX], left), f"left half of frame {k}"
        assert looks_like(frame[:, WIDTH_PX + GAP_PX :], right), f"right half of frame {k}"
    gap = frames[-1][:, WIDTH_PX + 4 : WIDTH_PX + GAP_PX - 4].astype(int)
    assert np.abs(gap - GAP_COLOUR).max() <= 4


def test_a_control_clip_shows_the_load_later_and_the_manifest_says_by_how_much(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake
) -> None:
    make_take("QUIC", QUICK, settled_ms=290.0)
    clips = {"researcher": False, "identical": False, "control_delay_ms": 1000}
    manifest = build(batch_dir, {**campaign, "stacks": ["QUIC"], "clips": clips})
    study, alone, late_left, late_right = people(manifest)
    assert [clip["purpose"] for clip in (study, alone, late_left, late_right)] == ["study", *["control"] * 3]
    assert [clip.get("delays_ms") for clip in (study, alone, late_left)] == [None, [1000], [1000, 0]]
    assert alone["duration_ms"] == study["duration_ms"] + 1000
    # each side's metrics count from its own navigation
    assert late_left["measured"][0] == pytest.approx(late_left["measured"][1], abs=1)
    for k, frame in enumerate(decode(inspect(manifest.parent / late_right["path"]))):
        early, late = (page(level_at(QUICK, ms)) for ms in (shown_at(k), shown_at(max(0, k - 60))))
        assert looks_like(frame[:, :WIDTH_PX], early), f"left half of frame {k}"
        assert looks_like(frame[:, WIDTH_PX + GAP_PX :], late), f"right half of frame {k}"


def test_an_unsettled_take_is_shown_until_its_film_ends(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake
) -> None:
    make_take("QUIC", SLOW, settled_ms=None)
    manifest = build(batch_dir, {**campaign, "stacks": ["QUIC"]})
    # its film ends at 500 ms
    assert len(list(decode(inspect(clip_of(manifest, "QUIC"))))) == 60 + 31
    assert read(manifest)["takes"][0]["outcome"] == "unsettled"
    assert read(manifest)["showing"]["scenes"][0]["settled_ms"] is None


def test_a_clips_bytes_tell_neither_stack_nor_network_nor_program(built: Path) -> None:
    for path in (built.parent / clip["path"] for clip in read(built)["clips"]):
        tags = inspect(path).tags
        assert set(tags) == {
            *("major_brand", "minor_version", "compatible_brands"),
            *("language", "handler_name", "vendor_id", "encoder"),
        }
        assert (tags["handler_name"], tags["encoder"].strip(), tags["language"]) == ("VideoHandler", "", "und")
        data = path.read_bytes().lower()
        words = (b"quic", b"tcp", b"dsl", b"lte", b"garden", b"x264", b"lavc", b"lavf", b"ffmpeg", b"run-0")
        assert [word for word in words if word in data] == []


def test_clips_that_look_alike_are_still_two(batch_dir: Path, campaign: Campaign, make_take: MakeTake) -> None:
    make_take("TCP+", QUICK, settled_ms=290.0)
    make_take("QUIC", QUICK, settled_ms=290.0)
    clips = read(build(batch_dir, campaign))["clips"]
    assert len({clip["sha256"] for clip in clips}) == 4


def test_built_again_elsewhere_a_batch_has_the_same_digest(built: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(built.parent / "takes", other / "takes")
    shutil.copy(built.parent / "campaign.toml", other)
    assert build(other, CAMPAIGN).read_bytes() == built.read_bytes()


def test_what_is_there_is_not_made_again(built: Path, campaign: Campaign, tmp_path: Path) -> None:
    batch_dir = tmp_path / "batch"
    shutil.copytree(built.parent, batch_dir)
    manifest = batch_dir / "manifest.json"
    before = manifest.read_bytes()
    singles = [clip_of(manifest, "QUIC"), clip_of(manifest, "TCP+")]
    damaged, removed = clip_of(manifest, "QUIC", "TCP+"), clip_of(manifest, "TCP+", "QUIC")
    for path in singles:
        os.utime(path, ns=(1, 1))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    removed.unlink()
    assert build(batch_dir, campaign).read_bytes() == before
    assert [path.stat().st_mtime_ns for path in singles] == [1, 1]
    assert all(hashlib.sha256(p.read_bytes()).hexdigest() == p.stem for p in (damaged, removed))
    assert [p.name for p in (batch_dir / "clips").iterdir() if p.suffix != ".mp4"] == []


def test_a_take_that_the_campaign_no_longer_names_stays_out(
    batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path], make_take: MakeTake
) -> None:
    make_take("QUIC", QUICK, run=2, settled_ms=290.0)
    campaign = {**campaign, "clips": {**campaign["clips"], "still_ms": 0}}
    assert [take["run"] for take in read(build(batch_dir, campaign))["takes"]] == [1, 1]
    both = read(build(batch_dir, {**campaign, "runs": 2}))
    assert [take["run"] for take in both["takes"]] == [1, 2, 1]
    assert read(build(batch_dir, {**campaign, "runs_on": {campaign["networks"][0]: 2}}))["takes"] == both["takes"]


def test_takes_of_second_visits_are_listed_beside_those_of_first_ones(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake
) -> None:
    make_take("QUIC", QUICK, settled_ms=290.0)
    make_take("QUIC", SLOW, settled_ms=480.0, cache="http")
    manifest = read(build(batch_dir, {**campaign, "stacks": ["QUIC"], "cache": ["cold", "http"]}))
    assert [(take["cache"], take["path"]) for take in manifest["takes"]] == [
        ("cold", "takes/garden/DSL/QUIC/run-01/take.json"),
        ("http", "takes/garden/DSL/QUIC/http-01/take.json"),
    ]
    assert [clip["takes"] for clip in manifest["clips"]] == [[manifest["takes"][0]["digest"]]]
    assert manifest["showing"]["settings"][0]["runs"] == 1


def test_a_pair_that_lacks_a_take_is_named(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake, capsys: pytest.CaptureFixture[str]
) -> None:
    make_take("QUIC", QUICK, settled_ms=290.0)
    assert [clip["kind"] for clip in people(build(batch_dir, campaign))] == ["single"]
    assert "warning: garden, DSL: no clip shows TCP+ beside QUIC for medoid" in capsys.readouterr().err


GIVEN_UP = "net::ERR_TIMED_OUT"


@pytest.mark.parametrize("researcher", [False, True])
def test_a_navigation_that_the_browser_gave_up_is_in_no_clip_and_the_manifest_says_why(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake, capsys: pytest.CaptureFixture[str], researcher: bool
) -> None:
    make_take("TCP+", SLOW, settled_ms=480.0)
    make_take("QUIC", QUICK, settled_ms=290.0)
    # had it a say, its end would be that of all clips of the scene
    make_take("QUIC", [(0.0, 0), (9000.0, 240)], run=2, settled_ms=None, given_up=GIVEN_UP)
    clips = {**campaign["clips"], "researcher": researcher}
    manifest = read(build(batch_dir, {**campaign, "runs": 2, "clips": clips}))
    given_up = next(take for take in manifest["takes"] if take["run"] == 2)
    assert given_up["not_shown"] == f"its navigation failed ({GIVEN_UP})"
    assert [take.get("not_shown") for take in manifest["takes"] if take["run"] == 1] == [None, None]
    assert {tuple(clip["stacks"]) for clip in manifest["clips"] if clip["audience"] == "participant"} == {
        *(("QUIC",), ("TCP+",), ("TCP+", "QUIC"), ("QUIC", "TCP+")),
    }
    assert not [clip for clip in manifest["clips"] if given_up["digest"] in clip["takes"]]
    assert manifest["showing"]["scenes"][0]["end_ms"] == 480
    assert (
        "garden, DSL, QUIC: no clip shows run 2 (of 2 with a take), because its navigation" in capsys.readouterr().err
    )


def test_where_every_navigation_was_given_up_there_is_nothing_to_show(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake, capsys: pytest.CaptureFixture[str]
) -> None:
    make_take("QUIC", [(0.0, 0), (900.0, 240)], settled_ms=None, given_up=GIVEN_UP)
    with pytest.raises(EyelevelError, match="its takes may not be shown") as caught:
        build(batch_dir, {**campaign, "stacks": ["QUIC"]})
    assert caught.value.exit_status == Exit.FAILED
    assert "garden, DSL, QUIC has no clip, because" in capsys.readouterr().err


RUNS = ("takes/garden/DSL/QUIC/run-01", "takes/garden/DSL/QUIC/run-02", "takes/garden/DSL/TCP+/run-01")


def test_a_take_that_is_not_compared_is_in_no_clip_of_any_purpose(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake, capsys: pytest.CaptureFixture[str]
) -> None:
    make_take("TCP+", SLOW, settled_ms=480.0)
    make_take("QUIC", SLOW, run=1, settled_ms=480.0)
    # the quickest of all, which a control clip would show
    make_take("QUIC", QUICK, run=2, settled_ms=290.0)
    (batch_dir / "fidelity.json").write_text(json.dumps([scene_of(*RUNS, otherwise=RUNS[1:2])]))
    clips = {"researcher": False, "identical": True, "control_delay_ms": 500}
    manifest = read(build(batch_dir, {**campaign, "runs": 2, "clips": clips}))
    (other,) = [take for take in manifest["takes"] if "not_shown" in take]
    assert (other["stack"], other["run"]) == ("QUIC", 2)
    assert {clip["purpose"] for clip in manifest["clips"]} == {"study", "identical", "control"}
    assert not [clip for clip in manifest["clips"] if other["digest"] in clip["takes"]]
    assert f"garden, DSL, QUIC: no clip shows run 2 (of 2 with a take), because {OTHERWISE}." in capsys.readouterr().err


def test_what_no_comparison_may_show_makes_no_batch(
    batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    scene = scene_of(RUNS[0], RUNS[2], unlike=RUNS[2:])
    (batch_dir / "fidelity.json").write_text(json.dumps([scene]))
    with pytest.raises(EyelevelError, match="its takes may not be shown"):
        build(batch_dir, campaign)
    assert f"garden, DSL: no clip shows it, because {RUNS[2]} and {RUNS[0]} differ in more" in capsys.readouterr().err


def test_a_site_that_fails_a_gate_of_its_replay_check_has_no_clip(
    batch_dir: Path, campaign: Campaign, make_take: MakeTake, capsys: pytest.CaptureFixture[str]
) -> None:
    make_take("QUIC", QUICK, settled_ms=290.0)
    campaign = {**campaign, "stacks": ["QUIC"]}
    BatchFolder(batch_dir).write_check("garden", replay_check(lacks_style_sheet=True))
    with pytest.raises(EyelevelError, match="its takes may not be shown"):
        build(batch_dir, campaign)
    assert "garden: no clip shows it, because a style sheet was missed with QUIC" in capsys.readouterr().err
    BatchFolder(batch_dir).write_check("garden", replay_check())
    assert len(people(build(batch_dir, campaign))) == 1


class TestRefused:
    def refused(self, batch_dir: Path, campaign: Campaign) -> str:
        with pytest.raises((BadInputError, ContractError)) as caught:
            build(batch_dir, campaign)
        assert not (batch_dir / "manifest.json").exists()
        return str(caught.value)

    def test_no_takes(self, batch_dir: Path, campaign: Campaign) -> None:
        assert self.refused(batch_dir, campaign).endswith("no take; give the folder that eyelevel capture made.")

    def test_no_campaign_file(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        (batch_dir / "campaign.toml").unlink()
        assert "campaign.toml is missing" in self.refused(batch_dir, campaign)

    def test_a_changed_file(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        (pair[0] / "wire.json").write_text('{"stack": "OTHR"}')
        assert "wire.json does not have the digest that take.json lists" in self.refused(batch_dir, campaign)

    def test_a_missing_file(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        (pair[1] / "film.mkv").unlink()
        assert "film.mkv is missing, though take.json lists it" in self.refused(batch_dir, campaign)

    def test_a_take_in_another_folder(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        pair[0].rename(pair[0].with_name("run-07"))
        assert "TCP+/run-07 contains the take of" in self.refused(batch_dir, campaign)

    def test_a_take_that_breaks_its_contract(
        self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]
    ) -> None:
        value = read(pair[0] / "take.json")
        del value["provenance"]
        (pair[0] / "take.json").write_text(json.dumps(value))
        assert "provenance is missing" in self.refused(batch_dir, campaign)

    def test_two_meanings_of_one_network(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        value = read(pair[0] / "take.json")
        value["network"]["digest"] = "0" * 64
        (pair[0] / "take.json").write_text(json.dumps(value))
        assert "The network DSL is defined differently in two takes" in self.refused(batch_dir, campaign)

    def test_a_film_of_another_size(self, batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path]) -> None:
        value = read(pair[0] / "take.json")
        value["viewport"]["width_px"] = WIDTH_PX + 2
        (pair[0] / "take.json").write_text(json.dumps(value))
        assert "film.mkv is 320x240, but take.json says " in self.refused(batch_dir, campaign)


def test_a_picture_has_its_final_quality_at_once_and_then_stands_still(tmp_path: Path) -> None:
    noise = np.random.default_rng(5).integers(0, 256, (HEIGHT_PX // 8, WIDTH_PX // 8, 3), dtype=np.uint8)
    photo = noise.repeat(8, axis=0).repeat(8, axis=1)
    pictures = [to_planar(frame) for frame in (page(0), photo, np.maximum(photo, page(48)))]
    shown = zip((0, 5, 25, 44), (*pictures, pictures[-1]), strict=True)
    encode(shown, size=(WIDTH_PX, HEIGHT_PX), frame_rate=60, quantizer=16, to=tmp_path / "clip.mp4")
    frames = [frame.astype(int) for frame in decode(inspect(tmp_path / "clip.mp4"))]
    assert len(frames) == 45
    moved = [int(np.abs(later - earlier).max()) for earlier, later in pairwise(frames)]
    assert [k for k, most in enumerate(moved, start=1) if most > 8] == [5, 25]


def _fills_the_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., NoReturn]:
    """An encoder that fails in its own way, after which hardly any space is free."""

    def fails(*_: object, **__: object) -> NoReturn:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Mock(free=5_000_000))
        raise EyelevelError("ffmpeg could not encode it: broken pipe.")

    return fails


def test_an_encoder_that_fails_on_a_full_disk_is_reported_as_a_full_disk(
    batch_dir: Path, campaign: Campaign, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        make_clips, "encode", Mock(side_effect=EyelevelError("ffmpeg could not encode it: broken pipe."))
    )
    with pytest.raises(EyelevelError, match="could not encode it"):
        build(batch_dir, campaign)
    monkeypatch.setattr(make_clips, "encode", _fills_the_disk(monkeypatch))
    with pytest.raises(DiskFullError, match=rf"The disk of {batch_dir} is full \(5 MB are free, 100 MB are needed\)"):
        build(batch_dir, campaign)
    assert list((batch_dir / "clips").iterdir()) == []


def test_what_a_killed_build_left_is_cleared_away(built: Path, campaign: Campaign, tmp_path: Path) -> None:
    batch_dir = tmp_path / "batch"
    shutil.copytree(built.parent, batch_dir)
    (batch_dir / "clips" / ".0000.1.part").write_bytes(b"half a clip")
    assert build(batch_dir, campaign).read_bytes() == built.read_bytes()
    assert list((batch_dir / "clips").glob(".*")) == []
