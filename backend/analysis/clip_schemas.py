"""Response bodies about the clips of a study."""

from dataclasses import dataclass

from ninja import Schema

from eyelevel_core.model.metrics import MetricValues
from eyelevel_stats.rows.study import ClipVotesRow
from stimuli.models import ClipKind, ClipPurpose
from studies.models import StimulusRole


class StudyClipOut(Schema):
    """A clip that the study shows; its video is at /api/batches/{batch_sha256}/clips/{sha256}."""

    sha256: str
    batch_sha256: str
    kind: ClipKind
    site: str
    network: str
    # of a pair: left, then right
    stacks: list[str]
    run: int
    # why this run is shown: medoid, q25 or q75; null where the batch does not say
    run_role: str | None
    purpose: ClipPurpose
    # what the study shows it for, and in which contexts
    roles: list[StimulusRole]
    contexts: list[str]
    duration_ms: float
    width_px: int
    height_px: int


class ProgressOut(Schema):
    """From `ms` since navigation start the page is so complete."""

    ms: float
    percent: int


class ClipSideOut(Schema):
    """One take that the clip shows. Times are since navigation start, which is `delay_ms` after the clip's."""

    stack: str
    run: int
    take_sha256: str
    delay_ms: float
    settled: bool
    # null where unknown, not final, or cut off
    metrics: MetricValues
    # the visual ones on the clip's frames
    clip_metrics: MetricValues
    # the curve of visual completeness; null where the batch has none
    progress: list[ProgressOut] | None


@dataclass(frozen=True, kw_only=True)
class ClipVotesOut(ClipVotesRow):
    """Votes of the sessions used, of one kind of trial in one role."""

    role: StimulusRole


class StudyClipDetailOut(StudyClipOut):
    # when navigation starts in the video, without delays
    start_ms: float
    # it ended before one of its takes had settled; null where unknown
    cut: bool | None
    # whether a page has motion that never ends; null where unknown
    moving: bool | None
    # left, then right
    sides: list[ClipSideOut]
    # null while results are blinded, and before the first results
    votes: list[ClipVotesOut] | None
    # the snapshot that the votes are of
    snapshot_sha256: str | None
