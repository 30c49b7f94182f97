"""The networks of downloads: each definition once, with a label that no other one has."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from eyelevel.errors import BadInputError

# of the digest, in the label of a network whose name another one has as well
SHOWN_DIGITS = 8


@dataclass(frozen=True)
class Network:
    """`place` is how the user named it: a name of the testbed's table, or the path of a JSON file.

    `label` is its name, with the first digits of the definition's digest where another network shares the name.
    """

    place: str
    label: str

    @property
    def options(self) -> list[str]:
        """How to tell the testbed of it."""
        return options(self.place)


class Named(NamedTuple):
    """A network as the testbed prints it: its name, and the digest of its definition."""

    name: str
    digest: str


def networks(testbed: Path, places: Sequence[str]) -> list[Network]:
    """The networks in the order given. Raise BadInputError, in the testbed's words, where one makes no sense."""
    return labelled({place: _entry(testbed, place) for place in places})


def labelled(entries: Mapping[str, Named]) -> list[Network]:
    """`entries` has name and digest by place; a definition that is given twice is kept once. Pure."""
    first: dict[str, str] = {}
    for place, entry in entries.items():
        first.setdefault(entry.digest, place)
    # two names share a name here where their figures would share a file
    shared = Counter(file_name(entries[place].name).lower() for place in first.values())
    found = []
    for digest, place in first.items():
        name = entries[place].name
        alone = shared[file_name(name).lower()] == 1
        found.append(Network(place, name if alone else f"{name} {digest[:SHOWN_DIGITS]}"))
    return found


def file_name(label: str) -> str:
    """The label as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", label)


def options(place: str) -> list[str]:
    return ["--network-file" if place.endswith(".json") else "--network", place]


def _entry(testbed: Path, place: str) -> Named:
    told = subprocess.run([testbed, "networks", *options(place)], capture_output=True, text=True, check=False)
    if told.returncode != 0:
        said = told.stderr.strip().splitlines() or [f"the testbed ended with status {told.returncode}"]
        raise BadInputError(f"--network {place}: {said[-1].removeprefix('eyelevel testbed: ')}.")
    entry = json.loads(told.stdout)[0]
    return Named(entry["name"], entry["digest"])
