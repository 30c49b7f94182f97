"""The stacks of the testbed, from the list that it prints."""

import json
import subprocess
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel_core.comparability.settings import discovers_quic


@dataclass(frozen=True)
class Stack:
    """A stack; `definition` has the fields of the definition in the wire report."""

    name: str
    digest: str
    definition: Mapping[str, object]

    @property
    def discovers(self) -> bool:
        """Returns whether the browser discovers QUIC by Alt-Svc."""
        return self.way == "alt-svc"

    @property
    def tickets(self) -> bool:
        """Returns whether servers let clients resume TLS sessions."""
        return bool(self.definition.get("tickets"))

    @property
    def way(self) -> str:
        """Returns how the browser reaches it: by `tcp`, `http1`, `quic`, or `alt-svc` (it discovers QUIC itself)."""
        if self.definition["transport"] == "quic":
            return "alt-svc" if discovers_quic(self.definition) else "quic"
        return "http1" if self.definition["http"] == "1.1" else "tcp"


def stacks(testbed: Path) -> dict[str, Stack]:
    """Returns all stacks by name."""
    done = subprocess.run([testbed, "stacks"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolMissingError(f"{testbed} cannot list its stacks, so it is older than this package; run make testbed.")
    return {
        entry["name"]: Stack(entry["name"], entry["digest"], entry["definition"]) for entry in json.loads(done.stdout)
    }


def chosen(
    known: Mapping[str, Stack], names: Iterable[str], *, source: Path, caches: Collection[str] = ()
) -> dict[str, Stack]:
    """Returns the stacks with these names; raises BadInputError if one is unknown, or does not support a cache mode."""
    stacks_by_name = {}
    for name in names:
        if name not in known:
            raise BadInputError(f'{source}: unknown stack "{name}"; known are {", ".join(known)}.')
        stacks_by_name[name] = known[name]
        if "tickets" in caches and not known[name].tickets:
            with_tickets = ", ".join(stack.name for stack in known.values() if stack.tickets)
            raise BadInputError(
                f'{source}: cache mode "tickets" needs stacks with session tickets, and {name} has none; '
                f"use {with_tickets}, or leave the mode out."
            )
    return stacks_by_name
