"""One stack beside itself, and loads held back: clips to which the right answer is known."""

import pytest

from eyelevel.batch.planned import Plan
from eyelevel.batch.timeline import Timing, changes

from .test_plan import PAIRS, planned, take


def of(batch_plan: tuple[Plan, ...], purpose: str) -> list[Plan]:
    return [clip for clip in batch_plan if clip.purpose == purpose]


def test_the_first_stack_of_a_pair_stands_beside_itself() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), pairs=[["TCP+", "QUIC"]], quantiles=(), identical=True)
    (clip,) = of(batch_plan.clips, "identical")
    assert [filmed.digest for filmed in clip.takes] == ["garden-TCP+-1", "garden-TCP+-1"]
    assert (clip.kind, clip.audience, clip.delays_ms) == ("pair", "participant", ())


def test_two_runs_of_one_stack_stand_beside_each_other_in_both_orders() -> None:
    runs = [take("TCP+", ms, run=run) for run, ms in enumerate((500, 600, 700), start=1)]
    batch_plan = planned(*runs, take("QUIC"), identical=True)
    shown = [tuple(filmed.run for filmed in clip.takes) for clip in of(batch_plan.clips, "identical")]
    assert shown == [(2, 2), (2, 1), (1, 2)]


def test_researchers_get_no_clips_of_one_stack_twice() -> None:
    batch_plan = planned(take("QUIC"), take("TCP+"), researcher=True, identical=True, control_delay_ms=6000)
    known = of(batch_plan.clips, "identical") + of(batch_plan.clips, "control")
    assert {clip.audience for clip in known} == {"participant"}


def test_a_site_is_held_back_alone_and_on_either_side() -> None:
    batch_plan = planned(take("QUIC", 700), take("TCP+", 900), take("QUIC", 5000, site="forest"), control_delay_ms=6000)
    held = of(batch_plan.clips, "control")
    assert [(clip.takes[0].digest, clip.kind, clip.delays_ms) for clip in held] == [
        ("forest-QUIC-1", "single", (6000,)),
        ("forest-QUIC-1", "pair", (6000, 0)),
        ("forest-QUIC-1", "pair", (0, 6000)),
        # the quicker of the two stacks
        ("garden-QUIC-1", "single", (6000,)),
        ("garden-QUIC-1", "pair", (6000, 0)),
        ("garden-QUIC-1", "pair", (0, 6000)),
    ]


def test_a_side_held_back_shows_the_same_later_and_both_sides_end_together() -> None:
    (pair,) = [
        clip
        for clip in planned(take("QUIC", 100), pairs=PAIRS, control_delay_ms=200).clips
        if clip.delays_ms == (200, 0)
    ]
    late, early = pair.timing_of(0), pair.timing_of(1)
    assert late.count == early.count == pair.timing.count
    assert (late.start_ms, early.start_ms) == (1200, 1000)
    times_ms = [float(ms) for ms in range(0, 200, 10)]
    frames_late = 12  # 200 ms at 60 frames a second
    first, *others = changes(times_ms, early)
    assert changes(times_ms, late) == [first, *((frame + frames_late, index) for frame, index in others)]


def test_a_load_without_room_after_it_cannot_be_delayed() -> None:
    with pytest.raises(ValueError, match="delayed by 3 frames needs as many after it, not 2"):
        Timing(30, 1000).longer(2).delayed(3)
