"""Metrics of a film on the frames of its clip, which shows each change at the next 60th of a second. Pure."""

from collections.abc import Sequence

from eyelevel.batch.timeline import Timing
from eyelevel_core.model.censoring import until
from eyelevel_core.model.metrics import VISUAL_FIELDS, MetricValues
from eyelevel_core.model.progress import Progress, of_progress


def on_grid(progress: Progress, timing: Timing) -> dict[str, float | None]:
    """Returns the metrics of a film's completeness curve at the frames of a clip that is long enough for all of it.

    Of several changes within a frame, the last one is seen.
    """
    seen: dict[float, float] = {}
    for ms, percent in progress:
        seen[round(timing.moment_ms(timing.frame_of(ms)), 3)] = percent
    return of_progress(list(seen.items()))


def shown_metrics(film: MetricValues, progress: Progress, timing: Timing) -> dict[str, float | None]:
    """Returns the same for a clip that may be cut; metrics after its end are unknown (censored)."""
    return _where_known(on_grid(progress, timing), film, timing)


def censored(
    measured: Sequence[MetricValues], films: Sequence[MetricValues], timings: Sequence[Timing]
) -> list[dict[str, float | None]]:
    """Returns the measured metrics of a clip's pages, without those after its end in their films."""
    return [_where_known(*page) for page in zip(measured, films, timings, strict=True)]


def _where_known(values: MetricValues, film: MetricValues, timing: Timing) -> dict[str, float | None]:
    known = until(timing.last_ms, film)
    return {name: None if known[name] is None else values[name] for name in VISUAL_FIELDS}
