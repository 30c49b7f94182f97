"""What a probe is expected to take, as its loads go on."""

import pytest

from eyelevel.probe.budget import MOVING_BUDGET_S, REST_BUDGET_S, budget, progress


@pytest.mark.parametrize(
    ("still", "filmed", "done_and_all"),
    [([], False, (0, 52)), ([True], False, (34, 52)), ([True, True], True, (48, 52)),
     ([False], False, (34, 144)), ([False] * 4, True, (136, 144)), ([False] * 4, False, (136, 180)),
     ([True, False], False, (68, 144)), ([False, True, True], True, (102, 108))],
)  # fmt: skip
def test_a_page_goes_on_as_its_loads_did(still: list[bool], filmed: bool, done_and_all: tuple[int, int]) -> None:
    assert progress(still, filmed=filmed) == done_and_all


def test_what_is_expected_is_within_the_budget() -> None:
    assert progress([True, True], filmed=True)[1] <= REST_BUDGET_S
    assert progress([False] * 4, filmed=True)[1] <= MOVING_BUDGET_S


def test_the_budget_is_said_for_all_pages() -> None:
    each = "about 60 s for a page that stops changing, 150 s for a page that never does"
    assert budget(1) == f"1 page to probe: {each}."
    assert budget(9) == f"9 pages to probe: {each}; 9 to 22 min."
