"""SOS hypothesis: the variance of opinion scores as a function of the MOS, with its parameter a."""

from collections.abc import Sequence

import numpy as np

from eyelevel_stats.descriptive.clustered import Estimate, estimate
from eyelevel_stats.descriptive.crossing import Floats, crossing, numbered
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.trust import SosPoint, SosRow
from eyelevel_stats.rows.words import ALL
from eyelevel_stats.samples import LEAST_SITES

# with fewer, the interval is about these very sites, and clips count as independent (as in definition E6)
LEAST_CLIPS = 3


def sos_points(votes: Sequence[Rating]) -> tuple[SosPoint, ...]:
    """Computes a point for each clip with votes of at least two participants, in the order of their digests."""
    design = crossing(
        [vote.participant for vote in votes], [vote.clip_sha256 for vote in votes], [vote.score for vote in votes]
    )
    place = {vote.clip_sha256: (vote.site, vote.network, vote.stack) for vote in votes}
    mos, n = design.mos(), design.votes_of_clips()
    squares = np.bincount(design.clip, (design.score - mos[design.clip]) ** 2, len(mos))
    return tuple(
        SosPoint(clip, *place[clip], int(n[i]), float(mos[i]), float(squares[i] / (n[i] - 1)))
        for i, clip in enumerate(design.clips)
        if n[i] >= 2
    )


def sos_rows(points: Sequence[SosPoint], *, scale: tuple[float, float]) -> tuple[SosRow, ...]:
    """Computes a row for all networks together, then one per network if there are several; none without points."""
    networks = sorted({point.network for point in points})
    rows = [_row(ALL, points, scale)] if points else []
    if len(networks) > 1:
        rows += [_row(name, [point for point in points if point.network == name], scale) for name in networks]
    return tuple(rows)


def sos_parameter(
    mos: Sequence[float], variance: Sequence[float], sites: Sequence[str], *, scale: tuple[float, float]
) -> Estimate | None:
    """Fits a of variance = a (MOS - low) (high - MOS) by least squares, one entry per clip; low and high end the scale.

    T. Hossfeld, R. Schatz, S. Egger, SOS: the MOS is not enough!, QoMEX 2011. The variance of the estimate is robust to
    unequal variances of the points (H. White, Econometrica 48, 1980), with the factor G / (G - 1) and G - 1 degrees of
    freedom: G is the number of sites, each a cluster, or of clips where there are fewer than 5 sites.

    None under 3 clips, or where every MOS is at an end of the scale.
    """
    x = _parabola(np.asarray(mos, dtype=np.float64), scale)
    y = np.asarray(variance, dtype=np.float64)
    if len(x) < LEAST_CLIPS or not x.any():
        return None
    value = float(x @ y / (x @ x))
    shares = x * (y - value * x) / float(x @ x)
    names, site = numbered(sites)
    if len(names) >= LEAST_SITES:
        shares = np.bincount(site, shares, len(names)).astype(np.float64, copy=False)
    count = len(shares)
    return estimate(value, float(shares @ shares) * count / (count - 1), count - 1)


def _row(network: str, points: Sequence[SosPoint], scale: tuple[float, float]) -> SosRow:
    sites = [point.site for point in points]
    parameter = sos_parameter([point.mos for point in points], [point.variance for point in points], sites, scale=scale)
    return SosRow(
        network=network,
        clips=len(points),
        sites=len(set(sites)),
        a=None if parameter is None else parameter.value,
        ci_low=None if parameter is None else parameter.ci_low,
        ci_high=None if parameter is None else parameter.ci_high,
        scope="sites like these" if len(set(sites)) >= LEAST_SITES else "these very sites",
    )


def _parabola(mos: Floats, scale: tuple[float, float]) -> Floats:
    """Computes the largest variance (divisor n) of scores with this mean."""
    low, high = scale
    if len(mos) and not low <= mos.min() <= mos.max() <= high:
        raise ValueError(f"MOS are {mos.min():g} to {mos.max():g}, but their scale is {low} to {high}.")
    values: Floats = (mos - low) * (high - mos)
    return values
