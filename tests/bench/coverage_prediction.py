"""Simulate studies, predict the MOS of new clips, and count how often the 90 % interval holds it.

    tests/bench/coverage_prediction.py [--studies 300] [--sites 20] [--participants 60] [--seed 1]

The generator differs from the fitted model: votes are a normal latent value (probit) with heavier tails, participants
and sites follow Student's t with 5 degrees of freedom, and the metric acts by an exponential (IQX) and not by its
logarithm. New clips are of new sites, with new participants.

Prints the share of covered clips with its standard error between studies, and the mean width. Status 1 where the share
is not within 88 to 92 %.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "pipeline")]

from eyelevel_stats.prediction.interval import MetricVote, Predictor, predict, predictor  # noqa: E402 - as above

BOUNDS = (0.88, 0.92)
CLIPS_PER_SITE = 4
RATED = 20
NEW_CLIPS = 20
NEW_PARTICIPANTS = 30
CUTS = (-2.2, -1.4, -0.7, 0.0, 0.7, 1.5)
EVERY = 10
FREEDOM = 5
# standard deviations on the generator's latent scale, whose votes have 1
PARTICIPANT, SITE, CLIP = 0.6, 0.35, 0.2

Floats = NDArray[np.float64]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--studies", type=int, default=300)
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--participants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    shares: list[float] = []
    widths: list[float] = []
    failed, begun = 0, time.monotonic()
    for number, seed in enumerate(np.random.SeedSequence(wanted.seed).spawn(wanted.studies), 1):
        rng = np.random.default_rng(seed)
        try:
            found = predictor(study(rng, sites=wanted.sites, participants=wanted.participants))
        except ValueError as error:
            failed += 1
            print(f"study {number}: {error}", flush=True)
            continue
        inside, width = new_clips(found, rng)
        shares.append(float(np.mean(inside)))
        widths += width
        if number % EVERY == 0:
            print(f"{number} of {wanted.studies} studies, {report(shares, widths)}", flush=True)
    print(f"{wanted.sites} sites, {wanted.participants} participants, {time.monotonic() - begun:.0f} s")
    print(f"prediction, 90 % interval: {report(shares, widths)}; {failed} studies without a model")
    return 0 if BOUNDS[0] <= float(np.mean(shares)) <= BOUNDS[1] else 1


def report(shares: list[float], widths: list[float]) -> str:
    error = float(np.std(shares, ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else float("nan")
    return f"covered {100 * np.mean(shares):.1f} % (standard error {100 * error:.1f}), mean width {np.mean(widths):.2f}"


def study(rng: np.random.Generator, *, sites: int, participants: int) -> list[MetricVote]:
    """Everyone rates `RATED` clips."""
    metrics = site_metrics(rng, sites)
    level = quality(metrics) + tails(rng, SITE, sites)[:, None] + rng.normal(0, CLIP, metrics.shape)
    people = tails(rng, PARTICIPANT, participants)
    votes = []
    for person, opinion in enumerate(people):
        for number in rng.permutation(metrics.size)[: min(RATED, metrics.size)]:
            site, clip = divmod(int(number), CLIPS_PER_SITE)
            score = int(scores(rng, np.array([level[site, clip] + opinion]))[0])
            votes.append(MetricVote(f"p{person}", f"s{site}", f"s{site}-{clip}", float(metrics[site, clip]), score))
    return votes


def new_clips(found: Predictor, rng: np.random.Generator) -> tuple[list[bool], list[float]]:
    """Whether the interval holds the MOS of each new clip, and the widths."""
    inside: list[bool] = []
    widths: list[float] = []
    while len(inside) < NEW_CLIPS:
        value = float(site_metrics(rng, 1)[0, 0])
        row = predict(found, value, NEW_PARTICIPANTS, network="LTE", metric="si_ms", rng=rng)
        if row.low is None or row.high is None:
            continue
        level = quality(np.array([value])) + tails(rng, SITE, 1) + rng.normal(0, CLIP)
        mos = float(np.mean(scores(rng, level + tails(rng, PARTICIPANT, NEW_PARTICIPANTS))))
        inside.append(row.low <= mos <= row.high)
        widths.append(row.high - row.low)
    return inside, widths


def site_metrics(rng: np.random.Generator, sites: int) -> Floats:
    """Times in ms of the clips of each site, which are alike."""
    metrics: Floats = np.exp(rng.normal(8, 0.6, (sites, 1)) + rng.normal(0, 0.3, (sites, CLIPS_PER_SITE)))
    return metrics


def quality(metric: Floats) -> Floats:
    """Latent quality by the IQX form."""
    latent: Floats = 4.5 * np.exp(-metric / 4000) - 2
    return latent


def tails(rng: np.random.Generator, sd: float, size: int) -> Floats:
    """Student's t, scaled to a standard deviation."""
    drawn: Floats = sd * rng.standard_t(FREEDOM, size) / np.sqrt(FREEDOM / (FREEDOM - 2))
    return drawn


def scores(rng: np.random.Generator, level: Floats) -> Floats:
    latent = level + tails(rng, 1, len(level))
    return np.asarray(1 + np.searchsorted(CUTS, latent), np.float64)


if __name__ == "__main__":
    sys.exit(main())
