"""Pairs of a bench that are stored, so that a later call goes on with them: only those of the same builds."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

# what a pair was measured with: name and SHA-256 of each program
Builds = Mapping[str, str]


def read(file: Path, builds: Builds) -> dict[str, list[float]]:
    """The log ratios of each stack. `builds` are those of the call.

    SystemExit, with one sentence, where the pairs are of other builds or cannot be read.
    """
    cure = "name another file, or delete this one to begin again"
    try:
        found = json.loads(file.read_text())
        measured = {name: str(found["builds"][name]) for name in builds}
        logs = {str(stack): [float(value) for value in values] for stack, values in found["logs"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise SystemExit(f"{file} does not hold pairs with the builds that they were measured with; {cure}.") from None
    for name, digest in builds.items():
        if measured[name] != digest:
            raise SystemExit(
                f"{file} holds pairs of another {name} (SHA-256 {measured[name][:12]}, this one has {digest[:12]}); "
                f"{cure}."
            )
    return logs


def write(file: Path, builds: Builds, logs: Mapping[str, Sequence[float]]) -> None:
    """Store them all; a call that is killed meanwhile leaves the file as it was."""
    part = file.with_name(f"{file.name}.part")
    part.write_text(
        json.dumps({"builds": dict(builds), "logs": {stack: list(values) for stack, values in logs.items()}})
    )
    part.replace(file)
