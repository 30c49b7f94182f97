"""Which motion mask a site of a campaign gets, and that it never changes once the site has takes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.capture.attempts.moved_outside import motion_of
from eyelevel.capture.preparing.masks import Probe, masks
from eyelevel.errors import BadInputError
from eyelevel.loads.site import Site
from eyelevel.loads.talk import summary
from eyelevel.probe.command import probe_command
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.masks import mask_name, read_mask, write_mask
from eyelevel_core.model.device import PHONE, Viewport
from eyelevel_core.model.film import Progress
from eyelevel_core.model.mask import RULES, Mask, ProbeLoad, Region, TimedChange, drawn, grid
from eyelevel_core.model.run import RunName
from eyelevel_core.model.take import Take
from tests.core import made
from tests.loads.seen import seen

VIEWPORT = Viewport(64, 48)
PAGE = "https://garden.example/"


def mask(*, recording: str = "ab" * 32, low_ms: float = 0.0, start_url: str = PAGE, given: bool = False) -> Mask:
    tiles = frozenset({(0, 0), (1, 0)})
    return Mask(
        recording=recording,
        start_url=start_url,
        start_url_given=given,
        viewport=VIEWPORT,
        tile_px=16,
        threshold=8,
        rules=RULES,
        loads=(ProbeLoad("TCP+", 1, 80.0, 580.0, 30_580.0, 1),),
        rows=drawn(tiles, grid(VIEWPORT)),
        regions=(Region(2, (0, 0, 32, 16), 4.0, low_ms),),
        not_painting=(),
        timed=(TimedChange(9_000.0, (0, 16, 16, 16), 5),),
        masked_share=0.166667,
        animated=False,
    )


def take(digest: str | None) -> Take:
    value = made.take(RunName("garden", "DSL", "QUIC", 1))
    return replace(value, provenance=replace(value.provenance, mask_digest=digest))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "garden.warc.gz").write_bytes(b"")
    return Site("garden", tmp_path / "sites" / "garden.warc.gz", "ab" * 32, None)


@pytest.fixture
def batch(tmp_path: Path) -> BatchFolder:
    (tmp_path / "batch").mkdir()
    return BatchFolder(tmp_path / "batch")


def never(sites: Iterable[Site]) -> Iterable[tuple[Site, Mask]]:
    assert not list(sites), "there was no need to probe"
    return []


def learning(learned: Mask) -> tuple[Probe, list[str]]:
    probed: list[str] = []

    def probe(sites: Iterable[Site]) -> Iterator[tuple[Site, Mask]]:
        for site in sites:
            probed.append(site.name)
            yield site, learned

    return probe, probed


def test_a_site_without_a_mask_is_probed_and_the_mask_lies_beside_its_recording_and_in_the_batch(
    batch: BatchFolder, site: Site
) -> None:
    probe, probed = learning(mask())
    found = masks(batch, [site], [], VIEWPORT, probe=probe)["garden"]
    assert probed == ["garden"]
    assert found.digest == mask().digest
    assert found.file == batch.root / "masks" / f"{mask().digest}.json"
    assert read_mask(found.file) == read_mask(site.recording.parent / "garden.mask-64x48.json") == mask()


def test_two_sites_of_one_recording_are_probed_once_and_how_many_lack_a_mask_is_reported_before(
    batch: BatchFolder, site: Site
) -> None:
    site.recording.parent.chmod(0o555)
    probe, probed = learning(mask())
    expected: list[int] = []
    sites = [site, replace(site, name="tulips")]
    found = masks(batch, sites, [], VIEWPORT, probe=probe, expect=expected.append)
    assert (probed, found["tulips"]) == (["garden"], found["garden"])
    assert masks(batch, sites, [], VIEWPORT, probe=never, expect=expected.append) == found
    assert expected == [1, 0]


def test_the_mask_beside_a_recording_is_used(batch: BatchFolder, site: Site) -> None:
    write_mask(mask(), site.recording.parent / mask_name(site.recording, VIEWPORT))
    assert masks(batch, [site], [], VIEWPORT, probe=never)["garden"].mask == mask()


def test_a_phone_has_a_mask_of_its_own_in_the_pixels_of_its_film(site: Site, batch: BatchFolder) -> None:
    phone, page = replace(site, device=PHONE), PHONE.page(VIEWPORT)
    assert mask_name(site.recording, page, PHONE) == "garden.mask-phone-412x823.json"
    film = PHONE.film(page)
    phone_mask = replace(mask(), device="phone", viewport=film, rows=drawn(mask().tiles, grid(film)))
    place = site.recording.parent / mask_name(site.recording, page, PHONE)
    write_mask(mask(), place)
    probe, probed = learning(phone_mask)
    assert masks(batch, [phone], [], VIEWPORT, probe=probe)["garden"].mask == phone_mask == read_mask(place)
    assert probed == ["garden"]
    assert masks(batch, [phone], [], VIEWPORT, probe=never)["garden"].mask == phone_mask
    # the same pixels on a desktop are another film
    probe, probed = learning(replace(phone_mask, device="desktop"))
    masks(batch, [site], [], film, probe=probe)
    assert probed == ["garden"]


@pytest.mark.parametrize("other", [mask(recording="cd" * 32), mask(start_url="https://garden.example/else")])
def test_a_mask_of_another_recording_or_page_is_not(batch: BatchFolder, site: Site, other: Mask) -> None:
    write_mask(other, site.recording.parent / mask_name(site.recording, VIEWPORT))
    probe, probed = learning(mask())
    masks(batch, [replace(site, start_url=PAGE)], [], VIEWPORT, probe=probe)
    assert probed == ["garden"]


def test_a_site_that_names_no_page_takes_no_mask_of_a_page_that_was_named(batch: BatchFolder, site: Site) -> None:
    write_mask(mask(given=True), site.recording.parent / mask_name(site.recording, VIEWPORT))
    probe, probed = learning(mask())
    masks(batch, [site], [], VIEWPORT, probe=probe)
    assert probed == ["garden"]
    named = replace(site, start_url=PAGE)
    assert masks(BatchFolder(batch.root / "other"), [named], [], VIEWPORT, probe=never)["garden"].mask == mask()


def test_a_mask_that_was_learned_by_other_rules_is_learned_again(batch: BatchFolder, site: Site) -> None:
    older = replace(mask(), rules={**RULES, "low_slack": 2.0})
    write_mask(older, site.recording.parent / mask_name(site.recording, VIEWPORT))
    probe, probed = learning(mask())
    assert masks(batch, [site], [], VIEWPORT, probe=probe)["garden"].mask == mask()
    assert probed == ["garden"]


def test_the_batch_keeps_its_mask_though_the_one_beside_the_recording_changes(batch: BatchFolder, site: Site) -> None:
    first = masks(batch, [site], [], VIEWPORT, probe=learning(mask())[0])["garden"]
    write_mask(mask(low_ms=400), site.recording.parent / mask_name(site.recording, VIEWPORT))
    assert masks(batch, [site], [take(first.digest)], VIEWPORT, probe=never) == {"garden": first}
    assert masks(batch, [site], [], VIEWPORT, probe=never) == {"garden": first}


def test_a_site_that_was_captured_without_a_mask_stays_without_one(batch: BatchFolder, site: Site) -> None:
    write_mask(mask(), site.recording.parent / mask_name(site.recording, VIEWPORT))
    assert masks(batch, [site], [take(None)], VIEWPORT, probe=never) == {}


def test_without_a_probe_a_site_has_no_mask(batch: BatchFolder, site: Site) -> None:
    assert masks(batch, [site], [], VIEWPORT, probe=None) == {}


def test_a_mask_that_takes_name_and_that_is_gone_is_reported(batch: BatchFolder, site: Site) -> None:
    with pytest.raises(
        BadInputError, match=r"The motion mask of the takes of garden, .*masks/eeee.*\.json, is missing"
    ):
        masks(batch, [site], [take("ee" * 32)], VIEWPORT, probe=never)
    with pytest.raises(BadInputError, match="have different motion masks"):
        masks(batch, [site], [take("ee" * 32), take(None)], VIEWPORT, probe=never)


def test_a_read_only_folder_gets_no_mask(batch: BatchFolder, site: Site) -> None:
    site.recording.parent.chmod(0o555)
    masks(batch, [site], [], VIEWPORT, probe=learning(mask())[0])
    assert [path.name for path in site.recording.parent.iterdir()] == ["garden.warc.gz"]


def test_a_take_tells_which_regions_are_missing(tmp_path: Path) -> None:
    settled = seen(settled_ms=4_000.0, load_ms=900.0, end_ms=4_000.0)
    found = motion_of(tmp_path, mask(), settled, Progress(progress=(), appeared_ms=(None,)))
    assert (found.appeared_ms, found.region_missing, found.outside) == ((None,), (0,), ())
    assert (found.timed, found.animated) == (True, False)
    assert motion_of(tmp_path, mask(), settled, Progress(progress=(), appeared_ms=(750.0,))).region_missing == ()


def test_a_mask_is_summed_up_in_a_line() -> None:
    assert summary(mask()) == (
        "16.7% of the viewport keeps moving, in 1 region; 0 kinds of request paint nothing; timed (1 later changes)"
    )


def test_a_recording_that_is_not_there_and_a_size_that_is_none_are_reported(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"no\.warc\.gz does not exist; give the path of a recording"):
        CliRunner().invoke(probe_command, [str(tmp_path / "no.warc.gz")], catch_exceptions=False)
    result = CliRunner().invoke(probe_command, [str(tmp_path / "no.warc.gz"), "--viewport", "big"])
    assert result.exit_code == 2
    assert "'big' is not a size; give WIDTHxHEIGHT, e.g. 1280x720." in result.output
