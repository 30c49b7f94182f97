"""Prediction intervals checked by leaving out one site at a time, the choice of the metric included."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np

from eyelevel_core.tables import column
from eyelevel_stats.prediction.choice import Point, loso_error
from eyelevel_stats.prediction.interval import MetricVote, Predictor, predict, predictor
from eyelevel_stats.prediction.mapping import Model
from eyelevel_stats.prediction.mappings import SCALE
from eyelevel_stats.rows import shared

# metric to clip to value, where it is known
Metrics = Mapping[str, Mapping[str, float]]
# called after each site with its number, from 1, and the number of sites
SiteProgress = Callable[[int, int], None]


class ClipVote(NamedTuple):
    """One rating of a clip."""

    participant: str
    site: str
    clip: str
    score: int


@dataclass(frozen=True)
class LeftOutRow:
    """The MOS of a clip, and what was predicted for it without its site; None, with a reason, where nothing was."""

    network: str = column("network of the clip")
    site: str = column("site that was left out")
    clip: str = column("clip of this site")
    metric: str | None = column(
        "the metric that was chosen without the site; empty where none could be", shown="metric"
    )
    value: float | None = column("the clip's value of the metric, in the metric's unit; empty where unknown")
    votes: int = column("participants who rated the clip")
    mos: float = column("mean opinion score over them; several votes of one participant are averaged first")
    predicted: float | None = column(
        "the MOS that was predicted without the site, by a cumulative logit mixed model on ln(metric)"
    )
    low: float | None = column("lower end of the 90 % prediction interval", until="high")
    high: float | None = column(*shared.SAME_INTERVAL)
    inside: bool | None = column("whether mos is within the interval")
    refused: str = column("why nothing was predicted; empty where something was")


@dataclass(frozen=True)
class CoverageRow:
    """How often the MOS of a clip is within the interval that was predicted without its site."""

    network: str = column(*shared.NETWORK)
    metrics: str = column("metrics that predicted, each with the number of clips")
    sites: int = column("sites, each of which was left out once")
    clips: int = column("clips with a predicted interval")
    refused: int = column("clips for which nothing was predicted")
    inside: int = column("of clips, those whose MOS is within the 90 % interval")
    share: float | None = column(
        "inside / clips; empty without clips. Its clips are not independent: those of a site are alike", shown="share"
    )
    mean_width: float | None = column("mean width of the intervals, in points of the scale; empty without clips")


def left_out_rows(
    network: str,
    votes: Sequence[ClipVote],
    metrics: Metrics,
    *,
    rng: np.random.Generator,
    scale: tuple[float, float] = SCALE,
    progress: SiteProgress | None = None,
) -> list[LeftOutRow]:
    """Predicts each clip from the votes on all other sites.

    For each site the metric is chosen by the error of its best mapping on the other sites (see `best_metric`), and the
    interval's model is fitted to their votes on this metric. Nothing of a site is used for its own clips. Participants
    count as new. Each site has its own random numbers.
    """
    sites = sorted({vote.site for vote in votes})
    rows: list[LeftOutRow] = []
    result: tuple[float | None, float | None, float | None, bool | None, str]
    for number, (site, own_rng) in enumerate(zip(sites, rng.spawn(len(sites)), strict=True), 1):
        rest = [vote for vote in votes if vote.site != site]
        metric = best_metric(rest, metrics, scale=scale)
        values = {} if metric is None else metrics[metric]
        found = "no metric has a mapping on the other sites" if metric is None else fitted(rest, values)
        for clip, scores in _scores([vote for vote in votes if vote.site == site]).items():
            value, empty = values.get(clip), (None, None, None, None)
            if isinstance(found, str):
                result = (*empty, found)
            elif value is None:
                result = (*empty, f"{metric} of the clip is unknown")
            else:
                row = predict(found, value, len(scores), network=network, metric=str(metric), rng=own_rng)
                inside = None if row.low is None or row.high is None else row.low <= fmean(scores) <= row.high
                result = (row.mos, row.low, row.high, inside, row.refused)
            rows.append(LeftOutRow(network, site, clip, metric, value, len(scores), fmean(scores), *result))
        if progress is not None:
            progress(number, len(sites))
    return rows


def coverage(network: str, rows: Sequence[LeftOutRow]) -> CoverageRow:
    """How many of the rows' clips are within their intervals."""
    known = [row for row in rows if row.inside is not None]
    inside = sum(row.inside is True for row in known)
    metrics = Counter(row.metric for row in known if row.metric is not None)
    widths = [row.high - row.low for row in known if row.high is not None and row.low is not None]
    return CoverageRow(
        network=network,
        metrics=", ".join(f"{metric} {count}" for metric, count in sorted(metrics.items())),
        sites=len({row.site for row in rows}),
        clips=len(known),
        refused=len(rows) - len(known),
        inside=inside,
        share=inside / len(known) if known else None,
        mean_width=fmean(widths) if widths else None,
    )


def best_metric(votes: Sequence[ClipVote], metrics: Metrics, *, scale: tuple[float, float] = SCALE) -> str | None:
    """The metric whose best mapping has the least error for left-out sites; the first by name where two are equal."""
    site, scores = {vote.clip: vote.site for vote in votes}, _scores(votes)
    errors = []
    for metric, values in sorted(metrics.items()):
        points = [
            Point(site[clip], values[clip], fmean(own), len(own)) for clip, own in scores.items() if clip in values
        ]
        found = [error for model in Model if (error := loso_error(model, points, scale=scale)) is not None]
        errors += [(min(found), metric)] if found else []
    return min(errors)[1] if errors else None


def fitted(votes: Sequence[ClipVote], values: Mapping[str, float]) -> Predictor | str:
    """The model, or why there is none."""
    known = [
        MetricVote(vote.participant, vote.site, vote.clip, values[vote.clip], vote.score)
        for vote in votes
        if vote.clip in values
    ]
    try:
        return predictor(known)
    except ValueError as error:
        return str(error)


def _scores(votes: Sequence[ClipVote]) -> dict[str, list[float]]:
    """The scores of each clip, one per participant: the mean of their votes on it."""
    found: dict[str, dict[str, list[int]]] = {}
    for vote in votes:
        found.setdefault(vote.clip, {}).setdefault(vote.participant, []).append(vote.score)
    return {clip: [fmean(own) for own in people.values()] for clip, people in found.items()}
