"""Rules that apply to a study: those that its participants can break."""

from eyelevel_core.study.design import Design
from eyelevel_stats.conformance.rules import RULES

NOT_ASKED = "not asked"


def asked_rules(design: Design) -> tuple[str, ...]:
    """Returns the rules that can be broken in this study, in the order of RULES.

    R4 needs a block that accepts answers from the start of a play, R6 control videos, R7 control questions, and R8 a
    block with a smallest size; the others apply to every study.
    """
    asks = {
        "R4": any(block.answer_from == "start" for block in design.blocks),
        "R6": design.controls.videos.count > 0,
        "R7": bool(design.controls.questions),
        "R8": any(block.min_scale or block.min_device_scale for block in design.blocks),
    }
    return tuple(rule for rule in RULES if asks.get(rule, True))
