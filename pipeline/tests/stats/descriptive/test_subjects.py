"""Subject models agree with the published programs, and are unknown where the design is not connected."""

import numpy as np
import pytest

from eyelevel_stats.descriptive.crossing import crossing
from eyelevel_stats.descriptive.subjects import (
    LEAST_INCONSISTENCY,
    Likelihood,
    maximum_likelihood,
    subject_models,
    zrec,
)
from eyelevel_stats.observations import Rating
from eyelevel_stats.rows.trust import SubjectClipRow, SubjectRow

from .netflix import needs_netflix, ratings


def vote(participant: str, clip: str, score: float) -> Rating:
    return Rating(participant, "garden", "DSL", "QUIC", "work", clip, score)


def drawn_ratings(seed: int, bias: list[float], noise: list[float], clips: int = 60) -> list[Rating]:
    rng = np.random.default_rng(seed)
    quality = rng.uniform(2, 6, clips)
    return [
        vote(f"p{p:02}", f"c{c:02}", quality[c] + bias[p] + noise[p] * rng.normal())
        for p in range(len(bias))
        for c in range(clips)
        if rng.random() < 0.7
    ]


@needs_netflix
def test_maximum_likelihood_of_the_netflix_ratings_is_that_of_sureal() -> None:
    """Netflix/sureal: the numbers of its README, and of test/subjective_model_test.py (model without content)."""
    found = subject_models(ratings())
    quality = np.array([row.mos_ml for row in found.clips], float)
    bias = np.array([row.bias for row in found.participants], float)
    inconsistency = np.array([row.inconsistency for row in found.participants], float)
    assert found.why is None
    assert quality[0] == pytest.approx(4.91807257, abs=1e-6)
    assert quality[-1] == pytest.approx(4.60152168, abs=1e-6)
    assert quality.mean() == pytest.approx(3.54479065, abs=1e-6)
    assert quality.var() == pytest.approx(1.43554857, abs=1e-6)
    assert quality.sum() == pytest.approx(280.0384615384633, abs=1e-6)
    assert bias.var() == pytest.approx(0.089032585621095089, abs=1e-6)
    assert bias.mean() == pytest.approx(0, abs=1e-12)
    assert inconsistency.sum() == pytest.approx(15.681766163430936, abs=1e-6)
    assert inconsistency.var() == pytest.approx(0.012565584832977776, abs=1e-6)


@needs_netflix
def test_zrec_of_the_netflix_ratings_is_that_of_its_authors_formulas() -> None:
    """The formulas of the authors' program (github.com/kyillene/ZREC, commit 694bed5) on the same ratings."""
    found = subject_models(ratings())
    quality = np.array([row.mos_zrec for row in found.clips])
    assert quality[0] == pytest.approx(4.910649438974726, abs=1e-9)
    assert quality[10] == pytest.approx(2.082289313847015, abs=1e-9)
    assert quality[-1] == pytest.approx(4.573926492078458, abs=1e-9)
    assert quality.mean() == pytest.approx(3.543276128780604, abs=1e-9)
    assert quality.var() == pytest.approx(1.433747692056467, abs=1e-9)
    bias = [row.zrec_bias for row in found.participants]
    assert bias[:3] == pytest.approx([-0.27197755, -0.23896388, 0.28933642], abs=1e-8)
    spread = [row.zrec_inconsistency for row in found.participants]
    assert None not in spread
    assert sum(value for value in spread if value is not None) == pytest.approx(23.10058748080726, abs=1e-9)


def test_zrec_by_hand() -> None:
    """Two clips with standard deviations 2 and 1; z-scores are -1 and 1 for everyone, so all weights are equal."""
    found = zrec(crossing(["a", "a", "b", "b"], ["x", "y", "x", "y"], [2, 3, 6, 5]))
    assert found.bias.tolist() == [-1, 1]
    # bias removed: 2 + 2 = 6 - 2 and 3 + 1 = 5 - 1
    assert found.quality.tolist() == [4, 4]


def test_known_bias_and_inconsistency_are_found_in_an_incomplete_design() -> None:
    bias, noise = [-0.9, -0.4, 0.0, 0.3, 1.0] * 4, [0.4, 0.5, 0.6, 0.8, 1.6] * 4
    found = subject_models(drawn_ratings(1, bias, noise))
    assert [row.bias for row in found.participants] == pytest.approx(bias, abs=0.5)
    assert np.corrcoef([row.bias or 0 for row in found.participants], bias)[0, 1] > 0.97
    assert np.corrcoef([row.inconsistency or 0 for row in found.participants], noise)[0, 1] > 0.97


def test_an_answer_is_a_fixed_point_of_the_likelihood_equations() -> None:
    """Every quality and bias is the weighted mean of what it explains, every inconsistency the spread of the rest."""
    votes = drawn_ratings(2, [-0.5, 0.0, 0.5, 0.2, -0.2] * 4, [0.5, 0.7, 0.9, 1.1, 0.6] * 4)
    design = crossing([v.participant for v in votes], [v.clip_sha256 for v in votes], [v.score for v in votes])
    found = maximum_likelihood(design)
    assert isinstance(found, Likelihood)
    assert found.bias.mean() == pytest.approx(0, abs=1e-12)
    rest = design.score - found.quality[design.clip] - found.bias[design.person]
    weight = found.inconsistency[design.person] ** -2
    assert np.bincount(design.clip, weight * rest) == pytest.approx(np.zeros(len(design.clips)), abs=1e-7)
    shift = np.bincount(design.person, rest) / np.bincount(design.person)
    assert shift == pytest.approx(np.zeros(20), abs=1e-7)
    spread = np.sqrt(np.bincount(design.person, rest**2) / np.bincount(design.person))
    assert found.inconsistency == pytest.approx(spread, abs=1e-7)


def test_a_design_of_two_parts_has_no_likelihood_and_says_why() -> None:
    votes = [vote(p, c, s) for p, c, s in [("a", "x", 3), ("b", "x", 5), ("c", "y", 2), ("d", "y", 6)]]
    found = subject_models(votes)
    assert found.why == "the design has 2 parts without a common participant"
    assert [(row.clip_sha256, row.mos, row.mos_ml) for row in found.clips] == [("x", 4.0, None), ("y", 4.0, None)]
    assert [(row.bias, row.inconsistency) for row in found.participants] == [(None, None)] * 4


def test_no_participant_gets_all_the_weight_by_agreeing_with_the_fit() -> None:
    """Without the bound the likelihood grows without end as the fit meets one participant."""
    votes = [vote(f"p{p}", f"c{c}", 1 + (p * c) % 7) for p in range(1, 5) for c in range(1, 4)]
    spread = [row.inconsistency for row in subject_models(votes).participants]
    assert min(value for value in spread if value is not None) == pytest.approx(LEAST_INCONSISTENCY)
    assert pytest.approx(0.288675, abs=1e-6) == LEAST_INCONSISTENCY


def test_everyone_is_reported_and_few_votes_have_no_inconsistency_by_zrec() -> None:
    votes = [vote(p, c, s) for p, c, s in [("a", "x", 3), ("b", "x", 5), ("b", "x", 6), ("b", "y", 4), ("a", "y", 4)]]
    found = subject_models(votes)
    assert found.clips[0] == SubjectClipRow("x", "garden", "DSL", "QUIC", 2, 4.25, found.clips[0].mos_ml, 4.25)
    # everyone gave y the same score, so it has no z-scores
    assert found.participants == tuple(
        SubjectRow(name, 2, found.participants[i].bias, found.participants[i].inconsistency, z, None)
        for i, (name, z) in enumerate([("a", -1.0), ("b", 1.0)])
    )


def test_no_votes_have_no_rows() -> None:
    found = subject_models([])
    assert (found.clips, found.participants, found.why) == ((), (), "there are no votes")
