"""Which volatile parameters and which replay check a site of a campaign gets before its first run."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.capture.preparing import sites as preparation
from eyelevel.capture.preparing.checks import checks
from eyelevel.capture.preparing.volatile_files import volatile_files
from eyelevel.errors import BadInputError, PageFailedError
from eyelevel.loads.beside import found_beside, place_of
from eyelevel.loads.site import Site, SiteMask
from eyelevel.loads.unlimited import Loader
from eyelevel.loads.worker import CaptureWorker
from eyelevel.replay.check import Checked
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.batch_folder.volatile import read_volatile, volatile_bytes, write_volatile
from eyelevel_core.comparability.visible import reason
from eyelevel_core.contracts import ContractError, sha256_of_bytes
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.run import RunName
from eyelevel_core.model.take import Take
from eyelevel_core.model.volatile import Callback, Volatile, VolatileParameter
from tests.capture import fake
from tests.capture.test_masks import mask
from tests.core import made
from tests.loads import pages

LEARNED = Volatile("ab" * 32, (VolatileParameter("a.example", "/ad", "rnd", "seen"),), ())
CORRECTED = Volatile("ab" * 32, (), ())
STACKS = {
    "TCP+": Stack("TCP+", "ab" * 32, {"transport": "tcp", "http": "2"}),
    "TCP": Stack("TCP", "ac" * 32, {"transport": "tcp", "http": "2"}),
    "QUIC": Stack("QUIC", "cd" * 32, {"transport": "quic", "alt_svc": False}),
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "garden.warc.gz").write_bytes(b"")
    return Site("garden", tmp_path / "sites" / "garden.warc.gz", "ab" * 32, None)


@pytest.fixture
def batch(tmp_path: Path) -> BatchFolder:
    (tmp_path / "batch").mkdir()
    return BatchFolder(tmp_path / "batch")


def take(digest: str | None) -> Take:
    value = made.take(RunName("garden", "DSL", "QUIC", 1))
    return replace(value, provenance=replace(value.provenance, volatile_digest=digest))


def never(_: object) -> Volatile:
    raise AssertionError("there was nothing to make")


def test_what_is_learned_lies_beside_the_recording_and_under_its_digest_in_the_batch(
    batch: BatchFolder, site: Site
) -> None:
    found = volatile_files(batch, [site], [], learn=lambda _: LEARNED)
    digest = sha256_of_bytes(volatile_bytes(LEARNED))
    assert found == {"garden": batch.volatile / f"{digest}.json"}
    assert (read_volatile(found["garden"]), read_volatile(place_of(site))) == (LEARNED, LEARNED)
    assert place_of(site).name == "garden.volatile.json"
    assert batch.other_files() == [found["garden"]]


def test_a_corrected_file_beside_the_recording_is_used_as_it_is(batch: BatchFolder, site: Site) -> None:
    volatile_files(batch, [site], [], learn=lambda _: LEARNED)
    write_volatile(CORRECTED, place_of(site))
    found = volatile_files(batch, [site], [], learn=never)
    assert read_volatile(found["garden"]) == CORRECTED


def test_a_site_with_takes_keeps_the_file_of_its_takes_or_stays_without(batch: BatchFolder, site: Site) -> None:
    file = volatile_files(batch, [site], [], learn=lambda _: LEARNED)["garden"]
    write_volatile(CORRECTED, place_of(site))
    assert volatile_files(batch, [site], [take(file.stem)], learn=never) == {"garden": file}
    assert volatile_files(batch, [site], [take(None)], learn=never) == {}
    with pytest.raises(BadInputError, match="have different volatile parameters; give another --out"):
        volatile_files(batch, [site], [take(file.stem), take(None)], learn=never)
    file.write_bytes(volatile_bytes(CORRECTED))
    with pytest.raises(
        BadInputError, match=r"The volatile parameters of the takes of garden, .*, are missing or changed"
    ):
        volatile_files(batch, [site], [take(file.stem)], learn=never)


def test_without_learning_a_site_has_none(batch: BatchFolder, site: Site) -> None:
    assert volatile_files(batch, [site], [], learn=None) == {}
    assert not batch.volatile.exists()


def test_where_the_recordings_folder_is_read_only_the_file_is_in_the_batch_alone(
    batch: BatchFolder, site: Site
) -> None:
    site.recording.parent.chmod(0o555)
    found = volatile_files(batch, [site], [], learn=lambda _: LEARNED)
    assert (read_volatile(found["garden"]), place_of(site).exists()) == (LEARNED, False)
    assert volatile_files(batch, [site], [], learn=never) == found


def test_two_sites_of_one_recording_are_learned_once_and_how_many_lack_a_file_is_reported_before(
    batch: BatchFolder, site: Site
) -> None:
    site.recording.parent.chmod(0o555)
    progress: list[object] = []

    def learn(given: Site) -> Volatile:
        progress.append(given.name)
        return LEARNED

    sites = [site, replace(site, name="tulips")]
    found = volatile_files(batch, sites, [], learn=learn, expect=progress.append)
    assert (progress, found["tulips"]) == ([2, "garden"], found["garden"])
    assert volatile_files(batch, sites, [], learn=never, expect=progress.append) == found
    assert progress[2:] == [0]


def test_the_file_of_another_recording_is_refused_and_stays(batch: BatchFolder, site: Site) -> None:
    write_volatile(replace(CORRECTED, recording="cd" * 32), place_of(site))
    with pytest.raises(BadInputError, match=r"lists the volatile parameters of another recording \(cdcdcdcdcdcd"):
        volatile_files(batch, [site], [], learn=lambda _: LEARNED)
    assert read_volatile(place_of(site)).recording == "cd" * 32


def test_a_file_with_a_misspelt_field_is_refused_by_name(site: Site) -> None:
    place_of(site).write_bytes(volatile_bytes(LEARNED).replace(b'"parameter":', b'"paramter":'))
    with pytest.raises(ContractError, match=r"garden\.volatile\.json"):
        found_beside(site)


def test_a_parameter_that_is_taken_out_of_one_list_alone_is_named(site: Site) -> None:
    stray = replace(LEARNED, callbacks=(Callback("garden.example", "/feed", "cb"),))
    write_volatile(stray, place_of(site))
    with pytest.raises(ContractError, match=r"volatile\.json: callbacks lists cb of garden\.example/feed, which is"):
        found_beside(site)


Make = Callable[[str], ReplayCheck]


def known(
    batch: BatchFolder,
    make: Make | None,
    *,
    seed: int = 7,
    mask: SiteMask | None = None,
    digest: str = "ab" * 32,
    start_url: str | None = None,
) -> dict[str, ReplayCheck]:
    return checks(
        batch,
        {"garden": seed},
        sites=[Site("garden", Path("garden.warc.gz"), digest, start_url)],
        viewport=Viewport(1280, 720),
        stacks=STACKS,
        volatile={},
        masks={} if mask is None else {"garden": mask},
        make=make,
    )


def test_a_check_is_made_once_and_kept_in_the_batch(batch: BatchFolder) -> None:
    check = made.replay_check()
    assert known(batch, lambda _: check) == {"garden": check}
    assert known(batch, never) == {"garden": check}  # type: ignore[arg-type]  # it is not called
    assert batch.other_files() == [batch.check_file("garden")]


def test_a_check_of_another_seed_or_of_other_stacks_is_made_again(batch: BatchFolder) -> None:
    checked: list[str] = []

    def make(site: str) -> ReplayCheck:
        checked.append(site)
        return made.replay_check()

    known(batch, make, seed=8)
    known(batch, make, seed=8)
    assert checked == ["garden", "garden"]
    batch.write_check("garden", replace(made.replay_check(), loads=made.replay_check().loads[:1]))
    known(batch, make)
    assert len(checked) == 3


def test_a_check_on_another_device_is_made_again(batch: BatchFolder) -> None:
    checked: list[str] = []
    batch.write_check("garden", replace(made.replay_check(), device="phone"))

    def make(site: str) -> ReplayCheck:
        checked.append(site)
        return made.replay_check()

    known(batch, make)
    known(batch, make)
    assert checked == ["garden"]


def test_a_check_of_another_recording_or_page_is_made_again(batch: BatchFolder) -> None:
    old = made.replay_check()
    batch.write_check("garden", old)
    for same in (None, "https://garden.example/", "https://garden.example", "http://GARDEN.example:80/#top"):
        assert known(batch, never, start_url=same) == {"garden": old}  # type: ignore[arg-type]  # it is not called
    for start_url in ("https://garden.example/beds", "https://garden.example/?beds", "https://tea.example/"):
        new = replace(old, start_url=start_url)
        batch.write_check("garden", old)
        assert known(batch, lambda _, new=new: new, start_url=start_url) == {"garden": new}  # type: ignore[misc]
    new = replace(old, recording="cd" * 32)
    batch.write_check("garden", old)
    assert known(batch, lambda _: new, digest="cd" * 32) == {"garden": new}


def test_without_making_a_site_has_no_check(batch: BatchFolder) -> None:
    assert known(batch, None) == {}


class Pages:
    """Plays what loads pages: of the garden, the step `fails` ends in an error; `made` lists the steps by site."""

    def __init__(self, fails: str, error: Exception) -> None:
        self.fails, self.error = fails, error
        self.made: list[tuple[str, str]] = []

    def step(self, name: str, site: Site) -> None:
        self.made.append((name, site.name))
        if (name, site.name) == (self.fails, "garden"):
            raise self.error

    def learn_volatile(self, _: object, site: Site, *__: object, **___: object) -> Volatile:
        self.step("learn", site)
        return Volatile(site.digest, (), ())

    def probe(
        self, _: object, sites: Iterable[Site], *__: object, **___: object
    ) -> Iterator[tuple[Site, Mask | PageFailedError]]:
        for site in sites:
            try:
                self.step("probe", site)
            except PageFailedError as error:
                yield site, error
            else:
                yield site, mask(recording=site.digest)

    def check(self, _: object, site: Site, *__: object, **___: object) -> Checked:
        self.step("check", site)
        return Checked(replace(made.replay_check(), recording=site.digest), [pages.painted(64, 48, (0, 0, 0))], None)


Prepare = Callable[[Pages], list[str]]


@contextmanager
def no_loader(*_: object, **__: object) -> Iterator[Loader]:
    yield Loader(Path("testbed"), STACKS, CaptureWorker(Path("scratch")), Path("scratch"))


@pytest.fixture
def prepare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    def run(played: Pages) -> list[str]:
        for name in ("learn_volatile", "probe", "check"):
            monkeypatch.setattr(preparation, name, getattr(played, name))
        monkeypatch.setattr(preparation, "loader", no_loader)
        monkeypatch.setattr(preparation, "stacks", lambda _: STACKS)
        context = fake.context(tmp_path)
        sites = tuple(replace(site, recording=tmp_path / site.name) for site in context.sites)
        _, failed = preparation.prepared(replace(context, sites=sites, stacks=STACKS), [], fake.runs(), made=True)
        return list(failed)

    return run


@pytest.mark.parametrize(
    ("fails", "tried"), [("learn", ["learn"]), ("probe", ["learn", "probe"]), ("check", ["learn", "probe", "check"])]
)
def test_a_site_whose_page_cannot_be_judged_is_excluded_and_the_others_are_prepared(
    fails: str, tried: list[str], prepare: Prepare, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = Pages(fails, PageFailedError("it reloads for ever", "Look at the page."))
    assert prepare(pages) == ["garden"]
    steps = {name: [step for step, site in pages.made if site == name] for name in ("garden", "teashop")}
    assert steps == {"garden": tried, "teashop": ["learn", "probe", "check"]}
    checks = BatchFolder(tmp_path).replay_checks()
    assert (checks["garden"].failure, checks["garden"].loads) == ("it reloads for ever", ())
    assert (checks["teashop"].failure, reason(checks["teashop"])) == (None, None)
    stderr = capsys.readouterr().err
    words = "garden is excluded from the comparison for all stacks, and not filmed: It reloads for ever. Look at"
    assert words in stderr
    assert "  2 pages to load for volatile parameters: about 10 s for each of one or two loads.\n" in stderr
    assert "teashop: 0 volatile parameters, 0 of them callbacks (2/2)\n" in stderr
    # the same command tries it again
    again = Pages("nothing", PageFailedError("-", "-"))
    assert prepare(again) == []
    assert ("check", "garden") in again.made
    assert BatchFolder(tmp_path).replay_checks()["garden"].failure is None


def test_what_every_site_would_meet_ends_the_campaign(prepare: Prepare) -> None:
    with pytest.raises(BadInputError, match="no tool"):
        prepare(Pages("probe", BadInputError("no tool")))
