"""Rows of plays.parquet: a play with its playback telemetry."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from analysis.snapshots.verdicts import yes_or_no
from eyelevel_core.contracts.columns import play_columns
from eyelevel_stats.conformance import Spell, covered_ms
from ratings.models import Play, Vote

Row = tuple[Any, ...]
NAMES = [column.name for column in play_columns()]
RECEIVED_AT = NAMES.index("received_at")
SESSION_ID = NAMES.index("session_id")
# column of an export <- field of a play
OWN = {
    "play_id": "id",
    "session_id": "trial__session_id",
    "study_sha256": "trial__session__fielding__study_id",
    "position": "trial__position",
    "role": "trial__role",
    "trial_kind": "trial__kind",
    "clip_sha256": "trial__stimulus__clip__sha256",
    "group": "trial__session__fielding__group",
    "origin": "trial__session__origin",
    "replay": "replay",
    "started_at": "started_at",
    "ended_at": "ended_at",
    "received_at": "received_at",
    "frames_presented": "frames_presented",
    "frames_dropped": "frames_dropped",
}
SPELLS = ("stalls", "hidden", "unfocused", "pauses")


def play_rows(study_sha256: str) -> Iterator[Row]:
    """Every play of the sessions with a vote, in the order of NAMES; who left no vote is told nothing of."""
    voted = Exists(Vote.objects.filter(session=OuterRef("trial__session")))
    found = Play.objects.filter(voted, trial__session__fielding__study=study_sha256)
    for evidence, *rest in found.values_list("evidence", *OWN.values()).iterator(chunk_size=5000):
        cells = dict(zip(OWN, rest, strict=True)) | _told(evidence)
        for name in ("play_id", "session_id"):
            cells[name] = str(cells[name])
        cells["replay"] = yes_or_no(cells["replay"])
        yield tuple(map(cells.get, NAMES))


def _told(evidence: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns that come from the evidence; empty without evidence."""
    if not evidence:
        return {}
    stalls_ms = [stall["ms"] for stall in evidence["stalls"]]
    return {
        "evidence_version": evidence["version"],
        **{name: yes_or_no(evidence[name]) for name in ("complete", "off_speed", "frame_callback")},
        **{name: evidence[name] for name in ("media_ms", "wall_ms", "off_speed_ms", "device_pixel_ratio", "zoom")},
        "refresh_hz": evidence["refresh_hz"],
        "stall_count": len(stalls_ms),
        "longest_stall_ms": max(stalls_ms, default=0),
        "away_ms": covered_ms(_spells(evidence["hidden"]) + _spells(evidence["unfocused"])),
        **{name: json.dumps(evidence[name], sort_keys=True) for name in SPELLS},
        **{f"shown_{name}": evidence["shown"][name] for name in ("width_px", "height_px", "scale", "device_scale")},
        **{
            f"{thing}_{name}": int(evidence[thing][name])
            for thing in ("window", "screen")
            for name in ("width_px", "height_px")
        },
    }


def _spells(told: Sequence[Mapping[str, float]]) -> tuple[Spell, ...]:
    return tuple(Spell(at_ms=one["at_ms"], ms=one["ms"]) for one in told)
