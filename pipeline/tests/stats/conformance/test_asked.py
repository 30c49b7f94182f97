"""A rule that a study gives no occasion to break is not asked."""

from dataclasses import replace

from eyelevel_stats.conformance import RULES, asked_rules

from .people import DESIGN


def test_a_study_without_controls_sizes_and_early_answers_asks_five_rules() -> None:
    bare = replace(DESIGN.controls, videos=replace(DESIGN.controls.videos, count=0), questions=())
    blocks = tuple(replace(block, answer_from="end", kind_fields={}) for block in DESIGN.blocks)
    assert asked_rules(replace(DESIGN, controls=bare, blocks=blocks)) == ("R1", "R2", "R3", "R5", "R9")


def test_each_occasion_asks_its_rule() -> None:
    bare = replace(DESIGN.controls, videos=replace(DESIGN.controls.videos, count=0), questions=())
    blocks = tuple(replace(block, answer_from="end", kind_fields={}) for block in DESIGN.blocks)
    none = replace(DESIGN, controls=bare, blocks=blocks)
    early = replace(none, blocks=(replace(blocks[0], answer_from="start"), *blocks[1:]))
    sized = replace(none, blocks=(replace(blocks[0], kind_fields={"min_device_scale": 1.0}), *blocks[1:]))
    videos = replace(none, controls=replace(bare, videos=replace(bare.videos, count=1)))
    added = [set(asked_rules(variant)) - set(asked_rules(none)) for variant in (early, sized, videos)]
    assert added == [{"R4"}, {"R8"}, {"R6"}]
    assert set(asked_rules(none)) < set(RULES)
