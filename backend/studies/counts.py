"""Interface through which this app gets counts of sessions and votes from `ratings`."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True)
class SessionCounts:
    """Sessions of people in a fielding, and beside them the simulated ones.

    started >= completed = counted + excluded + over_quota. `counted` sessions fill the quota. `excluded` sessions broke
    a rule, or rated nothing new. The place of `over_quota` sessions is filled by another session.
    """

    started: int = 0
    completed: int = 0
    excluded: int = 0
    over_quota: int = 0
    simulated: int = 0

    @property
    def counted(self) -> int:
        return self.completed - self.excluded - self.over_quota


@dataclass(frozen=True)
class PlayFailures:
    """How often a clip did not play in a kind of browser such as `Firefox 128, Linux`, over all links of a study."""

    site: str
    network: str
    # a stack, or the two of a pair: left, right
    stacks: list[str]
    clip_sha256: str
    browser: str
    # undecodable: no picture; damaged: wrong bytes; gone: not on the server; incomplete: transfer interrupted
    fault: Literal["undecodable", "damaged", "gone", "incomplete"]
    times: int


class Counts(Protocol):
    """Counts of sessions and votes, which `ratings` provides, because this app must not import it."""

    def fieldings_that_yield(self, fieldings: Collection[int], /) -> set[int]: ...

    def sessions_by_fielding(self, fieldings: Collection[int], /) -> dict[int, SessionCounts]: ...

    def unknown_parameters_by_fielding(self, fieldings: Collection[int], /) -> dict[int, dict[str, int]]: ...

    def missing_ids_by_fielding(self, fieldings: Collection[int], /) -> dict[int, int]: ...

    def play_failures_of(self, study_sha256: str, /) -> list[PlayFailures]: ...

    def votes_by_study(self, studies: Collection[str], /) -> dict[str, int]: ...

    def votes_by_stimulus(self, study_sha256: str, /) -> dict[tuple[int, str], int]: ...


_providers: list[Counts] = []


def provide_counts(provider: Counts) -> None:
    """Register the provider; call it once, when the app `ratings` is ready."""
    _providers[:] = [provider]


def counts() -> Counts:
    (provider,) = _providers
    return provider
