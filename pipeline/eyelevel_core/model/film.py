"""Frame times and visual metrics of a film: frames.json and progress.json. Contracts frames.1, progress.1."""

from dataclasses import dataclass

from eyelevel_core.model.metrics import PLAIN_FIELDS, VISUAL_FIELDS, MetricValues
from eyelevel_core.model.record import Record, left_out_at_default


@dataclass(frozen=True)
class FrameTimes(Record):
    """Frame times of a film: one per stored frame, in ms since navigation start; `end_ms` is the end of the film.

    The recorder's counts: frames `merged` into their predecessor or `equal` to it, changes `lost`, frames `unquiet`
    that may be torn, and the latest fetch of a frame.
    """

    times_ms: tuple[float, ...]
    end_ms: float | None = None
    merged: int | None = None
    equal: int | None = None
    lost: int | None = None
    unquiet: int | None = None
    late_ms: float | None = None


@dataclass(frozen=True)
class Progress(Record):
    """The curve of visual completeness as (ms, percent), and the visual metrics, which are in `more`.

    `appeared_ms` has a time for each region of the motion mask; None where there was no mask.
    """

    progress: tuple[tuple[float, float], ...]
    appeared_ms: tuple[float | None, ...] | None = left_out_at_default(None)

    @property
    def metrics(self) -> MetricValues:
        """The visual metrics, and those of the unmasked film where there was a mask."""
        return {name: self.more[name] for name in (*VISUAL_FIELDS, *PLAIN_FIELDS) if name in self.more}
