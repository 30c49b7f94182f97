"""Metrics of the rated clips of an export beside their scores, for the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.analyse.best import Resampled
from eyelevel_core.model.metrics import MetricValues
from eyelevel_stats.agreement.clip_scores import ClipScore, Metrics, clip_scores
from eyelevel_stats.agreement.leaderboard import leaderboard
from eyelevel_stats.in_depth.votes import clip_votes, metrics_by_label
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.metrics import LeaderRow


@dataclass(frozen=True)
class Against:
    """Clips and their metrics by label; `resampled` is None until it is computed."""

    clips: tuple[ClipScore, ...]
    metrics: Metrics
    leaders: tuple[LeaderRow, ...]
    resampled: Resampled | None = None


def against(
    ratings: Sequence[Rating], metrics: Mapping[str, MetricValues], *, compared: bool = True, seed: int
) -> Against:
    """The leaderboard of every metric that any clip has, without what takes resampling; none if not `compared`."""
    clips = clip_scores(clip_votes(ratings))
    known = metrics_by_label(ratings, metrics)
    return Against(clips, known, leaderboard(clips, known, seed=seed) if known and compared else ())
