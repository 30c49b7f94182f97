"""What one participant is to see at most once."""

from collections.abc import Sequence
from typing import Protocol

Group = tuple[str, str, str, int, tuple[str, ...]]


class ClipLike(Protocol):
    """A clip of the database, or a plain one."""

    @property
    def kind(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def network(self) -> str: ...
    @property
    def run(self) -> int: ...
    @property
    def stacks(self) -> Sequence[str]: ...


def group_of(clip: ClipLike) -> Group:
    """A clip by itself; both orders of a pair together."""
    return (clip.kind, clip.site, clip.network, clip.run, tuple(sorted(clip.stacks)))
