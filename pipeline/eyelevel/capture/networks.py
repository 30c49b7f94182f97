"""The networks of a campaign: ours by their names, and those that its file defines. The testbed says what they are."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eyelevel.capture.campaign import CampaignFile
from eyelevel.errors import BadInputError

TRACES = ("up_trace", "down_trace")


@dataclass(frozen=True)
class Network:
    """`file` has the definition as the testbed reads it; None for one that the testbed has itself."""

    name: str
    digest: str
    file: Path | None

    @property
    def arguments(self) -> list[str]:
        """How to tell the testbed's `run` of it."""
        return ["--network", self.name] if self.file is None else ["--network-file", str(self.file)]


def networks(testbed: Path, source: CampaignFile, folder: Path) -> dict[str, Network]:
    """All networks of a campaign by name; the files of its own ones are written into `folder`, their traces with them.

    Raise BadInputError where one is unknown or makes no sense, in the testbed's words.
    """
    own = {name: _write(source.path, name, table, folder) for name, table in source.campaign.own_networks.items()}
    named = [name for name in source.campaign.networks if name not in own]
    told = subprocess.run(
        [testbed, "networks", *asked(named, own.values())], capture_output=True, text=True, check=False
    )
    if told.returncode != 0:
        said = told.stderr.strip().splitlines() or [f"the testbed ended with status {told.returncode}"]
        raise BadInputError(f"{source.path}: {said[-1].removeprefix('eyelevel testbed: ')}.")
    digests = {entry["name"]: entry["digest"] for entry in json.loads(told.stdout)}
    return {name: Network(name, digests[name], own.get(name)) for name in source.campaign.networks}


def asked(named: list[str], files: Any) -> list[str]:
    """How to tell the testbed's `networks` and `calibrate` of several."""
    options = ["--network", ",".join(named)] if named else []
    return [*options, *(word for file in files for word in ("--network-file", str(file)))]


def _write(campaign: Path, name: str, table: Mapping[str, Any], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    value = {"name": name, **table}
    for field in TRACES:
        if field in table:
            trace = campaign.parent / table[field]
            if not trace.is_file():
                raise BadInputError(
                    f"{campaign}: networks.{name}.{field} names {table[field]!r}, which is not at {trace}; "
                    "give a Mahimahi trace, relative to the campaign file."
                )
            value[field] = f"{name}.{field}"
            shutil.copyfile(trace, folder / value[field])
    path = folder / f"{name}.json"
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
    return path
