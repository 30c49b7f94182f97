"""The table of ceilings: the truth of simulated clips lies between lower ceiling and ceiling."""

from dataclasses import asdict

import numpy as np
import pytest

from eyelevel_stats.agreement.ceiling import split_half
from eyelevel_stats.agreement.ceilings import ceilings
from eyelevel_stats.agreement.clip_scores import ClipVote, clip_scores
from eyelevel_stats.agreement.leaderboard import leaderboard


def votes(
    *, sites: int = 12, networks: tuple[str, ...] = ("DSL", "LTE"), stacks: int = 3, people: int = 20, sd: float = 1.0
) -> list[ClipVote]:
    """Everybody on every clip, in pairs of networks."""
    rng = np.random.default_rng(1)
    clips = [(s, network, k, rng.normal()) for s in range(sites) for network in networks for k in range(stacks)]
    return [
        ClipVote(f"p{person}", f"s{s}-{network}-{k}", f"s{s}", network, opinion + sd * rng.normal())
        for s, network, k, opinion in clips
        for person in range(people)
    ]


def test_all_networks_come_first_and_then_each() -> None:
    assert [(row.network, row.clips, row.sites, row.participants) for row in ceilings(votes())] == [
        ("all", 72, 12, 20),
        ("DSL", 36, 12, 20),
        ("LTE", 36, 12, 20),
    ]


def test_the_truth_is_between_lower_ceiling_and_ceiling() -> None:
    row = ceilings(votes())[0]
    # variance 1 between clips, noise 1 / 20 of all votes, 1 / 10 of half of them
    assert row.ceiling == pytest.approx(np.sqrt(1 / 1.05), abs=0.02)
    assert row.ceiling_centred == pytest.approx(np.sqrt(1 / 1.05), abs=0.02)
    assert row.lower_ceiling == pytest.approx(1 / 1.1, abs=0.04)
    assert row.ceiling is not None
    assert row.lower_ceiling is not None
    assert row.lower_ceiling < row.ceiling


def test_ceilings_are_those_of_the_leaderboard_for_a_metric_that_is_always_known() -> None:
    all_votes = votes()
    clips = clip_scores(all_votes)
    rng = np.random.default_rng(1)
    board = leaderboard(clips, {"si": {clip.stimulus: rng.normal() for clip in clips}}, seed=4)
    shared = {
        "reliability", "reliability_ci_low", "reliability_ci_high", "ceiling", "ceiling_spearman",
        "reliability_centred", "ceiling_centred", "why",
    }  # fmt: skip
    for row, of_metric in zip(ceilings(all_votes, seed=4), board, strict=True):
        assert {key: asdict(row)[key] for key in shared} == {key: asdict(of_metric)[key] for key in shared}


def test_the_lower_ceiling_is_of_the_networks_own_votes() -> None:
    all_votes = votes()
    dsl = [vote for vote in all_votes if vote.network == "DSL"]
    assert ceilings(all_votes, seed=2)[1].lower_ceiling == split_half(dsl, rng=np.random.default_rng(2))


def test_intervals_are_around_their_estimates() -> None:
    row = asdict(ceilings(votes())[0])
    for name in ("reliability", "reliability_centred"):
        assert row[f"{name}_ci_low"] < row[name] < row[f"{name}_ci_high"]
    assert row["why"] is None


def test_too_few_clips_or_sites_have_no_figure_and_a_reason() -> None:
    (few,) = ceilings(votes(sites=9, networks=("DSL",), stacks=1))
    assert (few.clips, few.why, few.reliability) == (9, "too few clips: 9 of at least 10", None)
    (few,) = ceilings(votes(sites=4, networks=("DSL",)))
    assert (few.sites, few.why, few.lower_ceiling) == (4, "too few sites: 4 of at least 5", None)


def test_unknown_sites_have_no_centred_figures() -> None:
    (row,) = ceilings([vote._replace(site="") for vote in votes(networks=("DSL",))])
    assert (row.sites, row.ceiling_centred, row.reliability_centred_ci_low) == (None, None, None)
    assert row.ceiling is not None
    assert row.why == "sites are unknown: nothing is centred within sites"
