"""The orange and the white page before navigation, on a browser that may be held back."""

import asyncio

import pytest

from eyelevel.loads.inside.filming import lead
from eyelevel.loads.inside.filming.lead import show_white
from eyelevel.loads.inside.request import Cause, VoidError

TOO_SLOW = VoidError(Cause.CLOCKS_DISAGREE, "the film shows white 400 ms after the page turned white")


def shown(monkeypatch: pytest.MonkeyPatch, outcomes: list[VoidError | None], *, clear_after_s: float | None) -> int:
    """How often it was tried, each time with the next outcome; `clear_after_s` None: clear from the start."""
    tried = []

    async def once(page: object, film: object) -> None:
        tried.append(1)
        outcome = outcomes[len(tried) - 1]
        if outcome is not None:
            raise outcome

    monkeypatch.setattr(lead, "_show_white", once)

    async def run() -> None:
        clear = asyncio.Event()
        if clear_after_s is None:
            clear.set()
        else:
            asyncio.get_running_loop().call_later(clear_after_s, clear.set)
        await show_white(None, None, clear)  # type: ignore[arg-type]  # nothing is asked of them

    asyncio.run(run())
    return len(tried)


def test_what_is_too_slow_while_held_back_is_shown_again_when_its_turn_has_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert shown(monkeypatch, [TOO_SLOW, None], clear_after_s=0.05) == 2
    assert shown(monkeypatch, [None], clear_after_s=60) == 1


def test_what_is_too_slow_in_its_turn_voids_the_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(VoidError, match="400 ms"):
        shown(monkeypatch, [TOO_SLOW], clear_after_s=None)
    with pytest.raises(VoidError, match="400 ms"):
        shown(monkeypatch, [TOO_SLOW, TOO_SLOW], clear_after_s=0.05)
