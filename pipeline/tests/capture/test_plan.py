"""The same campaign always gives the same runs, seeds and order; both arms of a run share what the page does."""

from typing import Any

import pytest

from eyelevel.capture.planning.runs import blocks, expand, not_taken, preflights, skipped
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.campaign import Campaign
from tests.core.made import campaign

DIGEST = "ab" * 32
NETWORKS = {"DSL": "01" * 32, "MSS": "02" * 32}


def settings(**changes: Any) -> Campaign:
    given: dict[str, Any] = {
        "seed": 7,
        "runs": 2,
        "networks": ["DSL", "MSS"],
        "stacks": ["TCP+", "QUIC"],
        "sites": [{"name": name, "recording": f"{name}.warc.gz"} for name in ("garden", "teashop", "library")],
    }
    return campaign(**{**given, **changes})


def recordings() -> dict[str, str]:
    return {"garden": DIGEST, "teashop": "cd" * 32, "library": "ef" * 32}


def test_every_combination_is_taken_once() -> None:
    runs = expand(settings(), recordings(), NETWORKS)
    assert len(runs) == 3 * 2 * 2 * 2
    assert len({run.path for run in runs}) == len(runs)
    assert "takes/garden/MSS/TCP+/run-02" in {run.path for run in runs}


def test_more_runs_on_one_network_add_to_those_it_had() -> None:
    few, more = (expand(settings(**runs_on), recordings(), NETWORKS) for runs_on in ({}, {"runs_on": {"DSL": 3}}))
    common = [run for run in more if run.number <= 2]
    added = [run for run in more if run.number > 2]
    assert common == few
    assert {(run.network, run.number) for run in added} == {("DSL", 3)}
    assert len(added) == 3 * 2


def test_order_and_seeds_do_not_depend_on_how_the_file_lists_things() -> None:
    shuffled = settings(networks=["MSS", "DSL"], stacks=["QUIC", "TCP+"])
    assert expand(settings(), recordings(), NETWORKS) == expand(shuffled, recordings(), NETWORKS)


def test_another_campaign_seed_gives_other_seeds_and_another_order() -> None:
    one, other = expand(settings(), recordings(), NETWORKS), expand(settings(seed=8), recordings(), NETWORKS)
    assert {run.seed for run in one}.isdisjoint({run.seed for run in other})
    assert [run.path for run in one] != [run.path for run in other]


def test_the_seed_that_a_page_was_recorded_with_is_used_again() -> None:
    runs = expand(settings(), recordings(), NETWORKS, {"garden": 0, "teashop": None})
    recorded_seeds = {run.site: run.page_seed for run in expand(settings(), recordings(), NETWORKS)}
    assert {run.site: run.page_seed for run in runs} == {**recorded_seeds, "garden": 0}


def test_the_page_seed_is_the_same_in_all_runs_of_a_site_and_the_network_seed_is_not() -> None:
    runs = [run for run in expand(settings(), recordings(), NETWORKS) if run.site == "garden"]
    assert len({run.page_seed for run in runs}) == 1
    assert len({run.seed for run in runs}) == 8


def test_the_stacks_of_a_block_are_taken_one_after_the_other_in_an_order_of_its_own() -> None:
    runs = expand(settings(stacks=["TCP", "TCP+", "QUIC"]), recordings(), NETWORKS)
    threes = [runs[i : i + 3] for i in range(0, len(runs), 3)]
    assert all(len({run.block for run in three}) == 1 for three in threes)
    assert len({three[0].block for three in threes}) == len(threes)
    assert len({tuple(run.stack for run in three) for three in threes}) > 3


def test_only_a_paired_campaign_shares_the_seed_within_a_block_and_takes_it_as_one() -> None:
    apart, paired = (expand(settings(paired=value), recordings(), NETWORKS) for value in (False, True))
    assert len({run.seed for run in apart}) == len(apart)
    assert [len(block) for block in blocks(apart, paired=False)] == [1] * len(apart)
    for block in blocks(paired, paired=True):
        assert {run.stack for run in block} == {"TCP+", "QUIC"}
        assert len({run.seed for run in block}) == 1
    assert len({run.seed for run in paired}) == len(paired) / 2


def test_second_visits_are_runs_of_their_own_and_change_nothing_about_cold_ones() -> None:
    cold = expand(settings(), recordings(), NETWORKS)
    both = expand(settings(cache=["cold", "http"]), recordings(), NETWORKS)
    assert {run for run in both if run.cache == "cold"} == set(cold)
    assert len({run.seed for run in both}) == len(both) == 2 * len(cold)
    assert "takes/garden/MSS/TCP+/http-02" in {run.path for run in both}


def test_a_mode_that_equals_cold_for_a_stack_has_runs_of_the_others_alone_where_the_campaign_says_so() -> None:
    modes = {"cache": ["cold", "altsvc", "http"]}
    every = expand(settings(**modes), recordings(), NETWORKS, discovering=["QUIC"])
    assert len(every) == 3 * 2 * 2 * 3 * 2
    saving = settings(**modes, skip_without_effect=True)
    runs = expand(saving, recordings(), NETWORKS, discovering=["QUIC"])
    # the others keep their seeds and their order
    assert runs == [run for run in every if (run.cache, run.stack) != ("altsvc", "TCP+")]
    assert skipped(saving, ["QUIC"]) == {"altsvc": ["TCP+"]}
    assert skipped(saving, ["QUIC", "TCP+"]) == skipped(settings(**modes), ["QUIC"]) == {}


def test_modes_are_skipped_only_where_cold_runs_stand_for_them() -> None:
    with pytest.raises(ContractError, match=r"campaign\.toml: skip_without_effect needs the cache mode cold"):
        settings(cache=["altsvc"], skip_without_effect=True)


def test_probes_meet_every_site_network_and_stack() -> None:
    tried = preflights(expand(settings(), recordings(), NETWORKS))
    assert len(tried) == 3
    assert {run.site for run in tried} == {"garden", "teashop", "library"}
    assert {run.network for run in tried} == {"DSL", "MSS"}
    assert {run.stack for run in tried} == {"TCP+", "QUIC"}


def test_probes_of_a_half_taken_campaign_are_runs_that_still_wait() -> None:
    runs = expand(settings(), recordings(), NETWORKS)
    waiting = not_taken(runs, {run.path for run in runs[:-1]})
    assert preflights(waiting) == [runs[-1]]


def test_nothing_waits_once_all_is_taken() -> None:
    runs = expand(settings(), recordings(), NETWORKS)
    assert not_taken(runs, {run.path for run in runs}) == []
    assert preflights([]) == []
