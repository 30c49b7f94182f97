"""Metrics of the rated clips of an export beside their scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.analyse.best import Resampled
from eyelevel_core.model.metrics import KEYS, LABELS, METRIC_OF
from eyelevel_stats import PointRow, Rating, Results
from eyelevel_stats.agreement.clips import ClipScore, ClipVote, clip_scores
from eyelevel_stats.agreement.leaderboard import LeaderRow, leaderboard


@dataclass(frozen=True)
class Against:
    """Clips and their metrics by label; `resampled` is None until it is computed."""

    clips: tuple[ClipScore, ...]
    metrics: Mapping[str, Mapping[str, float | None]]
    leaders: tuple[LeaderRow, ...]
    resampled: Resampled | None = None


def against(results: Results, ratings: Sequence[Rating], *, seed: int) -> Against:
    """The leaderboard of every metric that any clip has, without what takes resampling."""
    clips = clip_scores(clip_votes(ratings))
    values = {
        LABELS[key]: {_name(point): getattr(point, METRIC_OF[key].field) for point in results.points} for key in KEYS
    }
    known = {name: own for name, own in values.items() if any(value is not None for value in own.values())}
    return Against(clips, known, leaderboard(clips, known, seed=seed) if known else ())


def clip_votes(ratings: Sequence[Rating]) -> list[ClipVote]:
    """The ratings of an export as metrics are compared with."""
    return [ClipVote(vote.participant, _name(vote), vote.site, vote.network, vote.score) for vote in ratings]


def _name(row: Rating | PointRow) -> str:
    """A clip as a person can find it again."""
    return f"{row.site} {row.network} {row.stack} {row.clip_sha256[:12]}"
