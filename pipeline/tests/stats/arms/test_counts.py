"""`rate_test` chooses the test that fits the counts; the p values come from the literature or are computed by hand."""

import pytest

from eyelevel_stats.arms.counts import rate_test


def test_large_counts_are_compared_by_pearsons_chi_square() -> None:
    tested = rate_test({"TCP+": (30, 70), "QUIC": (50, 50)})
    assert tested is not None
    assert tested.name == "chi-square"
    assert tested.p == pytest.approx(0.003892, abs=1e-6)  # 1 degree of freedom at 25/3


def test_small_counts_of_two_stacks_by_fishers_exact_test() -> None:
    tested = rate_test({"milk first": (3, 1), "tea first": (1, 3)})
    assert tested is not None
    assert tested.name == "Fisher exact"
    assert tested.p == pytest.approx(34 / 70)  # the lady tasting tea, two-sided


def test_small_counts_of_more_stacks_by_the_same_with_a_fixed_seed() -> None:
    counts = {"TCP": (0, 30), "TCP+": (0, 30), "QUIC": (6, 24)}
    tested = rate_test(counts)
    assert tested is not None
    assert tested.name == "Fisher-Freeman-Halton"
    assert tested == rate_test(counts)
    # by hand: all six in one of three groups, 3 * C(30, 6) / C(90, 6), and nothing else is as rare
    assert tested.p == pytest.approx(3 * 593775 / 622614630, abs=0.002)


@pytest.mark.parametrize("groups", [{}, {"TCP+": (1, 9)}, {"TCP+": (0, 9), "QUIC": (0, 9)}, {"a": (3, 0), "b": (2, 0)}])
def test_where_nothing_can_differ_there_is_no_test(groups: dict[str, tuple[int, int]]) -> None:
    assert rate_test(groups) is None
