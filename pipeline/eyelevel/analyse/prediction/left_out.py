"""Cross-validation by site: predicts the MOS of clips of left-out sites from metrics, with intervals (E11)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eyelevel.analyse.announced import announced
from eyelevel.analyse.given import Given
from eyelevel.report.words import plural, share
from eyelevel_core.model.metrics import METRICS
from eyelevel_stats.agreement.clip_scores import Metrics as KnownOrNot
from eyelevel_stats.in_depth.votes import clip_name
from eyelevel_stats.observations import Ratings
from eyelevel_stats.prediction.choice import MOST_FITS, fits_of_choice
from eyelevel_stats.prediction.coverage import ClipVote, CoverageRow, LeftOutRow, Metrics, coverage, left_out_rows
from eyelevel_stats.rows.words import ALL
from eyelevel_stats.samples import MIN_CLIPS, MIN_SITES

WORDS = "Predicting the scores of left-out sites ..."
# a model with more thresholds takes too long, and scales with so many points are no ordinal ones
MOST_SCORES = 12
# Beyond these, predictions for left-out sites take many minutes and are computed only if asked for: votes of a fit, of
# which there is one for each site; sites times the cube of clips and sites, which random effects cost; and fits of
# mappings, by which metrics are chosen
MOST_VOTES = 20_000
MOST_WORK = 30_000_000


@dataclass(frozen=True)
class Input:
    """The data that predictions are fitted to; `why` is the reason if there can be none, without its full stop.

    `slow` is the reason if predictions for left-out sites would take many minutes; else None.
    """

    votes: Sequence[ClipVote]
    metrics: Metrics
    scale: tuple[float, float]
    why: str | None
    slow: str | None = None


@dataclass(frozen=True)
class Predictions:
    """A row per clip with the prediction without its site, and the coverage of intervals; or `why` there is none."""

    rows: tuple[LeftOutRow, ...]
    covered: CoverageRow | None
    why: str | None


def input_of(ratings: Ratings, metrics: KnownOrNot, scale: tuple[float, float]) -> Input:
    """Returns the votes on clips whose site is known, and their metrics, with all networks pooled."""
    if any(vote.score != int(vote.score) for vote in ratings):
        return Input((), {}, scale, "the model needs scores that are whole numbers")
    votes = [ClipVote(vote.participant, vote.site, clip_name(vote), int(vote.score)) for vote in ratings if vote.site]
    if ratings and not votes:
        return Input((), {}, scale, "the sites of stimuli must be known (give a column the role site)")
    return _checked(votes, metrics, scale)


def predictors(given: Given, metrics: KnownOrNot) -> KnownOrNot:
    """Returns the metrics that may predict: all metrics of a table, and the five main metrics of an export."""
    main = {metric.label for metric in METRICS if metric.group == "main"}
    return {name: values for name, values in metrics.items() if given.study is None or name in main}


def _checked(votes: Sequence[ClipVote], metrics: KnownOrNot, scale: tuple[float, float]) -> Input:
    """With the metrics whose known values are all positive, since the model takes logarithms."""
    positive = {name: values for name, values in _known(metrics).items() if values and min(values.values()) > 0}
    sites, clips = {vote.site for vote in votes}, {vote.clip for vote in votes}
    scores = len({vote.score for vote in votes})
    why = None
    if not metrics:
        why = "there are no metrics"
    elif not positive:
        why = "no metric has only positive values, of which the model takes logarithms"
    elif len(sites) <= MIN_SITES or len(clips) < MIN_CLIPS:
        why = (
            f"it needs {MIN_CLIPS} clips of {MIN_SITES + 1} sites, because it leaves out one; there are "
            f"{len(clips)} of {len(sites)}"
        )
    elif scores > MOST_SCORES:
        why = f"there are {scores} different scores; the model is for at most {MOST_SCORES}"
    work = len(sites) * (len(clips) + len(sites)) ** 3
    fits = fits_of_choice(len(sites), len(positive))
    slow = None
    if work > MOST_WORK or len(votes) > MOST_VOTES or fits > MOST_FITS:
        sizes = f"{len(votes):,} votes on {plural(len(clips), 'clip')} of {plural(len(sites), 'site')}"
        slow = f"{sizes} with {plural(len(positive), 'metric')} take many minutes; --predictions computes them"
    return Input(votes, positive, scale, why, slow)


def _known(metrics: KnownOrNot) -> dict[str, dict[str, float]]:
    return {
        name: {clip: value for clip, value in values.items() if value is not None} for name, values in metrics.items()
    }


def predictions(given: Input, *, seed: int, long_too: bool) -> Predictions:
    """Predicts the clips of each site from the other sites; shows the progress on stderr.

    `long_too`: even if that takes many minutes.
    """
    why = given.why or (None if long_too else given.slow)
    if why is not None:
        return Predictions((), None, why)
    with announced(WORDS) as say:
        rows = left_out_rows(
            ALL,
            given.votes,
            given.metrics,
            rng=np.random.default_rng(seed),
            scale=given.scale,
            progress=lambda done, sites: say(f"{WORDS} ({done} of {sites})"),
        )
    return Predictions(tuple(rows), coverage(ALL, rows), None)


def prediction_sentence(predictions: Predictions) -> str:
    """Returns a sentence about the coverage of the intervals, or the reason why there are none."""
    if predictions.covered is None:
        return f"No predictions for left-out sites: {predictions.why}."
    covered = predictions.covered
    if not covered.clips or covered.share is None:
        reasons = sorted({row.refused.rstrip(".") for row in predictions.rows})
        return f"No predictions for left-out sites: {reasons[0]}."
    refused = (
        f"; {plural(covered.refused, 'further clip was', 'further clips were')} refused" if covered.refused else ""
    )
    return (
        f"Without the votes of its site, the MOS of {covered.inside} of {plural(covered.clips, 'clip')} "
        f"({share(covered.share)}) lay within the 90 % interval that was predicted from metrics{refused}."
    )
