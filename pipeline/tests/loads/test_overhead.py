"""Parts of a run follow from moments; a moment that is unknown leaves the parts at its sides unknown."""

from eyelevel.loads.inside.measuring.moments import PARTS, medians_ms, parts_ms

MARKS = dict(zip(("begun", *PARTS.values()), (ms * ms for ms in range(len(PARTS) + 1)), strict=True))


def test_parts_add_up_to_the_whole() -> None:
    parts = parts_ms(MARKS)
    assert list(parts) == list(PARTS)
    assert parts["set_up"] == 1
    assert parts["browser"] == 3
    assert sum(ms for ms in parts.values() if ms is not None) == len(PARTS) ** 2


def test_a_load_that_never_came_leaves_two_parts_unknown() -> None:
    parts = parts_ms({name: ms for name, ms in MARKS.items() if name != "load"})
    assert [part for part, ms in parts.items() if ms is None] == ["load", "wait"]


def test_medians_count_the_runs_that_know_a_part() -> None:
    medians = medians_ms([{"load": 10.0, "wait": None}, {"load": 30.0, "wait": None}, {"load": 11.0}])
    assert (medians["load"], medians["wait"], medians["ask"]) == (11, None, None)
