"""Each participant's votes beside those of the others: how many, how spread, and how well they agree."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eyelevel_core.tables import Table, column

# below this many stimuli a correlation says nothing about a person
MIN_STIMULI = 10
# a spread this small against the values is rounding, not variation
ROUNDING = 1e-12


@dataclass(frozen=True)
class ParticipantRow:
    """One participant; several votes on one stimulus are averaged first."""

    participant: str = column("name of the participant in the file of votes", "Name der Person in den Bewertungen")
    votes: int = column("number of scores given by the participant", "Bewertungen der Person")
    stimuli: int = column("number of stimuli scored by the participant", "Stimuli, die die Person bewertet hat")
    mean: float = column(
        "mean of the participant's scores, in points of the scale; each stimulus has equal weight",
        "Mittel der Bewertungen der Person, in Punkten der Skala; jeder Stimulus zählt einmal",
    )
    sd: float | None = column(
        "standard deviation of the participant's scores between stimuli (divisor n - 1), in points; empty for one "
        "stimulus",
        "Standardabweichung der Bewertungen der Person zwischen Stimuli (Divisor n - 1), in Punkten; leer bei einem "
        "Stimulus",
    )
    correlation: float | None = column(
        "Pearson's correlation of the participant's scores with the mean score of the other participants, over the "
        "stimuli that both scored; empty for fewer than 10 such stimuli, or if either side is constant",
        "Korrelation (Pearson) der Bewertungen der Person mit dem Mittel der anderen, über die Stimuli, die beide "
        "bewertet haben; leer bei weniger als 10 solchen Stimuli, oder wo eines von beiden konstant ist",
        head="correlation with the others",
        head_de="Korrelation mit den anderen",
    )


PARTICIPANTS = Table("participants", "Participants", "Teilnehmende", ParticipantRow)


def participant_rows(
    names: Sequence[str], person: NDArray[np.integer], stimulus: NDArray[np.integer], score: NDArray[np.float64]
) -> tuple[ParticipantRow, ...]:
    """One row per name, in their order; the three arrays have one entry per vote, codes from 0 and points.

    The correlation with the other participants' means is that of the screening in ITU-T P.913, with the participant
    taken out of the mean, as few others would not hide one who answers at random. It screens nobody here. A name
    without a vote raises ValueError.
    """
    people = len(names)
    votes = np.bincount(person, minlength=people)
    if not votes.all():
        raise ValueError("A participant has no vote.")
    stimuli = int(stimulus.max()) + 1
    pairs, pair = np.unique(person.astype(np.int64) * stimuli + stimulus, return_inverse=True)
    rating = np.bincount(pair, weights=score) / np.bincount(pair)
    who, what = pairs // stimuli, pairs % stimuli
    seen = np.bincount(who, minlength=people)
    mean = np.bincount(who, weights=rating, minlength=people) / seen
    squares = np.bincount(who, weights=(rating - mean[who]) ** 2, minlength=people)
    sd = np.sqrt(squares / np.maximum(seen - 1, 1))
    raters = np.bincount(what)[what]
    shared = raters > 1
    mean_of_others = (np.bincount(what, weights=rating)[what] - rating)[shared] / (raters[shared] - 1)
    correlation = _by_group(who[shared], rating[shared], mean_of_others, people)
    return tuple(
        ParticipantRow(
            participant=name,
            votes=int(votes[n]),
            stimuli=int(seen[n]),
            mean=float(mean[n]),
            sd=float(sd[n]) if seen[n] > 1 else None,
            correlation=correlation[n],
        )
        for n, name in enumerate(names)
    )


def _by_group(
    group: NDArray[np.int64], x: NDArray[np.float64], y: NDArray[np.float64], groups: int
) -> list[float | None]:
    """Pearson's coefficient within each group of points."""
    n = np.bincount(group, minlength=groups)
    dx, dy = _deviations(group, x, n), _deviations(group, y, n)
    xx, yy, xy = (np.bincount(group, weights=products, minlength=groups) for products in (dx * dx, dy * dy, dx * dy))
    largest = np.zeros(groups)
    np.maximum.at(largest, group, np.maximum(np.abs(x), np.abs(y)))
    least = n * (ROUNDING * largest) ** 2
    known = (n >= MIN_STIMULI) & (xx > least) & (yy > least)
    correlations = xy / np.sqrt(np.where(known, xx * yy, 1.0))
    return [
        max(-1.0, min(1.0, float(r))) if is_known else None for r, is_known in zip(correlations, known, strict=True)
    ]


def _deviations(group: NDArray[np.int64], values: NDArray[np.float64], n: NDArray[np.int64]) -> NDArray[np.float64]:
    """From the mean of the own group."""
    deviations: NDArray[np.float64] = (
        values - (np.bincount(group, weights=values, minlength=len(n)) / np.maximum(n, 1))[group]
    )
    return deviations
