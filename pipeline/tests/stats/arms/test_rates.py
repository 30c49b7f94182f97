"""Void and censored rates per stack, and their tests over all stacks and per pair."""

from dataclasses import replace

import pytest

from eyelevel.compare.model import Pair
from eyelevel_core.model.attempt import BLOCK_VOIDED
from eyelevel_stats.arms.rates import Attempted, StackCount, count_stack, differences, pair_tests


def counted(stack: str, *, void: int = 0, with_block: int = 0, settled: int = 0, censored: int = 0) -> StackCount:
    causes = ["frames lost"] * void + [BLOCK_VOIDED] * with_block
    attempts = [Attempted(void=True, cause=cause) for cause in causes]
    attempts += [Attempted(void=False, cause=None)] * (settled + censored)
    return count_stack(stack, planned=10, settled=[True] * settled + [False] * censored, attempts=attempts)


def test_an_attempt_that_was_void_with_its_block_is_counted_apart() -> None:
    row = counted("QUIC", void=2, with_block=3, settled=4, censored=1)
    assert (row.attempts, row.void, row.void_with_block, row.void_causes) == (10, 2, 3, {"frames lost": 2})
    assert (row.void_rate, row.censored_rate, row.missing) == (0.2, 0.2, 5)


def test_rates_without_attempts_or_takes_are_unknown_and_not_zero() -> None:
    row = count_stack("QUIC", planned=None, settled=[], attempts=None)
    assert (row.attempts, row.void, row.void_rate, row.censored_rate, row.missing) == (None, None, None, None, None)


def test_two_stacks_are_tested_by_fisher_over_all_and_per_pair() -> None:
    """By hand: 2 (C(10,8) C(10,1) + C(10,9) C(10,0)) / C(20,9) = 920 / 167960 = 0.005477."""
    rows = [counted("QUIC", void=8, settled=2), counted("TCP", void=1, settled=9)]
    over_all = differences(rows)["void"]
    assert over_all is not None
    assert over_all.name == "Fisher exact"
    assert over_all.p == pytest.approx(0.005477, abs=1e-6)
    void, censored = pair_tests(rows, [Pair("QUIC", "TCP")])
    assert void.result.p_value == pytest.approx(0.005477, abs=1e-6)
    assert void.p_adjusted == pytest.approx(2 * 0.005477, abs=2e-6)
    assert (censored.kind, censored.result.p_value) == ("censored takes", 1.0)


def test_content_mismatches_are_tested_only_where_there_are_any() -> None:
    rows = [counted("QUIC", settled=9), counted("TCP", settled=9)]
    kinds = [row.kind for row in pair_tests(rows, [Pair("QUIC", "TCP")])]
    assert kinds == ["void attempts", "censored takes"]
    rows[0] = replace(rows[0], comparable=9, mismatched=1)
    assert len(pair_tests(rows, [Pair("QUIC", "TCP")])) == 3
