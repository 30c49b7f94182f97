"""Networks of a campaign: built-in networks of the testbed, and networks that the campaign file defines."""

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
    """A network; `file` has the definition for the testbed, or is None for a built-in network.

    `definition` is as the testbed prints it: a trace by its digest, length and number of lines.
    """

    name: str
    digest: str
    file: Path | None
    definition: Mapping[str, object] = field(default_factory=dict)

    @property
    def arguments(self) -> list[str]:
        """The arguments that select the network in the testbed's `run`."""
        return ["--network", self.name] if self.file is None else ["--network-file", str(self.file)]


def networks(testbed: Path, source: CampaignFile, folder: Path) -> dict[str, Network]:
    """Returns all networks of a campaign by name; writes the networks that it defines, with traces, into `folder`.

    Raises BadInputError with the testbed's message if a network is unknown or invalid.
    """
    files = {name: _write(source.path, name, table, folder) for name, table in source.campaign.own_networks.items()}
    named = [name for name in source.campaign.networks if name not in files]
    completed = subprocess.run(
        [testbed, "networks", *asked(named, files.values())], capture_output=True, text=True, check=False
    )
    if completed.returncode != 0:
        printed = completed.stderr.strip().splitlines() or [f"the testbed ended with status {completed.returncode}"]
        raise BadInputError(f"{source.path}: {printed[-1].removeprefix('eyelevel testbed: ')}.")
    known = {entry["name"]: entry for entry in json.loads(completed.stdout)}
    return {
        name: Network(name, known[name]["digest"], files.get(name), known[name]["definition"])
        for name in source.campaign.networks
    }


def written(source: CampaignFile, known: Mapping[str, Network], folder: Path) -> dict[str, Network]:
    """Returns the same networks, with the files of those that the campaign defines in `folder`."""
    files = {name: _write(source.path, name, table, folder) for name, table in source.campaign.own_networks.items()}
    return {name: replace(network, file=files.get(name)) for name, network in known.items()}


def asked(named: list[str], files: Iterable[Path]) -> list[str]:
    """Returns the arguments that select several networks in the testbed's `networks` and `calibrate`."""
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
