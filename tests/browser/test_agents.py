"""Programs take part in a study, and the screening says what it found (docs/explanation/conformance.md)."""

import random
import time
from typing import Any

import httpx
import pytest
from platform_process import Platform
from researcher_client import researcher_client

from .agents import AGENTS
from .conftest import NewContext, Publish

pytestmark = [pytest.mark.browser, pytest.mark.services]

JUDGED_S = 60.0
# the rule that a program breaks by what it does; nothing for those that play each film in a page that is seen
CAUGHT_BY = {
    "clicks_at_once": "R9",
    "waits": "R9",
    "plays_hidden": "R3",
    "guesses": None,
    "looks_at_screenshots": None,
}


def judged(client: httpx.Client, sha256: str) -> dict[str, Any]:
    """The study's only session once it is judged."""
    end = time.monotonic() + JUDGED_S
    while time.monotonic() < end:
        (session,) = client.get(f"/api/research/studies/{sha256}/conformance/sessions").json()["sessions"]
        if session["used"] is not None:
            found: dict[str, Any] = session
            return found
        time.sleep(0.5)
    raise AssertionError(f"not judged within {JUDGED_S} s")


@pytest.mark.parametrize("agent", AGENTS)
def test_what_the_screening_says_of_a_program(
    platform: Platform, publish: Publish, new_context: NewContext, agent: str
) -> None:
    # a busy machine stalls
    rules = {"R2": {"use": False}, "R3": {"use": True}}
    study = publish(f"agent-{agent.replace('_', '-')}", rate=1, compare=1, conformance=rules)
    AGENTS[agent](new_context(), study["link"], random.Random(7))
    with researcher_client(platform) as client:
        session = judged(client, study["sha256"])
    broken = {finding["rule"] for finding in session["findings"] if finding["broken"] == "yes"} - {"R2"}
    rule = CAUGHT_BY[agent]
    assert session["used"] == (rule is None), session
    assert broken >= ({rule} if rule else set()), session
