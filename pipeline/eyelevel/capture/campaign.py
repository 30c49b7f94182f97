"""A campaign file: read strictly, checked against its contract, with defaults filled in and recordings found."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import check, schema, sha256_of_file


@dataclass(frozen=True)
class Site:
    name: str
    recording: Path
    digest: str
    start_url: str | None


@dataclass(frozen=True)
class Campaign:
    """`value` is the file's content, `settings` the same with the contract's defaults and networks by their names.

    `sites` has the recordings, `own_networks` the tables of the networks that the file defines.
    """

    path: Path
    value: dict[str, Any]
    settings: dict[str, Any]
    sites: tuple[Site, ...]
    own_networks: dict[str, dict[str, Any]] = field(default_factory=dict)


def read_campaign(path: Path, recordings: Path | None) -> Campaign:
    """Recordings are looked up relative to the campaign file, then in the folder `recordings`.

    Raise BadInputError or ContractError, with a sentence that names the culprit.
    """
    try:
        value = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read as a campaign: {error}.") from error
    check(value, "campaign.1", source=str(path))
    names = [site["name"] for site in value["sites"]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise BadInputError(f"{path}: two sites are named {twice[0]!r}; names must differ.")
    unknown = sorted({stack for pair in value.get("pairs", []) for stack in pair} - set(value["stacks"]))
    if unknown:
        raise BadInputError(f"{path}: pairs names the stack {unknown[0]!r}, which is not among the campaign's stacks.")
    for table in ("limits_s", "frame_rates"):
        strange = sorted(set(value.get(table, {})) - set(value["networks"]))
        if strange:
            raise BadInputError(f"{path}: {table} names the network {strange[0]!r}, which is not among the campaign's.")
    missing = [entry for entry in value["sites"] if _find(entry, path, recordings) is None]
    if missing:
        raise BadInputError(_missing(missing, path, recordings))
    sites = tuple(_site(entry, path, recordings) for entry in value["sites"])
    own = value["networks"] if isinstance(value["networks"], dict) else {}
    return Campaign(path, value, settings_of(value), sites, {name: table for name, table in own.items() if table})


def settings_of(value: dict[str, Any]) -> dict[str, Any]:
    """The file's content with the contract's defaults, and networks by their names.

    Who names one frame rate gets it on every network.
    """
    filled = {**defaults(), **value, "networks": list(value["networks"])}
    return {**filled, "frame_rates": {}} if "frame_rate" in value and "frame_rates" not in value else filled


def defaults() -> dict[str, Any]:
    """The contract's defaults, by field."""
    fields = schema("campaign.1")["properties"]
    return {name: field["default"] for name, field in fields.items() if "default" in field}


def _site(entry: dict[str, Any], path: Path, recordings: Path | None) -> Site:
    found = _find(entry, path, recordings)
    assert found is not None  # noqa: S101 - what is missing was told before
    return Site(entry["name"], found.resolve(), sha256_of_file(found), entry.get("start_url"))


def _find(entry: dict[str, Any], path: Path, recordings: Path | None) -> Path | None:
    return next((place for place in _places(entry, path, recordings) if place.is_file()), None)


def _places(entry: dict[str, Any], path: Path, recordings: Path | None) -> list[Path]:
    return [path.parent / entry["recording"], *([recordings / entry["recording"]] if recordings else [])]


def _missing(entries: list[dict[str, Any]], path: Path, recordings: Path | None) -> str:
    first, others = entries[0], len(entries) - 1
    looked = " nor ".join(str(place) for place in _places(first, path, recordings))
    more = f", and {others} other recordings are missing, too" if others else ""
    return (
        f"{path}: the recording {first['recording']!r} of site {first['name']!r} is not at {looked}{more}; "
        "give their folder with --recordings."
    )
