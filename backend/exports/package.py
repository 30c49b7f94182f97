"""The files manifest.json and datapackage.json: digests, numbers of rows, and schemas of all files of an export."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.models import Result
from exports.data_dictionary import Described
from eyelevel_core.contracts import check

MANIFEST_JSON, DATAPACKAGE_JSON = "manifest.json", "datapackage.json"
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".parquet": "application/vnd.apache.parquet",
}
# type of a column -> the type of a field in Frictionless Table Schema
FIELD_TYPES: Mapping[str, Mapping[str, object]] = {
    "uuid": {"type": "string", "format": "uuid"},
    "sha256": {"type": "string", "constraints": {"pattern": "[0-9a-f]{64}"}},
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "datetime": {"type": "datetime", "format": "any"},
}


@dataclass(frozen=True)
class Facts:
    """Digest and size of a file of an export; `rows` of a table, without its header."""

    sha256: str
    bytes: int
    rows: int | None = None


def manifest(result: Result, files: Mapping[str, Facts], *, collecting: bool) -> dict[str, object]:
    """The value of manifest.json, by the contract eyelevel/export/1."""
    value = {
        "contract": "eyelevel/export/1",
        "study_sha256": result.snapshot.study_id,
        "snapshot_sha256": result.snapshot_id,
        "method_version": result.method_version,
        "origin": result.origin,
        "collecting": collecting,
        "files": {
            name: {"sha256": facts.sha256, "bytes": facts.bytes} | ({} if facts.rows is None else {"rows": facts.rows})
            for name, facts in sorted(files.items())
        },
    }
    check(value, "export.1", source=MANIFEST_JSON)
    return value


def datapackage(result: Result, files: Mapping[str, Facts], described: Sequence[Described]) -> dict[str, object]:
    """A Frictionless Data Package (https://specs.frictionlessdata.io, version 1) of all files.

    In the CSV files, text that a spreadsheet would interpret as a formula begins with an apostrophe.
    """
    return {
        "profile": "data-package",
        "name": re.sub(r"[^a-z0-9._-]", "-", f"eyelevel-{result.snapshot.study.name}".lower()),
        "id": result.snapshot_id,
        "title": f"Eyelevel export: {result.snapshot.study.name}",
        "created": result.snapshot.created_at.isoformat().replace("+00:00", "Z"),
        "resources": [
            _resource(name, facts, [row for row in described if row[0] == name])
            for name, facts in sorted(files.items())
        ],
    }


def _resource(name: str, facts: Facts, described: Sequence[Described]) -> dict[str, object]:
    suffix = name[name.rindex(".") :]
    resource: dict[str, object] = {
        "name": _resource_name(name),
        "path": name,
        "format": suffix[1:],
        "mediatype": MEDIA_TYPES[suffix],
        "bytes": facts.bytes,
        "hash": f"sha256:{facts.sha256}",
    }
    if facts.rows is not None:
        resource["rows"] = facts.rows
    if suffix == ".csv":
        resource |= {"profile": "tabular-data-resource", "encoding": "utf-8"}
        resource["schema"] = {"fields": [_field(row) for row in described], "missingValues": [""]}
    return resource


def _resource_name(name: str) -> str:
    """A name of lower-case letters, digits and hyphens; names of stacks that differ by a plus sign stay distinct."""
    stem = name.removesuffix(".csv") if name.endswith(".csv") else name.replace(".", "-")
    return re.sub(r"[^a-z0-9_-]", "-", stem.lower().replace("+", "-plus"))


def _field(described: Described) -> dict[str, object]:
    _, name, kind, unit, text = described
    of_unit = {"unit": unit} if unit else {}
    return {"name": name, **FIELD_TYPES[kind], "description": text, **of_unit}
