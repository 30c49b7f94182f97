"""What takes were served, and what fidelity.json says of their scenes, as plain values. Unknown is None."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from eyelevel_core.model.take import Fidelity


class Replayed(Protocol):
    """A take as far as it is judged by what it was served; `path` is its folder inside the batch."""

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
class Answer:
    """What a request before load was answered with: a recorded URL, a status, and the bytes of a body."""

    url: str
    status: int
    body_bytes: int


@dataclass(frozen=True)
class ServedOtherwise:
    """What a take lacks of the answers that most takes of its scene got, and what it has beyond them."""

    lacks: Sequence[Answer]
    adds: Sequence[Answer]


@dataclass(frozen=True)
class Unlike:
    """Two takes of a scene whose wire reports differ in settings that their stacks' definitions do not explain."""

    site: str
    network: str
    cache: str
    take: str
    than: str
    how: Sequence[str]


@dataclass(frozen=True)
class Parity:
    """What fidelity.json says of the takes that it has looked at: `served_otherwise` by path, and scenes unlike.

    `network_failed` are the takes in which the network failed a request; what these were served was not judged.
    """

    takes: Set[str]
    served_otherwise: Mapping[str, ServedOtherwise]
    unlike: Sequence[Unlike]
    network_failed: Set[str] = frozenset()
