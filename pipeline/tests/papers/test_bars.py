"""Average gains are drawn so that each pair can be told from the others."""

from eyelevel.compare.pairs import QUESTIONS_2019
from eyelevel_papers.wolsing2019.bars import average_bars


def test_each_pair_has_its_own_colour() -> None:
    gains = {str(pair): {"si": -0.1} for pair in QUESTIONS_2019}
    bars = [mark for mark in average_bars("DSL", gains, "average-DSL").marks if mark.find("title") is not None]
    assert len({bar.get("fill") for bar in bars}) == len(bars) == len(QUESTIONS_2019)
