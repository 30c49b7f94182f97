"""The rule that excludes a site: the gates of its replay check, over every stack; exact shares are shown only."""

from dataclasses import replace

import pytest

from eyelevel_core.comparability.model import ReplayedTake
from eyelevel_core.comparability.sites import SiteFidelity, judge_sites, unchecked
from eyelevel_core.model.replay_check import ReplayCheck
from eyelevel_core.model.take import Fidelity
from tests.core.made import SHEET, replay_check


def take(stack: str, exact: int | None, missed: int | None, *, run: int = 1) -> ReplayedTake:
    fidelity = Fidelity(exact, None if exact is None else 0, missed, None, 0)
    return ReplayedTake(f"takes/garden/DSL/{stack}/run-{run:02d}", "garden", "DSL", stack, fidelity)


def judged(*takes: ReplayedTake, check: ReplayCheck | None = None) -> SiteFidelity:
    (site,) = judge_sites(takes, checks={} if check is None else {"garden": check}, mismatched=None)
    return site


def test_a_site_is_excluded_by_the_gates_of_its_replay_check_whatever_its_takes_missed() -> None:
    site = judged(take("QUIC", 10, 0), take("TCP", 10, 0), check=replay_check(lacks_style_sheet=True))
    assert (site.kept, site.absent, site.painted_share, site.similarity) == (False, 1, 0.0, None)
    assert site.reason == f"a style sheet was missed with QUIC ({SHEET})"


def test_a_site_that_passes_the_gates_is_kept_whatever_its_exact_share() -> None:
    site = judged(take("QUIC", 1, 99), take("TCP", 10, 0), check=replay_check())
    assert (site.kept, site.worst_stack, site.worst_share) == (True, "QUIC", 0.01)


def test_a_site_without_a_check_is_kept_and_named() -> None:
    site = judged(take("QUIC", 10, 0))
    assert (site.kept, site.absent, site.painted_share, site.similarity) == (True, None, None, None)
    words = unchecked([site])
    assert words is not None
    assert words.startswith("garden has no replay check, so it is unknown what a viewer would miss there.")
    assert unchecked([judged(take("QUIC", 10, 0), check=replay_check())]) is None


def test_a_site_whose_page_could_not_be_judged_is_excluded_even_without_takes() -> None:
    failed = replace(replay_check(), loads=(), failure="it reloads")
    (garden, teashop) = judge_sites(
        [replace(take("QUIC", 10, 0), site="teashop")], checks={"garden": failed}, mismatched=None
    )
    assert (garden.site, garden.takes, garden.kept, garden.reason) == ("garden", 0, False, "it reloads")
    assert (teashop.site, teashop.takes, teashop.kept) == ("teashop", 1, True)
    assert judged(take("QUIC", 10, 0), check=failed).reason == "it reloads"


def test_a_stack_of_which_nothing_is_known_does_not_decide() -> None:
    site = judged(take("QUIC", None, None), take("TCP", 10, 0))
    assert (site.kept, site.share_by_stack) == (True, {"QUIC": None, "TCP": 1.0})


@pytest.mark.parametrize(
    ("exact", "words"),
    [(None, "none of its takes reached the load event"), (0, "none of its takes requested anything")],
)
def test_a_site_of_which_nothing_is_known_is_excluded_with_the_reason(exact: int | None, words: str) -> None:
    site = judged(take("QUIC", exact, exact))
    assert not site.kept
    assert site.reason is not None
    assert site.reason.startswith(words)


def test_equivalent_answers_are_counted_apart_from_exact_ones() -> None:
    counted = Fidelity(6, 1, 1, None, equivalent=2)
    site = judged(ReplayedTake("takes/garden/DSL/QUIC/run-01", "garden", "DSL", "QUIC", counted))
    assert (site.exact, site.equivalent, site.inexact, site.missed, site.share) == (6, 2, 1, 1, 0.6)
