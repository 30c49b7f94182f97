"""What a plan gives: votes per cell and clip, minutes, pay, and the smallest effect."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from eyelevel.study.clips_of_batch import Batch
from eyelevel.study.forecast import Forecast, HourlyPay, Votes, forecast
from eyelevel.study.wording import lines
from eyelevel_core.assignment.selection import select
from eyelevel_core.study.resolve import design_of, resolve
from eyelevel_stats.planning import smallest_mos_difference, smallest_share

Study = dict[str, Any]


def look(study: Mapping[str, Any], batch: Batch | None = None) -> Forecast:
    design = design_of(resolve(study))
    if batch is None:
        return forecast(design, None)
    stated = [number for number, block in enumerate(study["trials"]) if "identical" in block]
    selection = select(design, batch.clips, stated_shares=stated)
    return forecast(selection.design, selection.chosen)


def row(found: Forecast, block: int, context: str, network: str, group: str = "volunteer") -> Votes:
    (only,) = [
        row
        for row in found.votes
        if (row.block, row.context, row.network, row.group) == (block, context, network, group)
    ]
    return only


def test_votes_are_spread_evenly_over_cells(small: Study, batch: Batch) -> None:
    found = look(small, batch)
    # 60 sessions x 2 ratings over 3 networks x 2 sites x 2 stacks
    for network, context in (("DSL", "work"), ("LTE", "work"), ("MSS", "plane")):
        rated = row(found, 0, context, network)
        assert (rated.votes, rated.cells, rated.votes_per_cell) == (40, 4, 10)
        assert (rated.arms, rated.arms_known, rated.participants, rated.participants_per_site) == (2, True, 20, 10)
        compared = row(found, 1, context, network)
        # both orders of a pair are clips; the pair is one arm
        assert (compared.votes, compared.cells, compared.votes_per_cell) == (20, 4, 5)
        assert (compared.arms, compared.participants, compared.participants_per_site) == (1, 20, 10)
    assert found.clips is not None
    assert [(c.block, c.clips, c.fewest_votes, c.most_votes) for c in found.clips] == [(0, 12, 10, 10), (1, 12, 5, 5)]


def test_a_clip_in_two_contexts_gets_votes_in_both(small: Study, batch: Batch) -> None:
    small["contexts"][1]["networks"] = ["MSS", "DSL"]
    found = look(small, batch)
    assert {r.votes_per_cell for r in found.votes if r.block == 0} == {120 / 16}
    assert found.clips is not None
    assert (found.clips[0].clips, found.clips[0].fewest_votes, found.clips[0].most_votes) == (12, 7.5, 15)


def test_each_group_has_its_own_quota(small: Study, batch: Batch) -> None:
    small["groups"] = [{"key": "paid", "quota": {"sessions": 30}}, {"key": "volunteer"}]
    found = look(small, batch)
    assert found.sessions == {"paid": 30, "volunteer": 60}
    assert [row(found, 0, "plane", "MSS", group).votes_per_cell for group in found.sessions] == [5, 10]
    assert found.clips is not None
    assert found.clips[0].most_votes == 15


def test_blocks_narrow_what_is_shown(small: Study, batch: Batch) -> None:
    small["trials"] = [
        {"kind": "rate", "count": 1, "contexts": ["work"], "networks": ["LTE"], "sites": ["beta"], "stacks": ["QUIC"]},
        {"kind": "compare", "count": 1, "contexts": ["plane"], "pairs": [["QUIC", "TCP+"]]},
    ]
    found = look(small, batch)
    assert [(r.block, r.context, r.network, r.cells) for r in found.votes] == [
        (0, "work", "LTE", 1),
        (1, "plane", "MSS", 4),
    ]


def test_more_runs_are_more_cells_unless_the_medoid_is_asked_for(small: Study, three_runs: Batch) -> None:
    drawn = row(look(small, three_runs), 0, "work", "DSL")
    assert (drawn.cells, drawn.arms, drawn.participants) == (12, 2, 20)
    small["trials"][0]["clips"] = "medoid"
    assert row(look(small, three_runs), 0, "work", "DSL").cells == 4


def test_people_count_once_however_often_they_vote(small: Study, batch: Batch) -> None:
    small["trials"][0] |= {"count": 12}
    rated = row(look(small, batch), 0, "work", "DSL")
    # 60 x 12 votes / 3 networks / 2 stacks are 120 votes of 60 people
    assert (rated.votes, rated.participants) == (240, 60)


def test_the_smallest_effects_are_those_of_the_plan(small: Study, batch: Batch) -> None:
    small["plan"] = {"alpha": 0.01, "power": 0.9, "sd": 1.5}
    found = look(small, batch)
    rated, compared = row(found, 0, "work", "DSL"), row(found, 1, "work", "DSL")
    assert rated.smallest == smallest_mos_difference(20, sd=1.5, alpha=0.01, power=0.9)
    assert rated.smallest_per_site == smallest_mos_difference(10, sd=1.5, alpha=0.01, power=0.9)
    assert compared.smallest == smallest_share(20, alpha=0.01, power=0.9)


def test_what_a_slider_finds_is_unknown_and_not_nothing(small: Study) -> None:
    small["trials"].append({"kind": "slider", "count": 1})
    found = look(small)
    assert [(row.unit, row.smallest is None) for row in found.votes if row.network == "MSS"] == [
        ("points", False),
        ("share", False),
        (None, True),
    ]
    said = list(lines(found))
    assert [line.split()[-2:] for line in said if line.startswith("  [2] slider")] == [["?", "?"]] * 3
    assert "  slider: not computed (?), because sd refers to scores on the seven-point scale." in said
    few = list(lines(look(small | {"quota": {"sessions": 2}})))
    assert [line.split()[-2:] for line in few if line.startswith("  [0] rate")] == [["nothing", "?"]] * 3
    assert not any("slider" in line for line in lines(look(small | {"trials": small["trials"][:2]})))


def test_without_a_batch_what_it_would_tell_is_unknown(small: Study) -> None:
    found = look(small)
    rated = row(found, 0, "work", "DSL")
    assert (rated.votes, rated.cells, rated.votes_per_cell, rated.participants_per_site) == (40, None, None, None)
    assert (rated.arms, rated.arms_known, rated.participants, rated.smallest_per_site) == (2, False, 20, None)
    assert (row(found, 1, "work", "DSL").arms, row(found, 1, "work", "DSL").participants) == (1, 20)
    assert found.clips is None
    small["trials"][0]["stacks"] = ["TCP", "TCP+", "QUIC"]
    named = row(look(small), 0, "work", "DSL")
    assert (named.arms, named.arms_known, named.participants) == (3, True, 13)


def test_identical_pairs_are_part_of_the_count_as_far_as_the_batch_has_some(small: Study, batch: Batch) -> None:
    small["trials"][1] |= {"count": 4, "identical": 0.25}
    assert (row(look(small), 1, "work", "DSL").votes, look(small).extra["identical"]) == (60, 1)
    same = replace(batch.clips[2], sha256="same", purpose="identical", stacks=("QUIC", "QUIC"))
    having = look(small, replace(batch, clips=[*batch.clips, same]))
    assert (row(having, 1, "work", "DSL").votes, having.extra["identical"]) == (60, 1)
    assert row(having, 1, "work", "DSL").cells == 4
    # a share that nobody named
    del small["trials"][1]["identical"]
    assert look(small).extra["identical"] == 0.6
    assert (row(look(small, batch), 1, "work", "DSL").votes, look(small, batch).extra["identical"]) == (80, 0)


def test_minutes_count_what_the_batchs_clips_last(small: Study, batch: Batch) -> None:
    # 90 s, then three times 8 s and a clip of 10 s or, in this batch, 4 s
    assert (look(small).minutes, look(small).clip_s) == (3, [10, 10])
    assert (look(small, batch).minutes, look(small, batch).clip_s) == (3, [4, 4])
    small["trials"][0] |= {"training": 2, "repeats": 1}
    small["controls"] = {"videos": {"count": 2}}
    late = [replace(clip, sha256=f"late {clip.sha256}", purpose="control") for clip in batch.clips[:2]]
    having = replace(batch, clips=[*batch.clips, *late])
    # eight trials
    assert (look(small).minutes, look(small, having).minutes) == (4, 4)
    assert look(small).trials == {"rate": 5, "compare": 1}
    assert look(small).extra == {"training": 2, "repeats": 1, "identical": 0, "control videos": 2}


@pytest.mark.parametrize(("fair", "verdict"), [(20.0, True), (20.01, False), (None, None)])
def test_an_hour_of_pay_is_held_against_the_fair_one(small: Study, fair: float | None, verdict: bool | None) -> None:
    small["pay"] = {"amount": 1, "currency": "EUR"} | ({} if fair is None else {"fair_hourly": fair})
    pay = look(small).pay
    assert pay == HourlyPay(amount=1, currency="EUR", hourly=20.0, fair_hourly=fair, fair=verdict)
    del small["pay"]
    assert look(small).pay is None


def test_contexts_per_participant_are_counted_over_real_assignments(small: Study, batch: Batch) -> None:
    small["trials"] = small["trials"][:1]
    small["trials"][0] |= {"count": 1}
    assert look(small, batch).contexts_seen == {"volunteer": {1: 60}}
    assert "Contexts per participant (volunteer): of 60, 60 see 1." in lines(look(small, batch))
    small["trials"][0] |= {"count": 12}
    assert look(small, batch).contexts_seen == {"volunteer": {2: 60}}
    small["trials"][0] |= {"count": 3}
    seen = look(small, batch).contexts_seen
    assert seen is not None
    assert set(seen["volunteer"]) == {1, 2}
    assert sum(seen["volunteer"].values()) == 60
    assert look(small).contexts_seen is None


def test_what_everybody_practises_with_is_named(small: Study, batch: Batch) -> None:
    small["trials"][0] |= {"training": 2, "sites": ["alpha"]}
    small["trials"][1] |= {"training": 1, "sites": ["alpha"]}
    said = list(lines(look(small, batch)))
    assert (
        "All participants practise trials[0] with beta over DSL with QUIC (Speed Index 800 ms), then beta over MSS "
        "with TCP+ (Speed Index 1000 ms)."
    ) in said
    assert "All participants practise trials[1] with beta over LTE with QUIC and TCP+ (Speed Index ratio 1.2)." in said
