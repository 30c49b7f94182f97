"""Chosen runs alone; each beside its like in both orders; what lacks its like is left out and named."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from eyelevel.batch.plan import plan
from eyelevel.batch.planned import Plan, Plans
from eyelevel_core.batch_folder import FilmedTake as Take
from eyelevel_core.model.metrics import FIELDS
from eyelevel_core.model.run import RunName
from tests.core.made import campaign
from tests.core.made import take as take_of

STACKS = ["TCP+", "QUIC"]
PAIRS = [["TCP+", "QUIC"]]


def take(stack: str, ms: float = 1000, *, site: str = "garden", run: int = 1, cache: str = "cold") -> Take:
    known = take_of(
        RunName(site, "DSL", stack, run, cache),
        metrics=dict.fromkeys(FIELDS, ms),
        settled_ms=ms + 3000,
    )
    return Take(Path(), f"{site}-{stack}-{run}", known, (0.0,))


def planned(*takes: Take, pairs: list[list[str]] = PAIRS, stacks: list[str] = STACKS, **rules: Any) -> Plans:
    settings = replace(campaign().clips, **{"researcher": False, "identical": False, "control_delay_ms": 0, **rules})
    return plan(takes, pairs=pairs, stacks=stacks, rules=settings)


def digests(clips: tuple[Plan, ...]) -> list[tuple[str, ...]]:
    return [tuple(t.digest for t in p.takes) for p in clips]


def test_both_orders_of_a_pair_and_each_take_alone() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), quantiles=())
    assert digests(batch_plan.clips) == [
        ("garden-QUIC-1",),
        ("garden-TCP+-1",),
        ("garden-TCP+-1", "garden-QUIC-1"),
        ("garden-QUIC-1", "garden-TCP+-1"),
    ]
    assert batch_plan.warnings == ()


def test_a_run_is_beside_its_like_not_beside_its_number() -> None:
    batch_plan = planned(
        *(take("QUIC", ms, run=run) for run, ms in enumerate((300, 200, 100), start=1)),
        *(take("TCP+", ms, run=run) for run, ms in enumerate((500, 600, 700), start=1)),
    )
    pairs = {
        (p.role, *(t.run for t in p.takes), p.run)
        for p in batch_plan.clips
        if p.takes[0].stack == "TCP+" and p.takes[1:]
    }
    assert pairs == {("medoid", 2, 2, 2), ("q25", 1, 3, 1), ("q75", 3, 1, 3)}
    # both orders of a pair have the run of the stack that the campaign names first
    assert {(p.role, p.run) for p in batch_plan.clips if p.kind == "pair"} == {("medoid", 2), ("q25", 1), ("q75", 3)}


def test_in_a_paired_campaign_a_run_is_beside_its_number() -> None:
    batch_plan = planned(
        *(take("QUIC", ms, run=run) for run, ms in enumerate((300, 200, 100), start=1)),
        *(take("TCP+", ms, run=run) for run, ms in enumerate((500, 600, 900), start=1)),
        take("TCP+", 10, run=4),  # its like of QUIC is void: no block
        paired=True,
    )
    assert {(p.role, *(t.run for t in p.takes)) for p in batch_plan.clips if p.kind == "pair"} == {
        *(("medoid", 2, 2), ("q25", 3, 3), ("q75", 1, 1)),
    }


def test_a_metric_that_never_came_counts_as_later_than_the_takes_end() -> None:
    endless = take("QUIC", 400, run=3)
    endless = replace(endless, take=replace(endless.take, metrics={**endless.metrics, "plt_ms": None}))
    batch_plan = planned(take("QUIC", 500, run=1), take("QUIC", 450, run=2), endless, pairs=[])
    assert {p.role: p.run for p in batch_plan.clips} == {"medoid": 2, "q25": 1, "q75": 3}


def test_takes_of_different_sites_are_never_paired() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+", site="forest"), quantiles=())
    assert [p for p in batch_plan.clips if p.kind == "pair"] == []
    assert batch_plan.warnings == (
        "forest, DSL: no clip shows TCP+ beside QUIC for medoid, because there is no such take of QUIC.",
        "garden, DSL: no clip shows TCP+ beside QUIC for medoid, because there is no such take of TCP+.",
    )


def test_too_few_runs_are_said_so() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), take("TCP+", 900, run=2))
    assert [len(roles) for roles in batch_plan.shown.values()] == [1, 2]
    assert batch_plan.warnings == (
        "garden, DSL: no clip shows TCP+ beside QUIC for q75, because there is no such take of QUIC.",
        "Clips should show 3 runs per setting, but garden, DSL, QUIC has 1 (1 other settings also have too few); "
        "they show the existing runs.",
    )


def test_a_pair_of_stacks_that_the_campaign_does_not_have_is_no_matter() -> None:
    batch_plan = planned(take("QUIC"), stacks=["QUIC"], quantiles=())
    assert (digests(batch_plan.clips), batch_plan.warnings) == ([("garden-QUIC-1",)], ())


def test_all_clips_of_a_scene_end_together_and_other_scenes_apart() -> None:
    batch_plan = planned(take("QUIC", 700), take("TCP+", 900.5), take("QUIC", 100, site="forest"), quantiles=())
    ends = {(p.takes[0].site, p.timing.end_ms, p.timing.count) for p in batch_plan.clips}
    # each take had settled 3 s after its last change
    assert ends == {("garden", 3900.5, 60 + 236), ("forest", 3100, 60 + 187)}


def test_a_clip_has_sixty_frames_a_second() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), quantiles=())
    assert {p.timing.frame_rate for p in batch_plan.clips} == {60}


def test_the_length_of_a_clip_does_not_reveal_its_stack_or_run() -> None:
    runs = [take("TCP+", 9000, run=1), take("TCP+", 100, run=2), take("QUIC", 300, run=1), take("QUIC", 100, run=2)]
    batch_plan = planned(*runs, quantiles=(0.25,), identical=True)
    assert len(batch_plan.clips) > 4
    assert {p.timing.count for p in batch_plan.clips} == {60 + 721}


def test_researchers_get_every_clip_but_one_order_of_a_pair() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), quantiles=(), researcher=True)
    assert digests(tuple(p for p in batch_plan.clips if p.audience == "researcher")) == [
        ("garden-QUIC-1",),
        ("garden-TCP+-1",),
        ("garden-TCP+-1", "garden-QUIC-1"),
    ]


def test_second_visits_make_no_clips() -> None:
    batch_plan = planned(take("QUIC"), take("QUIC", 300, cache="http"), quantiles=())
    assert [p.takes[0].cache for p in batch_plan.clips] == ["cold"]
    assert batch_plan.warnings[0] == "1 takes of second visits are in the batch, but clips show first visits only."
