"""Window size that each block of a study needs, and trials that are skipped in a smaller window."""

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
    """The needed window per block, in the study's order."""
    content = study.content
    shown = _shown(study.sha256)
    by_block = []
    for number, (block, clips) in enumerate(zip(content.design.blocks, shown, strict=True)):
        by_block.append(
            Room(
                kind=block.kind,
                clip=ClipSize(width_px=clips.width_px, height_px=clips.height_px),
                min_width_px=block.kind_fields.get("min_width_px", 0),
                min_scale=block.min_scale,
                min_device_scale=block.min_device_scale,
                skippable=content.design.session.narrow_window == "skip" and KINDS[block.kind].skippable,
                trials=block.trials,
                controls=content.design.controls.videos.count if clips.has_controls else 0,
                trial_s=trial_s(content.clip_s[number]),
            )
        )
    return by_block


@lru_cache(maxsize=CACHED_STUDIES)
def _shown(study_sha256: str) -> tuple[_Shown, ...]:
    """Clip sizes by block; cached, because a published study and its clips never change."""
    per_block = Stimulus.objects.filter(study=study_sha256).values("block").order_by("block")
    largest = per_block.annotate(
        width=Max("clip__width_px"),
        height=Max("clip__height_px"),
        controls=Count("pk", filter=Q(role=StimulusRole.CONTROL)),
    )
    return tuple(_Shown(row["width"], row["height"], row["controls"] > 0) for row in largest)
