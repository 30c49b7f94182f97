"""Clips of the database as plain values, for selection and allocation."""

from eyelevel_core.assignment.clip import Clip
from stimuli.models import Clip as ClipRow


def plain_clip(row: ClipRow) -> Clip:
    return Clip(
        sha256=row.sha256,
        kind=row.kind,
        site=row.site,
        network=row.network,
        run=row.run,
        stacks=tuple(row.stacks),
        takes=tuple(take.digest for take in row.takes),
        duration_ms=row.duration_ms,
        purpose=row.purpose,
        role=row.role,
        si_ms=tuple(take.metrics["si_ms"] for take in row.takes),
        delays_ms=tuple(row.delays_ms),
        moving=row.moving,
        device=row.device,
    )
