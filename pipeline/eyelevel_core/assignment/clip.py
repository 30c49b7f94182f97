"""Clips of a batch as studies choose them, and the key by which a participant sees a stimulus at most once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from eyelevel_core.model.device import DESKTOP

Setting = tuple[str, str, str, tuple[str, ...]]


class ClipLike(Protocol):
    """Interface of a clip, which can be a database row or a plain object."""

    @property
    def kind(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def network(self) -> str: ...
    @property
    def stacks(self) -> Sequence[str]: ...


def setting_of(clip: ClipLike) -> Setting:
    """The key by which a participant sees a stimulus at most once: kind, site, network, stacks.

    A pair has both stacks, in any order. The run does not matter.
    """
    return (clip.kind, clip.site, clip.network, tuple(sorted(clip.stacks)))


@dataclass(frozen=True)
class Clip:
    """A clip of the batch for participants; `takes` (digests) and `stacks` are left, then right for a pair.

    `purpose` is study, identical or control. `role` says why the run was chosen, e.g. medoid; None where not known.
    `device` is the name of the device profile on which its site was captured.
    `si_ms` are the Speed Indexes of the takes, None where unknown; `delays_ms` by how much a side of a control clip
    starts later; `moving` whether a page has motion that never ends, None where not known.
    """

    sha256: str
    kind: str
    site: str
    network: str
    run: int
    stacks: tuple[str, ...]
    takes: tuple[str, ...]
    duration_ms: float
    purpose: str = "study"
    role: str | None = None
    si_ms: tuple[float | None, ...] = ()
    delays_ms: tuple[float, ...] = ()
    moving: bool | None = None
    device: str = DESKTOP.name

    @property
    def setting(self) -> Setting:
        return setting_of(self)


@dataclass(frozen=True)
class Chosen:
    """A clip that a block of trials (its number from 0) shows in a context, as main, identical, control or training."""

    block: int
    kind: str
    context: str
    clip: Clip
    role: str = "main"
