"""Clips of a study for its researchers: content, metrics of the takes, and curves of visual completeness."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.db.models import QuerySet

from analysis.snapshots.shown import clip_cells
from eyelevel_core.contracts import ContractError, check, parse_json
from eyelevel_core.model.metrics import CLIP_FIELDS, FIELDS
from stimuli.blobs import is_stored, read
from stimuli.models import BatchFile, Clip, Take
from studies.models import Study

PROGRESS = "progress.json"
# a curve has a point per visual change: a minute of 60 changes a second takes some 60 kB
MOST_PROGRESS_BYTES = 1 << 20
OF_CLIP = ("kind", "site", "network", "run", "purpose", "duration_ms", "width_px", "height_px")


def clips_of(study: Study) -> QuerySet[Clip]:
    """The clips that the study shows, training included; single clips first, then in the order of their content."""
    clips = Clip.objects.filter(pk__in=study.stimuli.values("clip")).select_related("take", "right_take")
    return clips.order_by("-kind", "site", "network", "take__stack", "right_take__stack", "purpose", "run", "sha256")


def rows_of(study: Study) -> Iterator[dict[str, Any]]:
    """A row per clip, as `row_of` returns it."""
    asked: dict[int, set[tuple[str, str]]] = {}
    for clip, role, context in study.stimuli.values_list("clip", "role", "context"):
        asked.setdefault(clip, set()).add((role, context))
    return (row_of(clip, asked[clip.pk]) for clip in clips_of(study))


def row_of(clip: Clip, asked: set[tuple[str, str]]) -> dict[str, Any]:
    """The clip's content and its use in the study; `asked` has the roles and contexts of its stimuli."""
    return {
        "sha256": clip.sha256,
        "batch_sha256": clip.batch_id,
        **{name: getattr(clip, name) for name in OF_CLIP},
        "run_role": clip.role,
        "stacks": clip.stacks,
        "roles": sorted({role for role, _ in asked}),
        "contexts": sorted({context for _, context in asked}),
    }


def sides_of(clip: Clip) -> list[dict[str, Any]]:
    """Stack, run, delay, metrics (as in votes.csv) and progress curve of each take, left then right."""
    cells = clip_cells(clip)
    prefixes = ("",) if clip.right_take is None else ("left_", "right_")
    return [
        {
            "stack": take.stack,
            "run": take.run,
            "take_sha256": take.digest,
            "delay_ms": cells[f"{prefix}delay_ms"] or 0,
            "settled": take.outcome == "settled",
            "metrics": {name: cells[f"{prefix}{name}"] for name in FIELDS},
            "clip_metrics": {name: cells[f"{prefix}{column}"] for name, column in CLIP_FIELDS.items()},
            "progress": progress_of(take),
        }
        for take, prefix in zip(clip.takes, prefixes, strict=True)
    ]


def progress_of(take: Take) -> list[dict[str, float]] | None:
    """The curve of visual completeness: ms since navigation start, and percent from then on; None if unknown."""
    path = str(PurePosixPath(take.path).with_name(PROGRESS))
    entry = BatchFile.objects.filter(batch=take.batch_id, path=path, bytes__lte=MOST_PROGRESS_BYTES).first()
    if entry is None or not is_stored(entry.sha256):
        return None
    try:
        value = parse_json(read(entry.sha256))
        check(value, "progress.1", source=path)
    except (ContractError, ValueError):
        # the upload did not check this file, because it does not read it
        return None
    return [{"ms": ms, "percent": percent} for ms, percent in value["progress"]]
