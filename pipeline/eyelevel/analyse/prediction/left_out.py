"""How well metrics predict the MOS of clips of sites that were left out, with intervals (definition E11)."""

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
    """What predictions are fitted to; or `why` there can be none, a sentence without its full stop.

    `slow` says why predictions for left-out sites would take many minutes; None where they do not.
    """

    votes: Sequence[ClipVote]
    metrics: Metrics
    scale: tuple[float, float]
    why: str | None
    slow: str | None = None


@dataclass(frozen=True)
class Predictions:
    """A row per clip with what was predicted without its site, and how many intervals have its MOS; or `why` not."""

    rows: tuple[LeftOutRow, ...]
    covered: CoverageRow | None
    why: str | None


def input_of(ratings: Ratings, metrics: KnownOrNot, scale: tuple[float, float]) -> Input:
    """The votes on clips whose site is known, and their metrics; all networks together."""
    if any(vote.score != int(vote.score) for vote in ratings):
        return Input((), {}, scale, "the model needs scores that are whole numbers")
    votes = [ClipVote(vote.participant, vote.site, clip_name(vote), int(vote.score)) for vote in ratings if vote.site]
    if ratings and not votes:
        return Input((), {}, scale, "the sites of stimuli must be known (give a column the role site)")
    return _checked(votes, metrics, scale)


def predictors(given: Given, metrics: KnownOrNot) -> KnownOrNot:
    """The metrics that may predict: of an export the five main ones."""
    main = {metric.label for metric in METRICS if metric.group == "main"}
    return {name: own for name, own in metrics.items() if given.study is None or name in main}


def _checked(votes: Sequence[ClipVote], metrics: KnownOrNot, scale: tuple[float, float]) -> Input:
    """With the metrics whose known values are all positive, since the model takes logarithms."""
    positive = {name: own for name, own in _known(metrics).items() if own and min(own.values()) > 0}
    sites, clips = {vote.site for vote in votes}, {vote.clip for vote in votes}
    scores = len({vote.score for vote in votes})
    why = None
    if not metrics:
        why = "there are no metrics"
    elif not positive:
        why = "no metric has positive values alone, of which the model takes logarithms"
    elif len(sites) <= MIN_SITES or len(clips) < MIN_CLIPS:
        why = (
            f"it needs {MIN_CLIPS} clips of {MIN_SITES} sites beside the one that is left out; there are "
            f"{len(clips)} of {len(sites)} in all"
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
    return {name: {clip: value for clip, value in own.items() if value is not None} for name, own in metrics.items()}


def predictions(given: Input, *, seed: int, long_too: bool) -> Predictions:
    """Leaves out each site in turn; announced on stderr, since there is a fit for each site.

    `long_too`: also where that takes many minutes.
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


def prediction_sentence(found: Predictions) -> str:
    """How often the intervals have the MOS, or why there are none."""
    if found.covered is None:
        return f"No predictions for left-out sites: {found.why}."
    own = found.covered
    if not own.clips or own.share is None:
        reasons = sorted({row.refused.rstrip(".") for row in found.rows})
        return f"No predictions for left-out sites: {reasons[0]}."
    refused = f"; {plural(own.refused, 'further clip was', 'further clips were')} refused" if own.refused else ""
    return (
        f"Without the votes of its site, the MOS of {own.inside} of {plural(own.clips, 'clip')} ({share(own.share)}) "
        f"lay within the 90 % interval that was predicted from metrics{refused}."
    )
