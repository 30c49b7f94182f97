"""Variances of a pilot: published examples, and planted ones that are found again."""

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from eyelevel_stats.hypotheses.groups import Groups
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.latent import Spreads, choices
from eyelevel_stats.planning.pilot import components, pilot_choices, pilot_ratings

SHARED = Path(os.environ.get("EYELEVEL_SHARED", Path(__file__).resolve().parents[5] / "shared"))
NETFLIX = SHARED / "oracles" / "ratings" / "nflx_public_raw.csv"
# 6 targets by 4 judges: P. E. Shrout, J. L. Fleiss, Intraclass correlations: uses in assessing rater reliability,
# Psychological Bulletin 86, 1979, table 2
JUDGED = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_a_published_table_has_its_mean_squares_and_intraclass_correlations() -> None:
    values = np.array(JUDGED, dtype=float).ravel()
    rows, columns = Groups.by([n // 4 for n in range(24)]), Groups.by([n % 4 for n in range(24)])
    target, judge, noise = components(values, Groups.by([0] * 24), [rows, columns])
    # the paper's mean squares: targets 11.24, judges 32.49, rest 1.02
    assert (4 * target + noise, 6 * judge + noise, noise) == pytest.approx((11.24, 32.49, 1.02), abs=0.005)
    # the paper's ICC(2, 1) and ICC(3, 1)
    assert target / (target + judge + noise) == pytest.approx(0.29, abs=0.005)
    assert target / (target + noise) == pytest.approx(0.71, abs=0.005)


@pytest.mark.skipif(not NETFLIX.exists(), reason="the oracle ratings are not there: set EYELEVEL_SHARED")
def test_participants_of_the_public_netflix_data_account_for_the_share_that_is_named() -> None:
    """By the mean squares of the complete table, which the estimates equal."""
    with NETFLIX.open() as file:
        rows = list(csv.DictReader(file))
    scores = np.array([float(row["score"]) for row in rows])
    groups = [Groups.by([row[name] for row in rows]) for name in ("subject", "stimulus")]
    table = np.zeros((26, 79))
    table[[int(row["subject"]) for row in rows], [int(row["stimulus"]) for row in rows]] = scores
    person, video = table.mean(1), table.mean(0)
    rest = np.sum((table - person[:, None] - video + table.mean()) ** 2) / (25 * 78)
    participant, _, noise = components(scores, Groups.by([0] * len(rows)), groups)
    assert noise == pytest.approx(rest)
    assert participant == pytest.approx(person.var(ddof=1) - rest / 79)
    assert participant / (participant + noise) == pytest.approx(0.18, abs=0.005)


def rated(spreads: Spreads, rng: np.random.Generator) -> list[Rating]:
    """14 votes each of 150 people, on two stacks, 20 sites and two networks, cut to the scale."""
    person, slope = rng.normal(0, spreads.participant, 150), rng.normal(0, spreads.participant_slope, 150)
    place, site = rng.normal(0, spreads.place, (20, 2)), rng.normal(0, spreads.site_slope, 20)
    clip = rng.normal(0, spreads.clip, (20, 2, 2))
    votes = []
    for p in range(150):
        for chosen in rng.permutation(80)[:14]:
            s, n, b = np.unravel_index(chosen, (20, 2, 2))
            latent = 4 + place[s, n] + clip[s, n, b] + person[p] + (b - 0.5) * (0.3 + slope[p] + site[s])
            score = float(np.clip(np.round(latent + rng.normal(0, spreads.residual)), 1, 7))
            votes.append(Rating(f"p{p}", f"s{s}", f"n{n}", "AB"[b], "work", f"{s}{n}{b}", score))
    return votes


def test_planted_variances_of_ratings_are_found_again() -> None:
    planted = Spreads(0.5, 0.5, 0.25, 0.5, 0.5, 0.8)
    rng = np.random.default_rng(3)
    found = [pilot_ratings(rated(planted, rng)) for _ in range(30)]
    for name in ("participant", "place", "clip", "participant_slope", "site_slope", "residual"):
        mean = np.mean([getattr(pilot.spreads, name) ** 2 for pilot in found])
        assert mean == pytest.approx(getattr(planted, name) ** 2, rel=0.12, abs=0.02), name
    assert np.mean([pilot.mean for pilot in found]) == pytest.approx(4, abs=0.1)


def compared(spreads: Spreads, no_difference: float, rng: np.random.Generator) -> list[Comparison]:
    """10 votes each of 200 people, on 15 sites and two networks; the sides change."""
    model = choices(spreads, no_difference)
    person, site = rng.normal(0, spreads.participant_slope, 200), rng.normal(0, spreads.site_slope, 15)
    clip = rng.normal(0, spreads.clip, (15, 2))
    votes = []
    for p in range(200):
        for chosen in rng.permutation(30)[:10]:
            s, n = np.unravel_index(chosen, (15, 2))
            (value,) = model.answers(np.array([person[p] + site[s] + clip[s, n] + rng.normal()]))
            left = bool(rng.integers(2))
            sides = ("B", "A") if left else ("A", "B")
            choice: Any = "none" if value == 0 else "left" if (value > 0) == left else "right"
            votes.append(Comparison(f"p{p}", f"s{s}", f"n{n}", *sides, "work", choice))
    return votes


def test_planted_ratios_of_comparisons_are_found_again() -> None:
    rng = np.random.default_rng(4)
    found = [pilot_choices(compared(Spreads(0, 0, 0.3, 0.5, 0.5, 1), 0.4, rng)) for _ in range(30)]
    slopes = [
        np.mean([getattr(pilot.spreads, name) for pilot in found]) for name in ("participant_slope", "site_slope")
    ]
    # the values 1, 0 and -1 lose some of the correlation of opinions
    assert slopes == pytest.approx([0.45, 0.45], abs=0.07)
    equal = [pilot.expected(np.array([0.0]), pilot.spreads.over_all(1))[0] for pilot in found]
    assert equal == pytest.approx([0] * 30)
    ties = [2 * choices_share(pilot) for pilot in found]
    assert np.mean(ties) == pytest.approx(0.4, abs=0.02)


def choices_share(model: Any) -> float:
    """Half of the share of answers without a difference between equal stacks."""
    from scipy import stats

    return float(stats.norm.cdf(model.cuts[1] / model.spreads.over_all(1)) - 0.5)


def test_a_pilot_of_one_person_or_one_site_is_refused() -> None:
    vote = Rating("p1", "s1", "DSL", "A", "work", "c", 4)
    with pytest.raises(ValueError, match="at least 2 participants on 2 sites; it has 1 and 2"):
        pilot_ratings([vote, vote._replace(site="s2")])
    with pytest.raises(ValueError, match="it has 0 and 0"):
        pilot_choices([])
