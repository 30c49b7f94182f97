"""The stacks of the testbed, from its own table."""

import json
import subprocess
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel_core.comparability.settings import discovers_quic


@dataclass(frozen=True)
class Stack:
    """A line of the testbed's table; `definition` has the fields of the wire report's."""

    name: str
    digest: str
    definition: Mapping[str, object]

    @property
    def discovers(self) -> bool:
        """Whether the browser discovers QUIC by Alt-Svc."""
        return self.way == "alt-svc"

    @property
    def tickets(self) -> bool:
        """Whether servers let a client resume a TLS session."""
        return bool(self.definition.get("tickets"))

    @property
    def way(self) -> str:
        """How the browser is to come to it: `tcp`, `http1`, `quic`, or `alt-svc` where it discovers QUIC by itself."""
        if self.definition["transport"] == "quic":
            return "alt-svc" if discovers_quic(self.definition) else "quic"
        return "http1" if self.definition["http"] == "1.1" else "tcp"


def stacks(testbed: Path) -> dict[str, Stack]:
    """All stacks by name."""
    told = subprocess.run([testbed, "stacks"], capture_output=True, text=True, check=False)
    if told.returncode != 0:
        raise ToolMissingError(
            f"{testbed} does not tell its stacks, so it is older than this package; run make testbed."
        )
    return {
        entry["name"]: Stack(entry["name"], entry["digest"], entry["definition"]) for entry in json.loads(told.stdout)
    }


def chosen(
    known: Mapping[str, Stack], names: Iterable[str], *, source: Path, caches: Collection[str] = ()
) -> dict[str, Stack]:
    """Those of a campaign. Raise BadInputError where one is not known, or cannot have one of its cache modes."""
    found = {}
    for name in names:
        if name not in known:
            raise BadInputError(f'{source}: unknown stack "{name}"; known are {", ".join(known)}.')
        found[name] = known[name]
        if "tickets" in caches and not known[name].tickets:
            with_tickets = ", ".join(one.name for one in known.values() if one.tickets)
            raise BadInputError(
                f'{source}: cache mode "tickets" needs stacks with session tickets, and {name} has none; '
                f"use {with_tickets}, or leave the mode out."
            )
    return found
