"""The tables of a profile as CSV. Pure."""

from collections.abc import Iterable

from eyelevel.profile.rows import TYPES, RecordingRow, TypeRow
from eyelevel_core.tables import csv_text


def recordings_csv(rows: Iterable[RecordingRow]) -> str:
    """Returns a row per recording; sizes are of bodies as they were sent."""
    columns = ["list", "recording", "objects", "hosts", "addresses", "addresses_by", "body_bytes"]
    return csv_text(
        [*columns, *(f"{name}_bytes" for name in TYPES)],
        [
            [row.panel, row.site, row.objects, row.hosts, row.servers, row.servers_by, row.body_bytes,
             *(row.bytes_by_type[name] for name in TYPES)]
            for row in rows
        ],
    )  # fmt: skip


def types_csv(rows: Iterable[TypeRow]) -> str:
    """Returns a row per list and type; the share of the list's bytes is a fraction."""
    return csv_text(
        ["list", "type", "objects", "body_bytes", "share"],
        [[row.panel, row.type, row.objects, row.body_bytes, row.share] for row in rows],
    )
