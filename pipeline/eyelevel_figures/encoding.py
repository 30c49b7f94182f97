"""Encoding of networks by colour and of stacks by shape, the same in every figure of a study."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Encoding:
    """Names in alphabetical order; the place determines colour and shape."""

    networks: tuple[str, ...]
    stacks: tuple[str, ...]

    def network(self, name: str) -> int:
        return self.networks.index(name)

    def stack(self, name: str) -> int:
        return self.stacks.index(name)


def encoding_of(rows: Iterable[Any]) -> Encoding:
    """Returns the encoding of rows with a network and a stack."""
    listed = list(rows)
    return Encoding(tuple(sorted({row.network for row in listed})), tuple(sorted({row.stack for row in listed})))
