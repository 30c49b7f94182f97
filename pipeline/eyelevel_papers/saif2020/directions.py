"""The paper's statements about each metric, and whether the takes agree. Pure.

Bounds of words such as "small" or "alike" are not from the paper, and are stated in each row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from eyelevel.report.words import NBSP, interval, percent, signed, signed_ms
from eyelevel_papers.saif2020.points import Both, Series
from eyelevel_papers.saif2020.score import FORM_FACTORS
from eyelevel_stats.arms import difference

SMALL_GAP = 5
ALIKE = 0.10
LINEAR = 0.9
NEAR_MS = (800.0, 1200.0)
TWICE = (1.5, 2.5)
# a layout shift and a blocking time that differ by no more are the paper's
CLS_WITHIN, EQUAL_MS = 0.002, 1.0


@dataclass(frozen=True)
class Direction:
    """A statement of the paper, the result of the takes, and whether they agree; None where the takes do not decide."""

    series: Series
    what: str
    paper: str
    ours: str
    agrees: bool | None


def directions(series: Series) -> list[Direction]:
    """Checks the statements for which the series has points."""
    lines: list[tuple[str, str, Callable[[Series], tuple[str, bool | None] | None]]] = [
        ("SI at the baseline", "better over HTTP/3", _si_at_baseline),
        ("LCP", "worse over HTTP/3 at every point", _lcp),
        ("TTI at the baseline", "equal to FCP over both", _tti),
        ("TBT and CLS at the baseline", "0 ms and 0.003 over both", _blocking),
        ("FCP and TTI under delay", "worse over HTTP/3", _first_under_delay),
        ("FCP and TTI under loss", "steadier over HTTP/3", _first_under_loss),
        ("SI under loss", f"alike (ours: within {percent(ALIKE).removeprefix('+')})", _si_under_loss),
        ("packets to the client under loss", "almost twice over HTTP/3 (ours: 1.5 to 2.5 times)", _packets),
        ("bytes to the client under loss", f"alike (ours: within {percent(ALIKE).removeprefix('+')})", _bytes),
    ]
    statements = [(what, paper, line(series)) for what, paper, line in lines]
    for form in FORM_FACTORS:
        statements += [
            (f"score under delay, {form}", "HTTP/3 never ahead, up to 2000 ms", _never_ahead(series, form)),
            (f"score near 1000 ms, {form}", f"gap small (ours: at most {SMALL_GAP})", _near(series, form)),
            (f"score at the highest loss, {form}", "HTTP/3 ahead", _high_loss(series, form)),
            (
                f"HTTP/2’s score under loss, {form}",
                f"falls almost linearly (ours: R² of {LINEAR:g} or more)",
                _linear(series, form),
            ),
        ]
    return [Direction(series, what, paper, *result) for what, paper, result in statements if result is not None]


def _si_at_baseline(series: Series) -> tuple[str, bool | None] | None:
    if series.baseline is None:
        return None
    gap = difference([(series.baseline.h3.values("si"), series.baseline.h2.values("si"))])
    if gap is None:
        return None
    words = f"{signed_ms(gap.difference)}{NBSP}ms over HTTP/3"
    if gap.ci_low is None or gap.ci_high is None:
        return words, None
    words += f" (95 % interval {signed_ms(gap.ci_low)} to {signed_ms(gap.ci_high)})"
    return words, True if gap.ci_high < 0 else False if gap.ci_low > 0 else None


def _counted(points: Sequence[Both], worse: Sequence[str]) -> tuple[str, bool | None] | None:
    """On how many points all these metrics are larger over HTTP/3."""
    known = [point for point in points if point.h2.audits and point.h3.audits]
    if not known:
        return None
    count = sum(all((point.h3.mean(key) or 0) > (point.h2.mean(key) or 0) for key in worse) for point in known)
    return f"worse over HTTP/3 at {count} of {len(known)} points", count == len(known)


def _lcp(series: Series) -> tuple[str, bool | None] | None:
    return _counted(series.points, ["lcp"])


def _first_under_delay(series: Series) -> tuple[str, bool | None] | None:
    return _counted([point for point in series.over_delay if point.at.delay_ms > 0], ["fcp", "tti"])


def _tti(series: Series) -> tuple[str, bool | None] | None:
    if series.baseline is None or not (series.baseline.h2.audits and series.baseline.h3.audits):
        return None
    audits = [audit for point in (series.baseline.h2, series.baseline.h3) for audit in point.audits]
    count = sum(isclose(audit["tti"], audit["fcp"], abs_tol=EQUAL_MS) for audit in audits)
    return f"equal in {count} of {len(audits)} audits", count == len(audits)


def _blocking(series: Series) -> tuple[str, bool | None] | None:
    if series.baseline is None or not (series.baseline.h2.audits and series.baseline.h3.audits):
        return None
    audits = [audit for point in (series.baseline.h2, series.baseline.h3) for audit in point.audits]
    tbt, cls = ([audit[key] for audit in audits] for key in ("tbt", "cls_sum"))
    agrees = max(tbt) == 0 and all(abs(value - 0.003) <= CLS_WITHIN for value in cls)
    return f"{min(tbt):.0f} to {max(tbt):.0f}{NBSP}ms, {min(cls):.3f} to {max(cls):.3f}", agrees


def _ends(series: Series) -> tuple[Both, Both] | None:
    """The point without loss and the one with the most, of the sweep over loss, where both have audits."""
    points = [point for point in series.over_loss if point.h2.audits and point.h3.audits]
    return (points[0], points[-1]) if len(points) > 1 and points[0].at.loss == 0 else None


def _first_under_loss(series: Series) -> tuple[str, bool | None] | None:
    ends = _ends(series)
    if ends is None:
        return None
    said, steadier = [], []
    for key in ("fcp", "tti"):
        h2, h3 = (
            (last.mean(key) or 0) / (first.mean(key) or 1)
            for first, last in ((ends[0].h2, ends[1].h2), (ends[0].h3, ends[1].h3))
        )
        said.append(f"{key.upper()} grows {h3:.2f} times over HTTP/3, {h2:.2f} times over HTTP/2")
        steadier.append(h3 < h2)
    return f"{'; '.join(said)} (0 to {100 * ends[1].at.loss:g} %)", all(steadier)


def _si_under_loss(series: Series) -> tuple[str, bool | None] | None:
    ratios = [
        h3 / h2 - 1
        for point in series.over_loss
        if point.at.loss > 0 and (h2 := point.h2.mean("si")) and (h3 := point.h3.mean("si")) is not None
    ]
    if not ratios:
        return None
    return f"{interval(min(ratios), max(ratios))} over HTTP/3", max(map(abs, ratios)) <= ALIKE


def _ratio(series: Series, what: str) -> float | None:
    """Sent to the client under loss, over HTTP/3 against HTTP/2; the mean over points of the ratio."""
    ratios = [
        h3 / h2
        for point in series.over_loss
        if point.at.loss > 0 and (h2 := point.h2.down[what]) and (h3 := point.h3.down[what]) is not None
    ]
    return sum(ratios) / len(ratios) if ratios else None


def _packets(series: Series) -> tuple[str, bool | None] | None:
    ratio = _ratio(series, "packets")
    return None if ratio is None else (f"{ratio:.2f} times", TWICE[0] <= ratio <= TWICE[1])


def _bytes(series: Series) -> tuple[str, bool | None] | None:
    ratio = _ratio(series, "bytes")
    return None if ratio is None else (f"{ratio:.2f} times", abs(ratio - 1) <= ALIKE)


def _gaps(points: Sequence[Both], form: str) -> list[tuple[Both, int]]:
    return [(point, gap) for point in points if (gap := point.gap(form)) is not None]


def _never_ahead(series: Series, form: str) -> tuple[str, bool | None] | None:
    gaps = _gaps([point for point in series.over_delay if point.at.delay_ms <= 2000], form)
    if not gaps:
        return None
    ahead = sum(gap < 0 for _, gap in gaps)
    longest_ms = max(point.at.delay_ms for point, _ in gaps)
    return f"ahead at {ahead} of {len(gaps)} points, up to {longest_ms:g} ms", ahead == 0


def _near(series: Series, form: str) -> tuple[str, bool | None] | None:
    gaps = _gaps([point for point in series.over_delay if NEAR_MS[0] <= point.at.delay_ms <= NEAR_MS[1]], form)
    if not gaps:
        return None
    at, gap = min(gaps, key=lambda entry: abs(entry[0].at.delay_ms - 1000))
    return f"{_ahead(gap)} at {at.at.delay_ms:g}{NBSP}ms", abs(gap) <= SMALL_GAP


def _high_loss(series: Series, form: str) -> tuple[str, bool | None] | None:
    gaps = _gaps([point for point in series.over_loss if point.at.loss > 0], form)
    if not gaps:
        return None
    last, gap = gaps[-1]
    return f"{_ahead(gap)} at {100 * last.at.loss:g}{NBSP}%", gap < 0


def _ahead(gap: int) -> str:
    """Who is ahead, by how many points of the score."""
    return f"{'HTTP/2' if gap > 0 else 'HTTP/3'} ahead by {abs(gap)}" if gap else "equal"


def _linear(series: Series, form: str) -> tuple[str, bool | None] | None:
    known = [(100 * point.at.loss, value) for point in series.over_loss if (value := point.h2.scores[form]) is not None]
    if len(known) < 3:
        return None
    x, y = np.array(known, dtype=float).T
    slope, start = np.polyfit(x, y, 1)
    spread = float(((y - y.mean()) ** 2).sum())
    if spread == 0:
        return "it does not change", False
    fit = 1 - float(((y - (slope * x + start)) ** 2).sum()) / spread
    return f"{signed(float(slope), 1)} points per percent, R² {fit:.2f}", bool(slope < 0 and fit >= LINEAR)
