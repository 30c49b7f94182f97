"""The stacks of a campaign."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.stacks import Stack, stacks

__all__ = ["Stack", "chosen", "stacks"]


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
