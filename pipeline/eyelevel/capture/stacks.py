"""The stacks of a campaign."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from eyelevel.errors import BadInputError
from eyelevel.stacks import Stack, stacks

__all__ = ["Stack", "chosen", "stacks"]


def chosen(known: Mapping[str, Stack], names: Iterable[str], *, source: Path) -> dict[str, Stack]:
    """Those of a campaign. Raise BadInputError where one is not known."""
    for name in names:
        if name not in known:
            raise BadInputError(f'{source}: unknown stack "{name}"; known are {", ".join(known)}.')
    return {name: known[name] for name in names}
