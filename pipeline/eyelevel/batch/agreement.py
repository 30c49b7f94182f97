"""Comparison of metrics: of an encoded clip with its film, and of two pages with each other. Plain values."""

from collections.abc import Mapping, Sequence

from eyelevel_core.model.metrics import MAIN, METRIC_OF, VISUAL_FIELDS, MetricValues

# field to label, in the order in which they are named: the last visual change comes last
NAMES = {METRIC_OF[key].field: METRIC_OF[key].label for key in sorted(MAIN, key=lambda key: key == "lvc")}
# the largest error by rounding times to a microsecond
ROUNDING_MS = 0.01
# Speed Index is cut to whole milliseconds, as Browsertime's is: of the film, of the clip, or of both
SI_CUT_MS = 1.0
SI_SHARE = 0.01


def apart(film: MetricValues, clip: MetricValues, *, frame_ms: float) -> list[str]:
    """Returns the metrics that differ by more than a frame; for the Speed Index, by more than 1 % plus its rounding."""
    return [name for name in VISUAL_FIELDS if not _agree(name, film[name], clip[name], frame_ms)]


def disagreements(film: MetricValues, clip: MetricValues, *, frame_ms: float) -> list[str]:
    """Returns the same differences as phrases."""
    return [
        f"{name.removesuffix('_ms').upper()} is {_words(clip[name])}, the film's {_words(film[name])}"
        for name in apart(film, clip, frame_ms=frame_ms)
    ]


def _agree(name: str, film: float | None, clip: float | None, frame_ms: float) -> bool:
    if film is None or clip is None:
        return film is clip
    allowed_ms = max(frame_ms, SI_SHARE * film) + SI_CUT_MS if name == "si_ms" else frame_ms
    return abs(film - clip) <= allowed_ms + ROUNDING_MS


def only_metrics(measured: Mapping[str, object]) -> dict[str, float | None]:
    """Returns only the metrics, rounded to a microsecond; further digits are floating-point noise."""
    known = {name: measured[name] for name in VISUAL_FIELDS}
    return {name: round(float(ms), 3) if isinstance(ms, int | float) else None for name, ms in known.items()}


def _words(ms: float | None) -> str:
    return "unknown" if ms is None else f"{ms:.0f} ms"


def firsts(left: MetricValues, right: MetricValues, *, frame_ms: float) -> dict[str, int]:
    """Returns by metric the side (0 left, 1 right) that was first by more than a frame; others are left out."""
    first: dict[str, int] = {}
    for name in NAMES:
        one, other = left[name], right[name]
        if one is not None and other is not None and abs(one - other) > frame_ms:
            first[name] = 0 if one < other else 1
    return first


def quarrel(first: Mapping[str, int], stacks: Sequence[str]) -> str | None:
    """Returns a phrase with the stack that is first by each metric; None if the metrics agree."""
    if len(set(first.values())) < 2:
        return None
    by_side = [[NAMES[name] for name, side in first.items() if side == place] for place in (0, 1)]
    return "; ".join(f"{', '.join(names)}: {stack} first" for names, stack in zip(by_side, stacks, strict=True))
