"""A session's trials: one context at a time, training first, repeats later, controls anywhere but first."""

import itertools
from collections import Counter
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyelevel_core.assignment.allocation import generator
from eyelevel_core.assignment.cell import Cell
from eyelevel_core.assignment.context_order import counterbalanced
from eyelevel_core.assignment.trial_order import REPEAT_AFTER, Entry, phases_of, trial_order
from eyelevel_core.study.design import Design
from eyelevel_core.study.resolve import design_of, resolve

CONTEXTS = ["work", "leisure", "plane"]
SITES = 8


def block(kind: str = "rate", count: int = 6, **changes: Any) -> dict[str, Any]:
    return {"kind": kind, "count": count, "training": 0, "contexts": CONTEXTS} | changes


def design(*blocks: dict[str, Any], how: str = "counterbalanced", controls: int = 0) -> Design:
    text = {"en": "x"}
    study = {
        "name": "small",
        "seed": 1,
        "languages": ["en"],
        "title": text,
        "contact": "study@example.org",
        "consent": {"version": "1", "text": text},
        "batch": "small",
        "contexts": [{"key": key, "label": text, "networks": ["DSL"]} for key in CONTEXTS],
        "order": {"contexts": how},
        "controls": {"videos": {"count": controls}},
        "trials": list(blocks) or [block()],
    }
    return design_of(resolve(study))


def cells_for(study: Design) -> list[Cell]:
    """Eight settings per block as main ones, four more as identical pairs and four as controls, in every context.

    Training clips are of further settings, in every context of the study.
    """
    cells: list[Cell] = []
    for number, asked in enumerate(study.blocks):
        roles = ["main"] * SITES + ["identical"] * 4 + ["control"] * 4
        for site, role in enumerate(roles):
            for context in asked.contexts:
                setting = (number, site % SITES, role == "identical")
                clip = (number, site)
                cells.append(Cell(len(cells), number, context, setting, clip, ("QUIC",), clip, role))
        for context in study.context_keys:
            for taught in range(asked.training):
                clip = (number, 100 + taught)
                cells.append(Cell(len(cells), number, context, clip, clip, ("QUIC",), clip, "training"))
    return cells


def main_of(study: Design, cells: list[Cell], seed: int, identical: int = 0) -> list[list[int]]:
    """Assignments as they come from allocation: different settings, each in some context."""
    rng = generator(seed=seed, fielding="seats", number=0)
    assignments = []
    for number, asked in enumerate(study.blocks):
        settings = rng.sample(range(SITES), asked.count - identical)
        context_of = {site: rng.choice(asked.contexts) for site in settings}
        assignments.append(
            [
                cell.stimulus
                for cell in cells
                if cell.block == number and cell.role == "main" and context_of.get(cell.setting[1]) == cell.context  # type: ignore[index]
            ]
        )
    return assignments


Trials = list[tuple[Entry, Cell]]


def plan(study: Design, *, seed: int = 1, turn: int = 1, identical: int = 0, met: Collection[Any] = ()) -> Trials:
    cells = cells_for(study)
    rng = generator(seed=seed, fielding="f", number=turn)
    beside = [identical] * len(study.blocks)
    main = main_of(study, cells, seed, identical)
    entries = trial_order(study, cells, main, identical=beside, turn=turn, met=met, rng=rng)
    by_stimulus = {cell.stimulus: cell for cell in cells}
    return [(entry, by_stimulus[entry.stimulus]) for entry in entries]


def runs(trials: Trials) -> list[str]:
    """The contexts as they follow each other."""
    return [context for context, _ in itertools.groupby(cell.context for _, cell in trials)]


seeds = st.integers(0, 10_000)


@given(seeds, st.integers(1, 30), st.integers(0, 2), st.integers(0, 3))
def test_one_context_at_a_time_in_the_assignments_order(seed: int, turn: int, repeats: int, controls: int) -> None:
    study = design(block(repeats=repeats), controls=controls)
    trials = plan(study, seed=seed, turn=turn)
    asked = [context for context in counterbalanced(CONTEXTS, turn - 1) if context in {c.context for _, c in trials}]
    assert runs(trials) == asked


@given(seeds, st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), st.integers(0, 2))
def test_a_plan_has_what_the_study_says_and_no_setting_twice(
    seed: int, training: int, repeats: int, controls: int, identical: int
) -> None:
    study = design(block(training=training, repeats=repeats), controls=controls)
    trials = plan(study, seed=seed, identical=identical)
    roles = Counter(entry.role for entry, _ in trials)
    wanted = {
        "main": 6 - identical,
        "identical": identical,
        "training": training,
        "repeat": repeats,
        "control": controls,
    }
    assert roles == Counter(wanted)
    data = [cell.setting for entry, cell in trials if entry.role in {"main", "identical"}]
    assert len(set(data)) == 6
    assert len({cell.clip for entry, cell in trials if entry.role == "control"}) == controls


@given(seeds, st.integers(1, 30), st.integers(1, 3))
def test_training_comes_first_the_same_for_everybody_in_the_context_that_follows(
    seed: int, turn: int, training: int
) -> None:
    trials = plan(design(block(training=training)), seed=seed, turn=turn)
    assert [entry.role for entry, _ in trials][: training + 1] == ["training"] * training + ["main"]
    assert [cell.clip for _, cell in trials][:training] == [(0, 100 + taught) for taught in range(training)]
    # no change of situation between practice and data
    assert len(runs(trials)) == len({cell.context for _, cell in trials})


def test_a_block_in_other_contexts_is_practised_in_the_context_that_comes_first() -> None:
    home, work = block(contexts=CONTEXTS[:1], training=2), block(contexts=CONTEXTS[1:2])
    firsts = set()
    for turn in (1, 2, 3, 4, 5, 6):
        trials = plan(design(home, work), turn=turn)
        assert [cell.clip for _, cell in trials][:2] == [(0, 100), (0, 101)]
        assert len(runs(trials)) == 2
        firsts.add(trials[0][1].context)
    assert firsts == set(CONTEXTS[:2])


@given(seeds, st.integers(1, 3))
def test_a_repeat_is_another_trials_clip_again_in_its_context_some_trials_later(seed: int, repeats: int) -> None:
    trials = plan(design(block(repeats=repeats), controls=2), seed=seed)
    originals = []
    for position, (entry, cell) in enumerate(trials, start=1):
        if entry.role != "repeat":
            assert entry.repeats_position is None
            continue
        assert entry.repeats_position is not None
        original, shown = trials[entry.repeats_position - 1]
        originals.append(entry.repeats_position)
        assert (original.role, original.stimulus, shown.context) == ("main", entry.stimulus, cell.context)
        assert entry.repeats_position < position
    assert len(set(originals)) == len(originals) == repeats


def test_a_repeat_comes_after_three_others_where_there_are_so_many() -> None:
    study = design(block(count=8, repeats=3, contexts=["work"]))
    for seed in range(50):
        trials = plan(study, seed=seed)
        gaps = [p - (e.repeats_position or 0) - 1 for p, (e, _) in enumerate(trials, start=1) if e.role == "repeat"]
        assert min(gaps) >= REPEAT_AFTER


def test_a_block_of_one_trial_can_be_repeated() -> None:
    trials = plan(design(block(count=1, repeats=1)))
    assert [(entry.role, entry.repeats_position) for entry, _ in trials] == [("main", None), ("repeat", 1)]


@given(seeds, st.integers(1, 4))
def test_no_control_video_is_the_first_and_each_stands_somewhere_else_each_time(seed: int, controls: int) -> None:
    trials = plan(design(block(), controls=controls), seed=seed)
    assert trials[0][0].role == "main"
    places = {
        tuple(p for p, (e, _) in enumerate(plan(design(block(), controls=controls), seed=s)) if e.role == "control")
        for s in range(10)
    }
    assert len(places) > 1


def test_blocks_keep_their_order_but_blocks_written_per_context_take_turns() -> None:
    apart = design(
        block(count=3, contexts=["work", "leisure"]), block(count=2, contexts=["plane"]), block("compare", count=2)
    )
    assert phases_of(apart.blocks) == [[0, 1], [2]]
    firsts = Counter(runs(plan(apart, seed=seed, turn=turn))[0] for seed, turn in enumerate(range(1, 61)))
    assert firsts["plane"] >= 20
    for turn in range(1, 7):
        blocks = [cell.block for _, cell in plan(apart, turn=turn)]
        assert blocks[5:] == [2, 2]
    shared = [block(contexts=["work"]), block(contexts=["work", "plane"])]
    assert phases_of(design(*shared).blocks) == [[0], [1]]


@pytest.mark.parametrize("how", ["counterbalanced", "random", "fixed"])
def test_the_same_seed_and_turn_give_the_same_plan(how: str) -> None:
    study = design(block(training=1, repeats=1), block("compare"), how=how, controls=2)
    assert plan(study, turn=3, identical=1) == plan(study, turn=3, identical=1)
    assert plan(study, turn=3, identical=1) != plan(study, turn=4, identical=1)


def test_a_block_that_nothing_is_wanted_of_is_not_asked() -> None:
    study = design(block(training=2, repeats=1), block("compare", count=3, training=1), controls=2)
    cells = cells_for(study)
    main = [[], main_of(study, cells, 1)[1]]
    entries = trial_order(study, cells, main, identical=[0, 0], turn=1, rng=generator(seed=1, fielding="f", number=1))
    asked = Counter((cells[entry.stimulus].block, entry.role) for entry in entries)
    assert asked == {(1, "training"): 1, (1, "main"): 3, (1, "control"): 2}


@given(seeds)
def test_what_was_met_before_is_not_shown_again_where_something_else_is_left(seed: int) -> None:
    study = design(block(count=3, training=2), controls=1)
    cells = cells_for(study)
    main = {cells[stimulus].setting for stimulus in main_of(study, cells, seed, 1)[0]}
    others = sorted({cell.setting for cell in cells if cell.role == "main"} - main, key=str)
    # three of the four identical pairs
    met = {*others[:2], *[(0, site, True) for site in (0, 1, 2)]}
    trials = plan(study, seed=seed, identical=1, met=met)
    assert not met & {cell.setting for _, cell in trials}
    assert Counter(entry.role for entry, _ in trials) == {"training": 2, "main": 2, "identical": 1, "control": 1}
    # rather none than one that is known
    met |= {(0, 3, True)}
    assert "identical" not in {entry.role for entry, _ in plan(study, seed=seed, identical=1, met=met)}
