"""The interface by which this app asks `ratings` about sessions and votes."""

from collections.abc import Collection
from typing import Protocol


class Counts(Protocol):
    """What participants did and gave. `ratings` provides it, since this app is below it and cannot import it."""

    def fieldings_that_yield(self, fieldings: Collection[int], /) -> set[int]: ...

    def sessions_by_fielding(self, fieldings: Collection[int], /) -> dict[int, tuple[int, int]]: ...

    def unknown_parameters_by_fielding(self, fieldings: Collection[int], /) -> dict[int, dict[str, int]]: ...

    def missing_ids_by_fielding(self, fieldings: Collection[int], /) -> dict[int, tuple[str, int]]: ...

    def votes_by_study(self, studies: Collection[str], /) -> dict[str, int]: ...

    def votes_by_stimulus(self, study_sha256: str, /) -> dict[tuple[int, str], int]: ...


_providers: list[Counts] = []


def provide_counts(provider: Counts) -> None:
    """Called once, when the app `ratings` is ready."""
    _providers[:] = [provider]


def counts() -> Counts:
    (provider,) = _providers
    return provider
