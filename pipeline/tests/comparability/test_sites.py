"""The rule that excludes a site: the lowest exact share of any stack, unrounded, against the bound."""

import pytest

from eyelevel_core.comparability.model import ReplayedTake
from eyelevel_core.comparability.sites import SiteFidelity, judge_sites
from eyelevel_core.model.take import Fidelity


def take(stack: str, exact: int | None, missed: int | None, *, run: int = 1) -> ReplayedTake:
    fidelity = Fidelity(exact, None if exact is None else 0, missed, None)
    return ReplayedTake(f"takes/garden/DSL/{stack}/run-{run:02d}", "garden", "DSL", stack, fidelity)


def judged(*takes: ReplayedTake, min_exact: float = 0.7) -> SiteFidelity:
    (site,) = judge_sites(takes, min_exact=min_exact, mismatched=None)
    return site


def test_the_stack_with_the_lowest_share_decides() -> None:
    site = judged(take("QUIC", 6, 4), take("TCP", 10, 0))
    assert (site.kept, site.worst_stack, site.worst_share) == (False, "QUIC", 0.6)
    assert site.reason == "60.0% of its requests were matched exactly with QUIC, below 70.0%"


def test_a_share_at_the_bound_is_kept() -> None:
    assert judged(take("QUIC", 7, 3), take("TCP", 7, 3)).kept


def test_a_share_just_below_the_bound_is_excluded_and_shown_with_the_digits_that_tell_it_apart() -> None:
    site = judged(take("QUIC", 3_499_999, 1_500_001))
    assert site.reason == "69.99998% of its requests were matched exactly with QUIC, below 70.0%"


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
