"""The window that each block of a study needs, and what a participant without that room leaves out."""

from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Count, Max, Q

from eyelevel_core.study.design import trial_s
from eyelevel_kinds import KINDS
from ratings.schemas import ClipSize, Room
from studies.models import Stimulus, StimulusRole, Study

CACHED_STUDIES = 64


@dataclass(frozen=True)
class _Shown:
    """The largest clip of a block, and whether some of its clips are control videos."""

    width_px: int
    height_px: int
    has_controls: bool


def rooms(study: Study) -> list[Room]:
    """One entry per block, in the study's order."""
    content = study.content
    shown = _shown(study.sha256)
    found = []
    for number, (block, one) in enumerate(zip(content.design.blocks, shown, strict=True)):
        found.append(
            Room(
                kind=block.kind,
                clip=ClipSize(width_px=one.width_px, height_px=one.height_px),
                min_width_px=block.kind_fields.get("min_width_px", 0),
                min_scale=block.min_scale,
                min_device_scale=block.min_device_scale,
                skippable=content.design.session.narrow_window == "skip" and KINDS[block.kind].skippable,
                trials=block.trials,
                controls=content.design.controls.videos.count if one.has_controls else 0,
                trial_s=trial_s(content.clip_s[number]),
            )
        )
    return found


@lru_cache(maxsize=CACHED_STUDIES)
def _shown(study_sha256: str) -> tuple[_Shown, ...]:
    """By block; a published study and its clips never change."""
    per_block = Stimulus.objects.filter(study=study_sha256).values("block").order_by("block")
    largest = per_block.annotate(
        width=Max("clip__width_px"),
        height=Max("clip__height_px"),
        controls=Count("pk", filter=Q(role=StimulusRole.CONTROL)),
    )
    return tuple(_Shown(row["width"], row["height"], row["controls"] > 0) for row in largest)
