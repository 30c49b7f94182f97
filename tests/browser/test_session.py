"""Tests a whole session in a wide window: what is clicked is what the researcher exports."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import NewContext, Publish
from .export import exported_votes
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]

ANSWERS = {
    1: {"score": 2, "choice": "right", "sureness": 4},
    2: {"score": 6, "choice": "none", "sureness": 1},
    3: {"score": 1, "choice": "left", "sureness": 5},
    4: {"score": 7, "choice": "right", "sureness": 2},
}
REPLAYED = 2


def shown_clips(person: Person, session: dict[str, Any]) -> dict[int, str]:
    """Per position, the SHA-256 of the very bytes behind its address."""
    origin = person.page.url.split("/s/")[0]
    return {
        trial["position"]: hashlib.sha256(person.page.request.get(origin + trial["clip"]["url"]).body()).hexdigest()
        for trial in session["trials"]
    }


def test_the_export_holds_what_a_participant_clicked(
    platform: Platform, publish: Publish, new_context: NewContext, batch: Path
) -> None:
    study = publish("whole", rate=2, compare=2)
    person = Person(new_context().new_page())
    person.arrive(study["link"])
    for number, answers in ANSWERS.items():
        person.trial(number, 4)
        if number == 3:
            person.reload()
            person.trial(number, 4)
        person.watch(number)
        if number == REPLAYED:
            replay = person.page.get_by_role("button", name=person.words.replay)
            replay.click()
            expect(replay).to_have_count(0)
            expect(replay).to_be_visible()
        person.answer(number, **answers)
    code = person.code()
    session = person.session()
    clips = shown_clips(person, session)
    votes = exported_votes(platform, study, at_least=4)

    known = {clip["sha256"]: clip for clip in json.loads((batch / "manifest.json").read_text())["clips"]}
    kinds = [person.votes[number]["trial_kind"] for number in sorted(person.votes)]
    assert sorted(kinds) == ["compare", "compare", "rate", "rate"]
    assert session["state"] == "completed"
    assert len(code) >= 6
    for number, film in person.films.items():
        clip = known[clips[number]]
        assert (film["width_px"], film["height_px"]) == (clip["width_px"], clip["height_px"])
        assert film["ended"]
        assert film["rate"] == 1
        assert film["played_s"] == pytest.approx(film["duration_s"], abs=0.05)
        assert film["duration_s"] == pytest.approx(clip["duration_ms"] / 1000, abs=0.05)
        assert film["seen_s"] >= film["duration_s"] - 0.1
        assert film["frames"] > 0

    mine = {int(vote["position"]): vote for vote in votes}
    assert len(votes) == 4
    assert {vote["session_id"] for vote in votes} == {session["id"]}
    assert {vote["study_sha256"] for vote in votes} == {study["sha256"]}
    for number, clicked in person.votes.items():
        clip = known[clips[number]]
        left, right = clip["stacks"] if clip["kind"] == "pair" else ("", "")
        exported = {key: mine[number][key] for key in (*clicked, "clip_sha256", "left_stack", "right_stack", "stack")}
        assert exported == clicked | {
            "clip_sha256": clips[number],
            "left_stack": left,
            "right_stack": right,
            "stack": clip["stacks"][0] if clip["kind"] == "single" else "",
        }
        assert (mine[number]["site"], mine[number]["network"]) == (clip["site"], clip["network"])
        assert mine[number]["replays"] == ("1" if number == REPLAYED else "0")
    assert float(mine[REPLAYED]["answer_ms"]) >= person.films[REPLAYED]["duration_s"] * 1000 - 100

    person.page.reload()
    assert person.code() == code


def test_one_browser_takes_part_in_two_studies_at_once(publish: Publish, new_context: NewContext) -> None:
    first, second = (publish(name, rate=1, compare=1) for name in ("first", "second"))
    context = new_context()
    person = Person(context.new_page())
    person.arrive(first["link"])
    person.trial(1, 2)
    begun = person.session()["id"]
    again = Person(context.new_page())
    again.arrive(second["link"])
    again.trial(1, 2)
    assert again.session()["id"] != begun
    # and the first one goes on beside it
    person.watch(1)
    person.answer(1)
    person.trial(2, 2)
    person.reload()
    person.trial(2, 2)
