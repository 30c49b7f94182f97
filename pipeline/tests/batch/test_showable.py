"""Which takes clips may show: what is compared, and of that what came; a person is told of the rest."""

from dataclasses import replace
from pathlib import Path

from eyelevel.batch.showable import LUCKIER, OTHERWISE, Showable, showable
from eyelevel_core.batch_folder import FilmedTake as Take
from eyelevel_core.comparability.model import Findings, SettingsMismatch
from eyelevel_core.model.run import RunName
from eyelevel_core.model.scene import Answer, ContentMismatch
from eyelevel_core.model.take import Take as StoredValue
from tests.core.made import SHEET, replay_check
from tests.core.made import take as take_of

TIMED_OUT = "net::ERR_TIMED_OUT"
LACKS = ContentMismatch("garden-MSS-QUIC-cold-1", (Answer("https://garden.example/a.js", 200, 9),), ())
HOW = "server.chunk_bytes is 1 with TCP+ and 2 with QUIC, which their definitions do not explain"


def take(
    stack: str = "QUIC",
    *,
    site: str = "garden",
    network: str = "MSS",
    run: int = 1,
    cache: str = "cold",
    given_up: str | None = None,
) -> Take:
    known = take_of(
        RunName(site, network, stack, run, cache),
        given_up=given_up,
    )
    return Take(Path(), f"{site}-{network}-{stack}-{cache}-{run}", known, (0.0,))


def shown(
    *takes: Take,
    otherwise: tuple[Take, ...] = (),
    unlike: tuple[SettingsMismatch, ...] = (),
    failed: tuple[Take, ...] = (),
    lacking: str | None = None,
) -> Showable:
    findings = Findings(
        takes=frozenset(taken.path for taken in takes),
        content_mismatches={taken.path: LACKS for taken in otherwise},
        settings_mismatches=unlike,
        network_failed=frozenset(taken.path for taken in failed),
    )
    checks = {taken.site: replay_check(lacks_style_sheet=taken.site == lacking) for taken in takes}
    return showable(takes, findings, checks=checks)


def test_a_navigation_that_the_browser_gave_up_is_not_shown_and_told() -> None:
    came = [take(run=1), take(run=2)]
    beside = take("TCP+", run=1)
    found = shown(*came, take(run=3, given_up=TIMED_OUT), take(run=4, given_up=TIMED_OUT), beside)
    assert found.takes == [*came, beside]
    why = f"its navigation failed ({TIMED_OUT})"
    assert found.why_not == {"garden-MSS-QUIC-cold-3": why, "garden-MSS-QUIC-cold-4": why}
    assert found.warnings == [
        f"garden, MSS, QUIC: no clip shows run 3, 4 (of 4 with a take), because {why}.",
        LUCKIER,
    ]


def test_a_setting_of_which_no_page_came_is_named_as_without_clips() -> None:
    found = shown(take(run=1, given_up=TIMED_OUT), take("TCP+"))
    assert [(left.stack, left.run) for left in found.takes] == [("TCP+", 1)]
    assert found.warnings == [
        f"garden, MSS, QUIC: no clip shows run 1 (of 1 with a take), because its navigation failed ({TIMED_OUT}).",
        "garden, MSS, QUIC has no clip, because none of its runs may be shown.",
        LUCKIER,
    ]


def test_an_older_take_that_does_not_say_whether_it_was_given_up_is_shown() -> None:
    old = take()
    value = {name: item for name, item in old.take.as_json().items() if name != "given_up"}
    old = replace(old, take=StoredValue.of(value))
    assert shown(old).takes == [old]


def test_second_visits_are_for_others_to_judge_as_no_clip_shows_them() -> None:
    second = take(cache="http", given_up=TIMED_OUT)
    found = shown(second, otherwise=(second,))
    assert (found.takes, found.warnings) == ([second], [])


def test_a_take_that_was_served_another_page_is_not_shown() -> None:
    kept, other = take(run=1), take(run=2)
    found = shown(kept, other, otherwise=(other,))
    assert (found.takes, found.why_not) == ([kept], {other.digest: OTHERWISE})
    assert found.warnings == [f"garden, MSS, QUIC: no clip shows run 2 (of 2 with a take), because {OTHERWISE}."]


def test_a_scene_whose_parity_is_contradicted_leaves_with_all_its_stacks() -> None:
    one, other, elsewhere = take("QUIC"), take("TCP+"), take("QUIC", network="DSL")
    found = shown(
        elsewhere, one, other, unlike=(SettingsMismatch("garden", "MSS", "cold", other.path, one.path, [HOW]),)
    )
    assert found.takes == [elsewhere]
    why = f"{other.path} and {one.path} differ in more than their stacks' definitions: {HOW}"
    assert found.why_not == {one.digest: why, other.digest: why}
    assert found.warnings == [f"garden, MSS: no clip shows it, because {why}."]


def test_a_contradiction_of_second_visits_is_no_matter() -> None:
    alone = take()
    assert shown(alone, unlike=(SettingsMismatch("garden", "MSS", "http", alone.path, alone.path, [HOW]),)).takes == [
        alone
    ]


def test_a_site_that_fails_a_gate_in_one_stack_has_no_clip_of_any() -> None:
    other = take(site="forest")
    found = shown(other, take("QUIC"), take("TCP+"), lacking="garden")
    assert found.takes == [other]
    assert found.warnings == [f"garden: no clip shows it, because a style sheet was missed with QUIC ({SHEET})."]
    assert set(found.why_not) == {"garden-MSS-QUIC-cold-1", "garden-MSS-TCP+-cold-1"}


def test_where_the_network_failed_requests_the_take_is_shown_and_a_person_told() -> None:
    failing = take()
    found = shown(failing, failed=(failing,))
    assert found.takes == [failing]
    assert found.warnings[0].startswith(f"In some takes (QUIC 1; such as {failing.path}) the network failed")


def test_without_fidelity_json_only_sites_are_judged_and_that_is_reported() -> None:
    kept = take()
    checks = {"garden": replay_check(), "qq": replay_check(lacks_style_sheet=True)}
    found = showable([kept, take(site="qq")], None, checks=checks)
    assert found.takes == [kept]
    assert found.warnings[0].startswith("qq: no clip shows it")
    assert found.warnings[1].startswith("The batch has no fidelity.json")
