"""The progress of a campaign must not take processor time from the page that loads."""

import pytest

from eyelevel.capture.attempts.runner import AttemptResult
from eyelevel.capture.outcome.progress import Talk
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.model.run import Run

RUN = Run("garden", "DSL", "QUIC", 1, recording="ab" * 32, seed=1, page_seed=1)
DETAIL = "KeyError: [/red] of [bold]settled[/bold]"


def test_the_bar_is_drawn_once_a_second() -> None:
    assert Talk(runs=2, taken=0)._bar.live.refresh_per_second == 1


@pytest.mark.parametrize("exhausted", [0, 1])
def test_an_error_that_looks_like_markup_is_shown_as_it_is(exhausted: int, capsys: pytest.CaptureFixture[str]) -> None:
    Talk(runs=2, taken=0).tell(AttemptResult(RUN, None, VoidError(Cause.BROKEN_RESULT, DETAIL), exhausted))
    assert DETAIL in capsys.readouterr().err
