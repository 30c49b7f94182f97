"""The networks of a campaign: those of the testbed by name, and those that the file defines."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from eyelevel.capture.planning.campaign_file import CampaignFile
from eyelevel.errors import BadInputError

TRACES = ("up_trace", "down_trace")


@dataclass(frozen=True)
class Network:
    """`file` has the definition as the testbed reads it; None for one that the testbed has itself.

    `definition` is as the testbed prints it: a trace by its digest, length and number of lines.
    """

    name: str
    digest: str
    file: Path | None
    definition: Mapping[str, object] = field(default_factory=dict)

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
    known = {entry["name"]: entry for entry in json.loads(told.stdout)}
    return {
        name: Network(name, known[name]["digest"], own.get(name), known[name]["definition"])
        for name in source.campaign.networks
    }


def written(source: CampaignFile, known: Mapping[str, Network], folder: Path) -> dict[str, Network]:
    """The same networks, with the files of the campaign's own ones in `folder`."""
    own = {name: _write(source.path, name, table, folder) for name, table in source.campaign.own_networks.items()}
    return {name: replace(network, file=own.get(name)) for name, network in known.items()}


def asked(named: list[str], files: Iterable[Path]) -> list[str]:
    """How to tell the testbed's `networks` and `calibrate` of several."""
    options = ["--network", ",".join(named)] if named else []
    return [*options, *(word for file in files for word in ("--network-file", str(file)))]


def _write(campaign: Path, name: str, table: Mapping[str, object], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    value: dict[str, object] = {"name": name, **table}
    for key in TRACES:
        if key in table:
            trace = campaign.parent / str(table[key])
            if not trace.is_file():
                raise BadInputError(
                    f"{campaign}: networks.{name}.{key} names {table[key]!r}, which is not at {trace}; "
                    "give a Mahimahi trace, relative to the campaign file."
                )
            value[key] = f"{name}.{key}"
            shutil.copyfile(trace, folder / f"{name}.{key}")
    path = folder / f"{name}.json"
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
    return path
