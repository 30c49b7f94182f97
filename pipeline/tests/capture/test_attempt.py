"""What the end of an attempt makes of the files that the page load and the testbed left."""

import errno
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from eyelevel.capture.attempts import attempt, provenance, take
from eyelevel.capture.attempts.attempt import FILLING_LIMIT_S, CaptureContext
from eyelevel.capture.attempts.take import FILES
from eyelevel.capture.planning.networks import Network
from eyelevel.disk import DiskFullError, room
from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel.loads import judgement
from eyelevel.loads.inside.request import Cause, Job, LoadRequest, VoidError
from eyelevel.loads.judgement import AROUND_S
from eyelevel.loads.seeds import first_visit_seed
from eyelevel.loads.site import Site
from eyelevel.loads.worker import CaptureWorker
from eyelevel.stacks import Stack
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.metrics import BROWSER_FIELDS
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take
from tests.core.made import campaign
from tests.loads.seen import DEFAULTS, seen

SAMPLE = (
    Path(__file__).resolve().parents[3] / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL" / "QUIC" / "run-01"
)
TAKE = json.loads((SAMPLE / "take.json").read_text())
PRESSURE = {
    "outside_share": 0.04, "steal_share": 0.01, "capture_share": 0.6, "run_share": 0.5, "prelaunched_share": 0.0,
    "waiting_some_share": 0.2, "waiting_full_share": None,
}  # fmt: skip
RUN = Run(
    site="garden", recording=TAKE["recording"], network="DSL", stack="QUIC", number=1, seed=TAKE["seed"], page_seed=6
)


BROWSER: dict[str, float | None] = {
    "fcp_ms": 240.1, "lcp_ms": 800.5, "cls": 0.0625, "cls_sum": 0.0625, "tbt_ms": 0.0, "tti_ms": None,
    "dcl_ms": 300.0, "ttfb_ms": 56.3,
}  # fmt: skip
ELEMENT = {"selector": "img#hero", "url": "https://garden.example/hero.jpg", "size_px": 90000}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished attempt: a sample take's own reports, with a film that nobody looks at."""
    folder = tmp_path / "attempt"
    folder.mkdir()
    for name in FILES:
        if (SAMPLE / name).is_file():
            shutil.copy(SAMPLE / name, folder)
    (folder / "film.mkv").write_bytes(b"film")
    inside = {
        **DEFAULTS, "settled_ms": TAKE["settled_ms"], "load_ms": TAKE["metrics"]["plt_ms"],
        "lost_changes": 0, "late_ms": 3.0,
        "frames": TAKE["film"]["frames"], "zero_error_ms": 20.0, "clock_error_ms": 0.1, "clock_bound_ms": 0.5,
        "unquiet_frames": 0, "end_ms": 4000.0, "cpu_idle_share": 0.25, "pressure": PRESSURE,
        "marks": {"started": 100.0, "navigation": 2000.0, "next": 3500.0, "film_ended": 5000.0, "measured": 5004.5},
        "browser": BROWSER, "lcp_element": ELEMENT,
        "browser_version": "156", "browser_arguments": [],
        "page_script_digest": "12" * 32,
    }  # fmt: skip
    (folder / "inside.json").write_text(json.dumps(inside))
    return folder


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaptureContext:
    monkeypatch.setattr(provenance, "tools", lambda _: {})
    viewport = TAKE["viewport"]
    batch = BatchFolder(tmp_path / "batch")
    return CaptureContext(
        batch=batch,
        campaign=campaign(viewport=viewport),
        sites=(),
        testbed=Path("no-testbed"),
        worker=CaptureWorker(batch.scratch),
        stacks={"QUIC": Stack(**TAKE["stack"])},
        volatile={"garden": Path(f"{TAKE['provenance']['volatile_digest']}.json")},
    )


def doctor_wire(folder: Path, *, way: str | None = None, **changes: Any) -> None:
    wire = json.loads((folder / "wire.json").read_text())
    (wire if way is None else wire["link"][way]).update(changes)
    (folder / "wire.json").write_text(json.dumps(wire))


def finish(context: CaptureContext, folder: Path) -> Take:
    marks = {"begun": 0.0, "ended": 9000.0}
    return attempt._finish(context, RUN, 1, folder, place=context.batch.take_folder(RUN), marks=marks)


def test_a_finished_attempt_becomes_a_take(context: CaptureContext, folder: Path) -> None:
    finish(context, folder)
    written = json.loads((context.batch.take_folder(RUN) / "take.json").read_text())
    assert written["seed"] == RUN.seed
    assert written["next_began_ms"] == 1500
    assert written["metrics"] == TAKE["metrics"] | BROWSER
    assert tuple(BROWSER) == BROWSER_FIELDS
    assert written["lcp_element"] == ELEMENT
    assert (written["timing_ms"]["set_up"], written["timing_ms"]["teardown"]) == (100, None)
    assert written["timing_ms"]["metrics"] == 4.5


def test_a_take_keeps_who_used_the_processors(context: CaptureContext, folder: Path) -> None:
    finish(context, folder)
    written = json.loads((context.batch.take_folder(RUN) / "take.json").read_text())
    assert (written["pressure"], written["cpu_idle_share"]) == (PRESSURE, 0.25)


@pytest.mark.parametrize(("outside", "steal", "most"), [(0.10, 0.01, 0.1), (0.0, 0.2, 0.1), (0.5, 0.4, 0.89)])
def test_a_run_beside_which_others_used_the_processors_is_void(
    context: CaptureContext, folder: Path, outside: float, steal: float, most: float
) -> None:
    inside = json.loads((folder / "inside.json").read_text())
    inside["pressure"] |= {"outside_share": outside, "steal_share": steal}
    (folder / "inside.json").write_text(json.dumps(inside))
    busy = replace(context, campaign=replace(context.campaign, max_outside_share=most))
    with pytest.raises(VoidError, match=rf"other programs {outside:.1%}, hypervisor {steal:.1%}") as caught:
        finish(busy, folder)
    assert caught.value.cause is Cause.MACHINE_BUSY
    assert not context.batch.take_folder(RUN).exists()
    allowed = replace(context, campaign=replace(context.campaign, max_outside_share=round(outside + steal, 2)))
    assert finish(allowed, folder).pressure is not None


def test_what_the_run_itself_used_and_waited_for_never_voids_it(context: CaptureContext, folder: Path) -> None:
    inside = json.loads((folder / "inside.json").read_text())
    inside["pressure"] = {**dict.fromkeys(PRESSURE, 1.0), "outside_share": 0.0, "steal_share": 0.0}
    (folder / "inside.json").write_text(json.dumps(inside))
    taken = finish(context, folder).pressure
    assert taken is not None
    assert taken.waiting_full_share == 1


def test_a_run_of_unknown_pressure_is_a_take(context: CaptureContext, folder: Path) -> None:
    inside = json.loads((folder / "inside.json").read_text())
    (folder / "inside.json").write_text(json.dumps({**inside, "pressure": None}))
    assert finish(context, folder).pressure is None


def test_an_attempt_whose_film_nobody_measured_is_void(context: CaptureContext, folder: Path) -> None:
    (folder / "progress.json").unlink()
    with pytest.raises(VoidError, match=r"progress\.json") as caught:
        finish(context, folder)
    assert caught.value.cause is Cause.BROKEN_RESULT


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("progress.json", {}, "progress.json: fvc_ms is missing"),
        ("responses.json", [{"url": "https://a.example/", "method": "GET"}], r"\[0\]\.\w+ is missing"),
    ],
)
def test_results_that_break_their_contract_void_the_attempt(
    context: CaptureContext, folder: Path, name: str, value: object, words: str
) -> None:
    (folder / name).write_text(json.dumps(value))
    with pytest.raises(VoidError, match=words) as caught:
        finish(context, folder)
    assert caught.value.cause is Cause.BROKEN_RESULT


def test_what_was_made_ready_while_the_run_before_settled_took_none_of_this_run_s_time(
    context: CaptureContext, folder: Path
) -> None:
    marks = {"begun": 1000.0, "ended": 9000.0}
    result = attempt._finish(context, RUN, 1, folder, place=context.batch.take_folder(RUN), marks=marks)
    assert result.timing_ms is not None
    assert result.timing_ms["set_up"] == 0


@pytest.mark.parametrize("way", ["down", "up"])
@pytest.mark.parametrize("counter", ["drops_emulation", "oversized"])
def test_a_link_that_was_not_emulated_as_defined_voids_the_attempt(
    context: CaptureContext, folder: Path, way: str, counter: str
) -> None:
    doctor_wire(folder, way=way, **{counter: 3})
    with pytest.raises(VoidError, match=rf"3 packets.*\({way}\)") as caught:
        finish(context, folder)
    assert caught.value.cause is Cause.EMULATION_FAILED
    assert not (context.batch.take_folder(RUN)).exists()


def test_servers_without_a_report_void_the_attempt(context: CaptureContext, folder: Path) -> None:
    doctor_wire(folder, server=None)
    with pytest.raises(VoidError) as caught:
        finish(context, folder)
    assert caught.value.cause is Cause.SERVER_LEFT_NO_REPORT


@pytest.mark.parametrize(
    "error",
    [
        BadInputError("film.mkv cannot be decoded."),
        ContractError("frames.json breaks it"),
        OSError(errno.EIO, "Input/output error"),
        KeyError("fvc_ms"),
        TypeError("None has no frames"),
        ValueError("the times of frames must increase"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_breaks_while_an_attempt_is_finished_voids_this_attempt_alone(
    context: CaptureContext, folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(take, "compose", Mock(side_effect=error))
    with pytest.raises(VoidError, match=type(error).__name__) as caught:
        finish(context, folder)
    assert caught.value.cause is Cause.BROKEN_RESULT


def test_a_missing_tool_ends_the_campaign(
    context: CaptureContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take, "compose", Mock(side_effect=ToolMissingError("ffmpeg is missing")))
    with pytest.raises(ToolMissingError):
        finish(context, folder)


def test_a_full_disk_ends_the_campaign_and_voids_no_attempt(
    context: CaptureContext, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take, "compose", Mock(side_effect=OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(DiskFullError, match=r"The disk of .* is full"), room(folder):
        finish(context, folder)


def test_a_void_json_that_is_torn_voids_the_attempt(folder: Path) -> None:
    (folder / "void.json").write_text('{"cause": "no such ca')
    with pytest.raises(VoidError) as caught:
        judgement.judge(folder, judgement.VOID_STATUS, folder / "talk.log")
    assert caught.value.cause is Cause.BROKEN_RESULT


def test_folders_that_are_left_do_not_come_into_the_take(context: CaptureContext, folder: Path) -> None:
    (folder / "profile" / "Default").mkdir(parents=True)
    finish(context, folder)
    assert {path.name for path in (context.batch.take_folder(RUN)).iterdir()} == {*FILES, "take.json"}


def test_a_navigation_that_the_browser_gave_up_is_a_censored_take_without_metrics(
    context: CaptureContext, folder: Path
) -> None:
    inside = json.loads((folder / "inside.json").read_text())
    nothing = {"settled_ms": None, "load_ms": None, "browser": dict.fromkeys(BROWSER_FIELDS), "lcp_element": None}
    inside |= {**nothing, "given_up": "net::ERR_TIMED_OUT"}
    (folder / "inside.json").write_text(json.dumps(inside))
    result = finish(context, folder)
    assert (result.outcome, result.given_up) == ("unsettled", "net::ERR_TIMED_OUT")
    assert set(result.metrics.values()) == {None}
    assert json.loads((folder.parent / "batch" / RUN.path / "progress.json").read_text())["progress"] == []


def test_a_first_visit_that_did_not_load_fills_no_cache() -> None:
    attempt.check_filled(seen(load_ms=800.0))
    with pytest.raises(VoidError, match="did not load within 300 s") as caught:
        attempt.check_filled(seen(load_ms=None))
    assert caught.value.cause is Cause.CACHE_NOT_FILLED
    with pytest.raises(VoidError, match=r"did not load: navigation failed \(net::ERR_TIMED_OUT\)"):
        attempt.check_filled(seen(load_ms=None, given_up="net::ERR_TIMED_OUT"))


@pytest.mark.parametrize("limit_s", [20, 600])
def test_how_long_a_first_visit_may_take_hangs_neither_on_stack_nor_on_network(
    context: CaptureContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit_s: int
) -> None:
    site = Site(RUN.site, tmp_path / "garden.warc.gz", RUN.recording, None)
    limited = replace(context.campaign, limits_s={RUN.network: limit_s})
    monkeypatch.setattr(attempt, "recorded_at_ms", lambda _: 0)
    worker = Mock(watch=())

    def film(job: Job, _: Sequence[Job], *, limit_s: float) -> int:
        (job.folder / "profile").mkdir()
        (job.folder / "inside.json").write_text(json.dumps({**DEFAULTS, "load_ms": limit_s * 500}))
        (job.folder / "page.har").write_text('{"log": {"entries": []}}')
        request = LoadRequest.read(job.folder / "request.json")
        assert request.limit_s == FILLING_LIMIT_S == 300
        # what moves for ever on the page does not keep it from its end
        assert request.network_only
        assert limit_s == FILLING_LIMIT_S + AROUND_S
        return 0

    worker.film.side_effect = film
    attempt._fill_cache(replace(context, campaign=limited, sites=(site,), worker=worker), RUN, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["profile"]
    assert worker.film.call_count == 1


ALT_SVC = Stack("QUIC", "cd" * 32, {"transport": "quic", "http": "3", "alt_svc": True})
WORKED = {"servers": [{"server": "https://garden.example", "alternative_service": [{"port": 443}]}]}


def first_visits(
    context: CaptureContext,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    cache: str,
    left: Sequence[Any],
    *,
    entries: Sequence[Any] = (),
) -> list[Job]:
    """The jobs that fill the cache for a run, of which each leaves one of these states in the profile."""
    monkeypatch.setattr(attempt, "recorded_at_ms", lambda _: 0)
    jobs: list[Job] = []

    def film(job: Job, _: Sequence[Job], *, limit_s: float) -> int:
        profile = job.folder / "profile" / "Default"
        profile.mkdir(parents=True, exist_ok=True)
        (profile / "Network Persistent State").write_text(
            json.dumps({"net": {"http_server_properties": left[len(jobs)]}})
        )
        (job.folder / "inside.json").write_text(json.dumps({**DEFAULTS, "load_ms": limit_s}))
        (job.folder / "page.har").write_text(json.dumps({"log": {"entries": entries}}))
        jobs.append(job)
        return 0

    context = replace(
        context,
        sites=(Site(RUN.site, folder / "garden.warc.gz", RUN.recording, None),),
        worker=Mock(watch=(), film=Mock(side_effect=film)),
        networks={"DSL": Network("DSL", "ef" * 32, Path("own.json"))},
        stacks={"QUIC": ALT_SVC},
    )
    attempt._fill_cache(context, replace(RUN, cache=cache), folder)
    return jobs


def test_a_page_is_visited_again_until_chromium_has_used_quic_where_alternative_services_are_kept(
    context: CaptureContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked = {**WORKED, "supports_quic": {"used_quic": True, "address": "198.18.0.1"}}
    visits = partial(first_visits, context, monkeypatch=monkeypatch)
    for name, cache, left, expected in (
        ("once", "altsvc", [worked], 1),
        ("twice", "altsvc", [WORKED, worked], 2),
        ("http", "http", [WORKED], 1),
        ("all", "all", [WORKED], 1),
    ):
        (tmp_path / name).mkdir()
        assert len(visits(tmp_path / name, cache=cache, left=left)) == expected, name
    (tmp_path / "never").mkdir()
    with pytest.raises(VoidError, match="has not used QUIC in two first visits") as caught:
        visits(tmp_path / "never", cache="altsvc", left=[WORKED, WORKED])
    assert caught.value.cause is Cause.CACHE_NOT_FILLED


STYLE = {
    "startedDateTime": "2026-01-01T00:00:00.000Z",
    "timings": {},
    "request": {"method": "GET", "url": "https://garden.example/a.css"},
    "response": {"status": 200, "headers": [{"name": "cache-control", "value": "max-age=3600"}]},
}


def test_a_first_visit_that_left_no_cache_or_no_memory_voids_the_attempt(
    context: CaptureContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, cache, left, entries, words in (
        (
            "cache",
            "http",
            WORKED,
            [STYLE],
            "cache is empty after the first visit, but must contain 1 answers, such as .*a.css",
        ),
        ("memory", "all", {}, [], "but it has no alternative service"),
    ):
        (tmp_path / name).mkdir()
        with pytest.raises(VoidError, match=words) as caught:
            first_visits(context, tmp_path / name, monkeypatch, cache, [left], entries=entries)
        assert caught.value.cause is Cause.CACHE_NOT_FILLED


def test_a_visit_that_uses_nothing_of_a_full_cache_voids_the_attempt(context: CaptureContext, folder: Path) -> None:
    marks = {"begun": 0.0, "ended": 9000.0}
    url = json.loads((folder / "responses.json").read_text())[0]["url"]
    run, place = replace(RUN, cache="http"), folder.parent / "take"
    with pytest.raises(VoidError, match="none of the answers that it must contain came from it") as caught:
        attempt._finish(context, run, 1, folder, place=place, marks=marks, stored={url})
    assert caught.value.cause is Cause.WRONG_CACHE


def test_a_first_visit_of_which_everything_is_kept_goes_over_the_network_of_its_run(
    context: CaptureContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {}
    for cache in ("http", "all"):
        (tmp_path / cache).mkdir()
        (job,) = first_visits(context, tmp_path / cache, monkeypatch, cache, [WORKED])
        asked[cache] = job.testbed
    assert asked["http"][asked["http"].index("--network") + 1] == "DSL"
    assert asked["all"][asked["all"].index("--network-file") + 1] == "own.json"
    # other packets are lost than in the visit that is filmed
    for command in asked.values():
        assert command[command.index("--seed") + 1] == str(first_visit_seed(RUN.seed))
