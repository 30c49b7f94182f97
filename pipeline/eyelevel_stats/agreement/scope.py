"""Selection of clips for a result: by network, with enough clips and sites, raw or centred within sites."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from eyelevel_stats.agreement.clip_scores import ClipScore, Floats
from eyelevel_stats.correlation import settled
from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.reasons import Reason
from eyelevel_stats.rows.words import ALL
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

# a metric that is known for a smaller share of the clips is not compared with others
LEAST_KNOWN = 0.9
SITES_UNKNOWN = "sites are unknown: nothing is centred within sites"
# decimals, against the largest value, to which centred values are compared
DECIMALS = 12


def by_network(clips: Sequence[ClipScore]) -> list[tuple[str, tuple[ClipScore, ...]]]:
    """Groups clips by network: all together as "all", then each, sorted by name, if there are several."""
    networks = sorted({clip.network for clip in clips})
    each = [(name, tuple(clip for clip in clips if clip.network == name)) for name in networks]
    return [(ALL, tuple(clips)), *(each if len(networks) > 1 else [])]


def with_value(
    clips: Sequence[ClipScore], metric: str, of_metric: Mapping[str, float | None]
) -> tuple[tuple[ClipScore, ...], Floats]:
    """Returns the clips whose value of the metric is known, and these values, without floating-point noise.

    Raises ValueError for a value that is not finite.
    """
    both = [(clip, value) for clip in clips if (value := of_metric.get(clip.stimulus)) is not None]
    values = np.array([value for _, value in both], dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"A value of {metric} is not a finite number; leave unknown values out.")
    return tuple(clip for clip, _ in both), settled(values)


def sites_known(clips: Sequence[ClipScore]) -> bool:
    """Whether sites are known: they are not if none is named, or if each clip has another one."""
    return 0 < site_count(clips) < sum(clip.site != "" for clip in clips)


def site_count(clips: "Sequence[OfSite]") -> int:
    """Counts the sites; an empty one is unknown and does not count."""
    return len({clip.site for clip in clips} - {""})


def unit(clip: ClipScore, *, known: bool) -> tuple[str, str]:
    """Returns the unit that the bootstrap draws besides participants: the clip's site, or the clip if it is unknown."""
    return (clip.site, "") if known and clip.site else ("", clip.stimulus)


class OfSite(Protocol):
    """A clip with its site, which is empty where it is unknown."""

    @property
    def site(self) -> str: ...


def why_nothing(clips: Sequence[OfSite], *, known: bool) -> Reason | None:
    """Returns the reason why these clips are too few, or None; `known`: whether sites are known."""
    if len(clips) < MIN_CLIPS:
        return Reason("few_clips", {"clips": len(clips), "least": MIN_CLIPS})
    sites = site_count(clips)
    return Reason("few_sites", {"sites": sites, "least": MIN_SITES}) if known and sites < MIN_SITES else None


def why_not_centred(clips: Sequence[ClipScore], *, known: bool) -> str | None:
    """Returns the reason why values cannot be centred within sites, for clips for which `why_nothing` has none."""
    if not known:
        return SITES_UNKNOWN
    beside = [clip for clip, among in zip(clips, in_company(clips), strict=True) if among]
    why = why_nothing(beside, known=known)
    return None if why is None else f"within sites, counting only sites with several clips on a network, {why}"


def cells(clips: Sequence[ClipScore]) -> Groups:
    """Groups clips of the same site and network, within which values are centred."""
    return Groups.by([(clip.site, clip.network) for clip in clips])


def in_company(clips: Sequence[ClipScore]) -> NDArray[np.bool_]:
    """Returns whether each clip shares its cell with another; other clips would be 0 after centring.

    A clip whose site is unknown does not share its cell.
    """
    groups = cells(clips)
    shared: NDArray[np.bool_] = groups.sums(np.ones(len(clips)))[groups.of] > 1
    return shared & np.array([clip.site != "" for clip in clips], dtype=np.bool_)


def centred(values: Floats, groups: Groups) -> Floats:
    """Computes deviations from the mean of each group, rounded so that equal deviations are ties."""
    means = groups.sums(values) / groups.sums(np.ones(len(values)))
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    deviations: Floats = np.round((values - means[groups.of]) / scale, DECIMALS) * scale
    return deviations
