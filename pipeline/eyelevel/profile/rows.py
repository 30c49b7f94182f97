"""The profile of a recording. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.recorded import Response, is_html, servers

DATA = {"application/json", "application/ld+json", "application/xml", "text/xml", "application/manifest+json"}
TYPES = ("document", "style", "script", "image", "font", "media", "data", "other")


@dataclass(frozen=True)
class RecordingRow:
    """The profile of one recording, of its first visit only.

    `panel` is its list. `objects` are recorded responses, with redirects. `body_bytes` are bodies as they were sent.
    `servers` is the number of addresses that replay gives the hosts, and `servers_by` how they were determined:
    recorded, or one per host. `bytes_by_type` and `objects_by_type` have all of TYPES.
    """

    panel: str
    site: str
    objects: int
    hosts: int
    servers: int
    servers_by: str
    body_bytes: int
    bytes_by_type: Mapping[str, int]
    objects_by_type: Mapping[str, int]


@dataclass(frozen=True)
class TypeRow:
    """All objects of one type in the recordings of a list; the share is None if the list downloads nothing."""

    panel: str
    type: str
    objects: int
    body_bytes: int
    share: float | None


def recording_row(panel: str, site: str, responses: Sequence[Response]) -> RecordingRow:
    """Returns the profile of a recording with these responses."""
    first = [response for response in responses if response.visit == 1]
    types = [type_of(response.media_type) for response in first]
    placed = servers(first)
    return RecordingRow(
        panel=panel,
        site=site,
        objects=len(first),
        hosts=len({response.host for response in first}),
        servers=placed.number,
        servers_by=placed.by,
        body_bytes=sum(response.body_bytes for response in first),
        bytes_by_type={
            name: sum(response.body_bytes for response, kind in zip(first, types, strict=True) if kind == name)
            for name in TYPES
        },
        objects_by_type={name: types.count(name) for name in TYPES},
    )


def type_of(media_type: str | None) -> str:
    """Returns which of TYPES a media type (RFC 6838) belongs to; other if it is None."""
    top, _, sub = (media_type or "").partition("/")
    fits = {
        "document": is_html(media_type or ""),
        "style": media_type == "text/css",
        "script": "javascript" in sub or "ecmascript" in sub,
        "image": top == "image",
        "font": top == "font" or "font" in sub,
        "media": top in {"video", "audio"},
        "data": media_type in DATA or sub.endswith("+json"),
    }
    return next((name for name in TYPES if fits.get(name)), "other")


def type_rows(rows: Sequence[RecordingRow]) -> list[TypeRow]:
    """Returns the rows by list, in the order of `rows`, then by type."""
    result = []
    for panel in dict.fromkeys(row.panel for row in rows):
        in_panel = [row for row in rows if row.panel == panel]
        total = sum(row.body_bytes for row in in_panel)
        for name in TYPES:
            size = sum(row.bytes_by_type[name] for row in in_panel)
            objects = sum(row.objects_by_type[name] for row in in_panel)
            result.append(TypeRow(panel, name, objects, size, size / total if total else None))
    return result
