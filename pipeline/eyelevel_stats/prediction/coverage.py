"""Prediction intervals checked by leaving out one site at a time, the choice of the metric included."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from eyelevel_core.tables import Table, column
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

    network: str = column(*shared.CLIP_NETWORK)
    site: str = column("site excluded from the fit", "Website, die ausgelassen wurde")
    clip: str = column("clip of the excluded site", "Clip dieser Website")
    metric: str | None = column(
        "metric selected without the site; empty if none could be selected",
        "die Metrik, die ohne die Website gewählt wurde; leer, wo keine gewählt werden konnte",
    )
    value: float | None = column(
        "value of the metric for the clip, in the metric's unit; empty if unknown",
        "der Wert der Metrik für den Clip, in ihrer Einheit; leer, wo er unbekannt ist",
        shown="hidden",
    )
    votes: int = column(*shared.RATED)
    mos: float = column(
        "mean opinion score of these participants; several votes of one participant are averaged first",
        "mittlere Bewertung über diese Personen; mehrere Bewertungen einer Person werden vorher gemittelt",
        head="observed MOS",
        head_de="beobachtete MOS",
    )
    predicted: float | None = column(
        "MOS predicted without the site by a cumulative logit mixed model on ln(metric)",
        "die ohne die Website vorhergesagte MOS, aus einem kumulativen gemischten Logit-Modell über ln(metric)",
        head="predicted MOS",
        head_de="vorhergesagte MOS",
    )
    low: float | None = column(
        "lower end of the 90 % prediction interval",
        "untere Grenze des 90-%-Vorhersageintervalls",
        head="90 % interval",
        head_de="90-%-Intervall",
        until="high",
    )
    high: float | None = column("upper end of the same interval", "obere Grenze desselben Intervalls")
    inside: Literal["yes", "no"] | None = column(
        "yes if mos is within the interval, no if it is not; empty if there is no interval",
        "yes, wo mos im Intervall liegt, no, wo nicht; leer ohne Intervall",
    )
    refused: str = column(
        "reason why there is no prediction; empty if there is one",
        "warum nichts vorhergesagt wurde; leer, wo etwas vorhergesagt wurde",
        head="why not predicted",
        head_de="warum nicht vorhergesagt",
    )


LEFT_OUT = Table(
    "predictions",
    "MOS of left-out sites, predicted and observed",
    "MOS ausgelassener Websites, vorhergesagt und beobachtet",
    LeftOutRow,
)


@dataclass(frozen=True)
class CoverageRow:
    """How often the MOS of a clip is within the interval that was predicted without its site."""

    network: str
    metrics: str
    sites: int
    clips: int
    refused: int
    inside: int
    share: float | None
    mean_width: float | None


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
    result: tuple[float | None, float | None, float | None, Literal["yes", "no"] | None, str]
    for number, (site, own_rng) in enumerate(zip(sites, rng.spawn(len(sites)), strict=True), 1):
        rest = [vote for vote in votes if vote.site != site]
        metric = best_metric(rest, metrics, scale=scale)
        values = {} if metric is None else metrics[metric]
        predictor = "no metric has a mapping on the other sites" if metric is None else fitted(rest, values)
        for clip, scores in _scores([vote for vote in votes if vote.site == site]).items():
            value, empty = values.get(clip), (None, None, None, None)
            if isinstance(predictor, str):
                result = (*empty, predictor)
            elif value is None:
                result = (*empty, f"{metric} of the clip is unknown")
            else:
                row = predict(predictor, value, len(scores), network=network, metric=str(metric), rng=own_rng)
                result = (row.mos, row.low, row.high, _inside(row.low, fmean(scores), row.high), row.refused)
            rows.append(LeftOutRow(network, site, clip, metric, value, len(scores), fmean(scores), *result))
        if progress is not None:
            progress(number, len(sites))
    return rows


def _inside(low: float | None, mos: float, high: float | None) -> Literal["yes", "no"] | None:
    if low is None or high is None:
        return None
    return "yes" if low <= mos <= high else "no"


def coverage(network: str, rows: Sequence[LeftOutRow]) -> CoverageRow:
    """How many of the rows' clips are within their intervals."""
    known = [row for row in rows if row.inside is not None]
    inside = sum(row.inside == "yes" for row in known)
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
            Point(site[clip], values[clip], fmean(ratings), len(ratings))
            for clip, ratings in scores.items()
            if clip in values
        ]
        model_errors = [error for model in Model if (error := loso_error(model, points, scale=scale)) is not None]
        errors += [(min(model_errors), metric)] if model_errors else []
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
    scores_of: dict[str, dict[str, list[int]]] = {}
    for vote in votes:
        scores_of.setdefault(vote.clip, {}).setdefault(vote.participant, []).append(vote.score)
    return {clip: [fmean(ratings) for ratings in people.values()] for clip, people in scores_of.items()}
