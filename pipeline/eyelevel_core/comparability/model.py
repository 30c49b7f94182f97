"""Served content of a take, and findings of fidelity.json, as plain values. None means unknown."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from eyelevel_core.model.scene import ContentMismatch, Scene
from eyelevel_core.model.take import Fidelity

# Chromium's errors for packets that were lost or late: a network and a stack can cause them. Other errors
# (names, certificates, protocols, addresses) are faults of the testbed.
NETWORK_ERRORS = frozenset(
    f"net::ERR_{name}"
    for name in (
        "TIMED_OUT",
        "CONNECTION_TIMED_OUT",
        "CONNECTION_ABORTED",
        "CONNECTION_CLOSED",
        "CONNECTION_FAILED",
        "CONNECTION_RESET",
        "EMPTY_RESPONSE",
        "HTTP2_PING_FAILED",
        "QUIC_HANDSHAKE_FAILED",
        "QUIC_PROTOCOL_ERROR",
        "SOCKET_NOT_CONNECTED",
    )
)


class Replayed(Protocol):
    """The part of a take that comparability depends on; `path` is its folder inside the batch."""

    @property
    def path(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def network(self) -> str: ...
    @property
    def stack(self) -> str: ...
    @property
    def fidelity(self) -> Fidelity: ...


@dataclass(frozen=True)
class ReplayedTake:
    """A plain implementation of `Replayed`."""

    path: str
    site: str
    network: str
    stack: str
    fidelity: Fidelity


@dataclass(frozen=True)
class SettingsMismatch:
    """Two takes of a scene whose wire reports differ in settings that their stacks' definitions do not explain."""

    site: str
    network: str
    cache: str
    take: str
    than: str
    how: Sequence[str]


@dataclass(frozen=True)
class Findings:
    """The content of fidelity.json.

    `takes` are the paths of all takes that capture examined, `content_mismatches` are by path. `network_failed` are
    takes in which the network failed a request; their content was not judged.
    """

    takes: Set[str]
    content_mismatches: Mapping[str, ContentMismatch]
    settings_mismatches: Sequence[SettingsMismatch]
    network_failed: Set[str] = frozenset()

    @classmethod
    def of(cls, scenes: Iterable[Scene]) -> "Findings":
        scenes = tuple(scenes)
        return cls(
            takes=frozenset(take for scene in scenes for take in scene.takes),
            content_mismatches={difference.take: difference for scene in scenes for difference in scene.differences},
            settings_mismatches=[
                SettingsMismatch(
                    scene.site, scene.network, scene.cache, difference.take, difference.than, difference.how
                )
                for scene in scenes
                for difference in scene.settings_differ
            ],
            network_failed=frozenset(take for scene in scenes for take in scene.network_failed),
        )
