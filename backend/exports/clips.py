"""clips.csv: metrics and provenance of every clip of the study."""

import json
from collections.abc import Iterator
from typing import Any

from analysis.snapshots.shown import clip_cells
from eyelevel_core.contracts.columns import export_columns
from eyelevel_core.model.metrics import CLIP_FIELDS, FIELDS
from eyelevel_core.tables import Column
from stimuli.blobs import is_stored, read
from stimuli.models import BatchFile, Clip, Take
from studies.models import Study

CLIPS_CSV = "clips.csv"
EXACT = "share of the requests begun before load that the replay answered exactly; empty if unknown"
OWN = (
    Column("clip_sha256", "sha256", None, "SHA-256 of the clip's file, as in votes.csv"),
    Column("batch_sha256", "sha256", None, "batch that contains the clip"),
    Column("kind", "string", None, "single or pair"),
    Column("site", "string", None, "site that the clip shows"),
    Column("network", "string", None, "emulated network"),
    Column("run", "integer", None, "run that the clip shows, from 1; for a pair, the run of the first stack"),
    Column("run_role", "string", None, "why this run is shown: medoid, q25 or q75; empty if the batch has no role"),
    Column("purpose", "string", None, "study, identical (one stack beside itself) or control (delayed on purpose)"),
    Column("roles", "string", None, "roles of the clip in the study, separated by spaces"),
    Column("contexts", "string", None, "contexts in which the study asks about it, separated by spaces"),
    Column("device", "string", None, "device profile on which the site was captured"),
    Column("width_px", "integer", "px", "width of the clip, in CSS pixels of the page"),
    Column("height_px", "integer", "px", "height of the clip, in CSS pixels of the page"),
    Column("frame_rate", "number", "1/s", "frames per second"),
    Column("take_sha256", "sha256", None, "digest of the take that is shown; for a pair, the left one"),
    Column("right_take_sha256", "sha256", None, "digest of a pair's right take; empty for a single clip"),
    Column("exact_share", "number", None, f"{EXACT}; for a pair, of the left take"),
    Column("right_exact_share", "number", None, f"{EXACT}; of a pair's right take"),
)
SIDES = ("", "left_", "right_")
OF_TAKE = ("stack", "delay_ms", "settled", *FIELDS, *CLIP_FIELDS.values())
OF_CLIP = {"start_ms", "duration_ms", "cut", "moving", *(f"{side}{name}" for side in SIDES for name in OF_TAKE)}


def clip_columns() -> tuple[Column, ...]:
    """Columns of clips.csv: the clip's own, then the clip's columns of votes.csv under the same names."""
    return (*OWN, *(column for column in export_columns() if column.name in OF_CLIP))


def clip_rows(study: Study) -> Iterator[dict[str, Any]]:
    """Yields a row per clip, sorted by digest; None if unknown. A study and its clips never change."""
    asked: dict[int, set[tuple[str, str]]] = {}
    for key, role, context in study.stimuli.values_list("clip", "role", "context"):
        asked.setdefault(key, set()).add((role, context))
    for clip in Clip.objects.filter(pk__in=asked).select_related("take", "right_take").order_by("sha256"):
        yield {
            "clip_sha256": clip.sha256,
            "batch_sha256": clip.batch_id,
            **{name: getattr(clip, name) for name in ("kind", "site", "network", "run", "purpose", "device")},
            "run_role": clip.role,
            "roles": " ".join(sorted({role for role, _ in asked[clip.pk]})),
            "contexts": " ".join(sorted({context for _, context in asked[clip.pk]})),
            **{
                name: getattr(clip, name) for name in ("width_px", "height_px", "frame_rate", "start_ms", "duration_ms")
            },
            "exact_share": exact_share(clip.take),
            "right_exact_share": exact_share(clip.right_take) if clip.right_take else None,
            "take_sha256": clip.take.digest,
            "right_take_sha256": clip.right_take.digest if clip.right_take else None,
            **clip_cells(clip),
        }


def exact_share(take: Take) -> float | None:
    """Share of the requests begun before load that were answered exactly, from the take's file; None if unknown."""
    entry = BatchFile.objects.filter(batch=take.batch_id, path=take.path).first()
    if entry is None or not is_stored(entry.sha256):
        return None
    fidelity = json.loads(read(entry.sha256)).get("fidelity", {})
    known = [fidelity.get(name) for name in ("exact", "equivalent", "inexact", "missed")]
    if None in known:
        return None
    total = sum(known)
    return float(known[0] / total) if total else None
