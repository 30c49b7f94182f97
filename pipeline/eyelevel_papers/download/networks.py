"""The networks of downloads: each definition once, with a unique label."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from eyelevel.errors import BadInputError

# digits of the digest in the label of a network that shares its name with another one
SHOWN_DIGITS = 8


@dataclass(frozen=True)
class Network:
    """A network. `place` is the user's name for it: a name of the testbed's table, or the path of a JSON file.

    `label` is its name, with the first digits of the definition's digest where another network shares the name.
    """

    place: str
    label: str

    @property
    def options(self) -> list[str]:
        """The options that name the network to the testbed."""
        return options(self.place)


class Named(NamedTuple):
    """A network as the testbed prints it: its name, and the digest of its definition."""

    name: str
    digest: str


def networks(testbed: Path, places: Sequence[str]) -> list[Network]:
    """Returns the networks in the given order. Raise BadInputError, with the testbed's message, for an invalid one."""
    return labelled({place: _entry(testbed, place) for place in places})


def labelled(entries: Mapping[str, Named]) -> list[Network]:
    """Labels networks: `entries` has name and digest by place; a definition that is given twice is kept once. Pure."""
    first: dict[str, str] = {}
    for place, entry in entries.items():
        first.setdefault(entry.digest, place)
    # names count as equal where their figures would have the same file name
    shared = Counter(file_name(entries[place].name).lower() for place in first.values())
    labels = []
    for digest, place in first.items():
        name = entries[place].name
        alone = shared[file_name(name).lower()] == 1
        labels.append(Network(place, name if alone else f"{name} {digest[:SHOWN_DIGITS]}"))
    return labels


def file_name(label: str) -> str:
    """Returns the label as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", label)


def options(place: str) -> list[str]:
    return ["--network-file" if place.endswith(".json") else "--network", place]


def _entry(testbed: Path, place: str) -> Named:
    process = subprocess.run([testbed, "networks", *options(place)], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        lines = process.stderr.strip().splitlines() or [f"the testbed ended with status {process.returncode}"]
        raise BadInputError(f"--network {place}: {lines[-1].removeprefix('eyelevel testbed: ')}.")
    entry = json.loads(process.stdout)[0]
    return Named(entry["name"], entry["digest"])
