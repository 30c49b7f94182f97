"""A campaign file: read strictly, checked against its contract, with defaults filled in and recordings found."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eyelevel.errors import BadInputError
from eyelevel_contracts import check, schema, sha256_of_file


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
    strange = sorted(set(value.get("limits_s", {})) - set(value["networks"]))
    if strange:
        raise BadInputError(f"{path}: limits_s names the network {strange[0]!r}, which is not among the campaign's.")
    sites = tuple(_site(entry, path, recordings) for entry in value["sites"])
    own = (
        {name: table for name, table in value["networks"].items() if table}
        if isinstance(value["networks"], dict)
        else {}
    )
    return Campaign(path, value, {**defaults(), **value, "networks": list(value["networks"])}, sites, own)


def defaults() -> dict[str, Any]:
    """The contract's defaults, by field."""
    fields = schema("campaign.1")["properties"]
    return {name: field["default"] for name, field in fields.items() if "default" in field}


def _site(entry: dict[str, Any], path: Path, recordings: Path | None) -> Site:
    places = [path.parent / entry["recording"], *([recordings / entry["recording"]] if recordings else [])]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        looked = " nor ".join(str(place) for place in places)
        raise BadInputError(
            f"{path}: the recording {entry['recording']!r} of site {entry['name']!r} is not at {looked}; "
            "give its folder with --recordings."
        )
    return Site(entry["name"], found.resolve(), sha256_of_file(found), entry.get("start_url"))
