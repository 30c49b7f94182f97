"""What one participant is to see at most once."""

from collections.abc import Sequence
from typing import Protocol

Setting = tuple[str, str, str, tuple[str, ...]]


class ClipLike(Protocol):
    """A clip of the database, or a plain one."""

    @property
    def kind(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def network(self) -> str: ...
    @property
    def stacks(self) -> Sequence[str]: ...


def setting_of(clip: ClipLike) -> Setting:
    """Site, network and stack; of a pair both stacks, whatever their order. Which run is shown does not matter."""
    return (clip.kind, clip.site, clip.network, tuple(sorted(clip.stacks)))
