"""Read a batch folder: its campaign, its takes by their contract, their wire reports, and the ledger of attempts."""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from eyelevel.compare.ledger import read_attempts
from eyelevel.compare.model import Batch, Campaign, Load
from eyelevel.compare.traffic import traffic
from eyelevel.errors import BadInputError
from eyelevel.fidelity_file import read_findings
from eyelevel.files import read_object
from eyelevel_core.comparability.model import Fidelity
from eyelevel_core.contracts import check, schema, sha256_of_bytes, sha256_of_file, sha256_of_json

# first visits keep the plain name
FOLDERS = {"cold": "run", "warm": "warm"}


def read_batch(folder: Path, watch: Callable[[Sequence[Path]], Iterable[Path]] = iter) -> Batch:
    """Raise BadInputError or ContractError, naming the file, where something is missing, broken or contradictory.

    `watch` passes on the takes' paths one by one, and may tell of it.
    """
    campaign = _campaign(folder / "campaign.toml")
    paths = sorted((folder / "takes").glob("*/*/*/*/take.json"))
    values = {path: _take(path, folder) for path in watch(paths)}
    if not values:
        raise BadInputError(f"{folder} holds no take; give the folder that eyelevel capture made.")
    loads = [_load(path, value, folder) for path, value in values.items()]
    for load in loads:
        if load.network not in campaign.limits_ms:
            raise BadInputError(
                f"{folder / load.path} is over {load.network}, which campaign.toml does not name; "
                "give the batch its own campaign back."
            )
    networks = list(campaign.networks)
    loads.sort(key=lambda load: (load.site, networks.index(load.network), load.stack, load.cache, load.run))
    digest, remarks = _manifest(folder / "manifest.json", {load.digest for load in loads})
    return Batch(
        campaign=campaign,
        digest=digest,
        takes_digest=sha256_of_json(sorted(load.digest for load in loads)),
        loads=loads,
        attempts=read_attempts(folder / "attempts.jsonl"),
        findings=read_findings(folder / "fidelity.json"),
        networks=_named("network", values),
        stacks=_named("stack", values),
        remarks=remarks,
    )


def _campaign(path: Path) -> Campaign:
    try:
        value = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise BadInputError(f"{path} is missing; give the folder that eyelevel capture made.") from None
    except (ValueError, OSError) as error:
        raise BadInputError(f"{path} cannot be read: {error}.") from error
    check(value, "campaign.1", source=str(path))
    defaults = {name: field.get("default") for name, field in schema("campaign.1")["properties"].items()}
    whole = {**defaults, **value}
    networks = tuple(_name(network) for network in whole["networks"])
    return Campaign(
        name=whole["name"],
        seed=whole["seed"],
        runs=whole["runs"],
        caches=tuple(whole["cache"]),
        limits_ms={name: whole["limits_s"].get(name, whole["limit_s"]) * 1000 for name in networks},
        min_exact=whole["min_exact_share"],
        paired=whole["paired"],
        pairs=tuple((pair[0], pair[1]) for pair in whole["pairs"]),
        sites=tuple(_name(site) for site in whole["sites"]),
        networks=networks,
        stacks=tuple(_name(stack) for stack in whole["stacks"]),
    )


def _name(value: Any) -> str:
    """A network or stack is a name, or a table of its own with a name."""
    return str(value["name"] if isinstance(value, dict) else value)


def _take(path: Path, folder: Path) -> dict[str, Any]:
    value = read_object(path)
    check(value, "take.1", source=str(path))
    here = path.parent.relative_to(folder).parts[1:]
    says = (
        value["site"],
        value["network"]["name"],
        value["stack"]["name"],
        f"{FOLDERS[value['cache']]}-{value['run']:02d}",
    )
    if here != says:
        raise BadInputError(f"{path.parent} holds the take of {'/'.join(says)}; put it there or remove it.")
    return value


def _load(path: Path, value: dict[str, Any], folder: Path) -> Load:
    return Load(
        path=path.parent.relative_to(folder).as_posix(),
        digest=sha256_of_json(value),
        site=value["site"],
        recording=value["recording"],
        network=value["network"]["name"],
        stack=value["stack"]["name"],
        cache=value["cache"],
        run=value["run"],
        settled=value["outcome"] == "settled",
        metrics={name.removesuffix("_ms"): ms for name, ms in value["metrics"].items()},
        fidelity=Fidelity.of(value),
        traffic=traffic(_wire(path.parent / "wire.json", value)),
        frame_rate=value["film"]["frame_rate"],
        lost_frames=value["film"]["lost_frames"],
        zero_error_ms=value["film"]["zero_error_ms"],
        clock_error_ms=value["film"].get("clock_error_ms"),
        tools=value["provenance"]["tools"],
    )


def _wire(path: Path, take: dict[str, Any]) -> dict[str, Any] | None:
    listed = take["files"].get("wire.json")
    if listed is None:
        return None
    if not path.is_file() or sha256_of_file(path) != listed["sha256"]:
        raise BadInputError(f"{path} is missing or not what take.json lists (other bytes); capture the take again.")
    return read_object(path)


def _named(noun: str, values: dict[Path, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        if found.setdefault(value[noun]["name"], value[noun])["digest"] != value[noun]["digest"]:
            raise BadInputError(
                f"{path}: another take means something else by the {noun} {value[noun]['name']}; "
                "takes of two definitions cannot be compared."
            )
    return dict(sorted(found.items()))


def _manifest(path: Path, digests: set[str]) -> tuple[str | None, list[str]]:
    if not path.is_file():
        return None, ["The batch has no manifest yet: the report names its takes only."]
    value = read_object(path)
    check(value, "batch.1", source=str(path))
    if {take["digest"] for take in value["takes"]} != digests:
        return None, ["The manifest is not of these takes, as the campaign went on after it: it is not named here."]
    return sha256_of_bytes(path.read_bytes()), []
