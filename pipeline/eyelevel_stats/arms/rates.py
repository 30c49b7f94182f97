"""Void and censored rates per stack, and tests of whether they differ between stacks."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from eyelevel_core.model.attempt import BLOCK_VOIDED
from eyelevel_stats.arms.counts import CountTest, RateTest, compare_shares, rate_test
from eyelevel_stats.arms.several import holm

VOID, CENSORED, MISMATCHED = "void attempts", "censored takes", "takes served otherwise"


class Tried(Protocol):
    """Interface of an attempt that has ended; `cause` is why it was void, None if it was not or that is unknown."""

    @property
    def void(self) -> bool: ...
    @property
    def cause(self) -> str | None: ...


@dataclass(frozen=True)
class Attempted:
    """A plain implementation of `Tried`."""

    void: bool
    cause: str | None


@dataclass(frozen=True)
class StackCount:
    """Attempts and takes of one stack. Attempts and all that is counted from them are None without attempts.jsonl.

    `planned` are runs of the campaign, None for a stack that it does not name. An attempt that was void only because
    another run of its block was (`void_with_block`) is not caused by the stack, and does not count as void.
    `comparable` are takes of the scenes that are compared; `mismatched` of these are excluded for a content mismatch
    (None without fidelity.json).
    """

    stack: str
    planned: int | None
    takes: int
    censored: int
    attempts: int | None
    void: int | None
    void_with_block: int | None
    void_causes: Mapping[str, int] | None
    comparable: int = 0
    mismatched: int | None = None

    @property
    def settled(self) -> int:
        return self.takes - self.censored

    @property
    def missing(self) -> int | None:
        """Planned runs without a take."""
        return None if self.planned is None else max(0, self.planned - self.takes)

    @property
    def void_rate(self) -> float | None:
        """Void attempts among all attempts; None where there is no attempt."""
        return None if self.void is None or not self.attempts else self.void / self.attempts

    @property
    def censored_rate(self) -> float | None:
        """Censored takes among all takes; None where there is no take."""
        return self.censored / self.takes if self.takes else None


def count_stack(
    stack: str, *, planned: int | None, settled: Iterable[bool], attempts: Iterable[Tried] | None
) -> StackCount:
    """Counts attempts and takes of a stack; `settled` is whether each take's page settled; others are censored."""
    ends = list(settled)
    takes, censored = len(ends), ends.count(False)
    if attempts is None:
        return StackCount(stack, planned, takes, censored, None, None, None, None)
    tried = list(attempts)
    causes = Counter(attempt.cause or "unknown" for attempt in tried if attempt.void)
    with_block = causes.pop(BLOCK_VOIDED, 0)
    return StackCount(
        stack, planned, takes, censored, len(tried), causes.total(), with_block, dict(sorted(causes.items()))
    )


def differences(counts: Sequence[StackCount]) -> dict[str, RateTest | None]:
    """Computes one test over all stacks for each rate, `void` and `censored`; None where nothing can differ."""
    void = {row.stack: (row.void or 0, (row.attempts or 0) - (row.void or 0)) for row in counts}
    return {
        "void": rate_test(void),
        "censored": rate_test({row.stack: (row.censored, row.settled) for row in counts}),
    }


class TwoStacks(Protocol):
    """Interface of a comparison of two stacks, by name."""

    @property
    def new(self) -> str: ...
    @property
    def reference(self) -> str: ...


P = TypeVar("P", bound=TwoStacks)


@dataclass(frozen=True)
class PairTest(Generic[P]):
    """A test whether two stacks differ in a rate (Fisher's exact test); `p_adjusted` is Holm's over all rows."""

    kind: str
    pair: P
    result: CountTest
    p_adjusted: float | None = None


def pair_tests(counts: Iterable[StackCount], pairs: Iterable[P]) -> list[PairTest[P]]:
    """Tests each pair: void attempts (if known), censored takes, and content mismatches (if there are any)."""
    named = {count.stack: count for count in counts}
    rows: list[PairTest[P]] = []
    for pair in pairs:
        new, reference = named[pair.new], named[pair.reference]
        if None not in (new.attempts, new.void, reference.attempts, reference.void):
            result = compare_shares(new.void or 0, new.attempts or 0, reference.void or 0, reference.attempts or 0)
            rows.append(PairTest(VOID, pair, result))
        result = compare_shares(new.censored, new.takes, reference.censored, reference.takes)
        rows.append(PairTest(CENSORED, pair, result))
        # a test without events cannot reject, and would only weaken the others by the correction
        if new.mismatched or reference.mismatched:
            result = compare_shares(
                new.mismatched or 0, new.comparable, reference.mismatched or 0, reference.comparable
            )
            rows.append(PairTest(MISMATCHED, pair, result))
    adjusted = holm([row.result.p_value for row in rows])
    return [replace(row, p_adjusted=p) for row, p in zip(rows, adjusted, strict=True)]
