"""Tests a researcher's visit: live results, export, pause and preview."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Route, expect

from .conftest import NewContext, Publish
from .export import votes_in
from .person import Person
from .staff import see_results, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.services]

PARTICIPANTS = 2
AWAY = {"error": {"code": "recomputing", "message": "The results are being computed again.", "retry": True}}


def simulate(platform: Platform, study: dict[str, Any], participants: int) -> int:
    """Send simulated participants; how many votes they gave."""
    people = ("--participants", str(participants), "--seed", "7")
    output = platform.eyelevel("simulate", "--study", study["link"], *people, scope="studies")
    votes: int = json.loads(output)["votes"]
    return votes


def entry_of(page: Page, study: dict[str, Any]) -> Any:
    """The study among all studies, which may have the same title."""
    return page.get_by_role("listitem").filter(has_text=study["fieldings"][0]["slug"])


def test_a_wrong_password_is_told_in_a_sentence(platform: Platform, new_context: NewContext) -> None:
    page = new_context().new_page()
    page.goto(f"{platform.url}/research")
    page.get_by_label("User name").fill("researcher")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_have_text("User name or password is wrong.")
    expect(page.get_by_role("button", name="Log out", exact=True)).to_have_count(0)


def test_a_researcher_sees_votes_arrive_and_takes_them_home(
    platform: Platform, publish: Publish, new_context: NewContext, tmp_path: Path
) -> None:
    study = publish("visited", rate=2, compare=2)
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to="/research")
    entry = entry_of(page, study)
    expect(entry).to_contain_text("0 votes")
    entry.get_by_role("link", name="How fast does a website feel?").click()
    see_results(page)
    expect(page.get_by_role("status").filter(has_text="No votes yet.")).to_be_visible()
    page.evaluate("window.neverReloaded = true")

    votes = simulate(platform, study, PARTICIPANTS)
    assert votes == 4 * PARTICIPANTS
    snapshot = page.get_by_role("status").filter(has_text="Snapshot")
    expect(snapshot).to_have_text(re.compile(rf": {votes} votes from {PARTICIPANTS} sessions\. "), timeout=60_000)
    note = page.get_by_role("note").filter(has_text="All completed sessions of this study are simulated")
    expect(note).to_be_visible()
    note.get_by_role("button", name="Include simulated sessions").click()
    expect(page.get_by_role("heading", name="How satisfying the speed was")).to_be_visible()
    expect(page.get_by_role("group", name="Mean opinion scores on ").first).to_be_visible()
    expect(page.get_by_role("group", name="Answers about ").first).to_be_visible()
    for metric in ("FVC", "SI", "VC85", "LVC", "PLT"):
        # its points can be opened
        expect(page.get_by_role("group", name=re.compile(f"^Mean opinion scores against {metric} "))).to_be_visible()
    page.get_by_text("Clips’ MOS and metrics by network").click()
    expect(page.get_by_role("region", name="Clips’ MOS and metrics by network").get_by_role("row")).not_to_have_count(1)
    # votes of programs fill no cell
    expect(page.get_by_text(re.compile(r"^0 of \d+ votes\. A vote counts if its session is complete"))).to_be_visible()
    assert page.evaluate("window.neverReloaded") is True

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=503, json=AWAY)
        else:
            route.fallback()

    page.route("**/export-jobs", refuse)
    page.get_by_role("button", name="Export").press("Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "The results are being computed again after an update. Please try again in a minute."
    )
    page.unroute("**/export-jobs")
    page.get_by_role("button", name="Try again").press("Enter")
    said = page.get_by_role("status").filter(has_text="The export of")
    ready = re.compile(rf"^The export of {votes} votes is ready \(\d+ kB\) and available until ")
    expect(said).to_have_text(ready, timeout=60_000)
    expect(page.get_by_role("button", name="Export again")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Download export")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.suffix == ".zip"
    rows = votes_in(file.read_bytes())
    assert len({row["vote_id"] for row in rows}) == votes
    assert {row["study_sha256"] for row in rows} == {study["sha256"]}
    assert len({row["session_id"] for row in rows}) == PARTICIPANTS


def test_pausing_a_study_tells_participants_and_resuming_lets_them_in(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("paused", rate=1, compare=1)
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    count = page.locator(".fielding__progress .progress__text")
    expect(count).to_have_text("0 of 100 counted")
    assert count.evaluate("text => text.scrollWidth <= text.clientWidth"), "it runs into the text beside it"
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()

    participant = new_context().new_page()
    participant.goto(study["link"])
    expect(participant.get_by_role("heading", name="This study is taking a short break")).to_be_visible()
    expect(participant.get_by_role("button", name="Begin")).to_have_count(0)

    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    participant.reload()
    expect(participant.get_by_role("button", name="Begin")).to_be_visible()


def test_a_preview_plays_the_whole_study_and_leaves_nothing(
    platform: Platform, publish: Publish, new_context: NewContext
) -> None:
    study = publish("previewed", rate=1, compare=1)
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Preview").click()
    preview = opened.value
    person = Person(preview)
    person.arrive(preview.url)
    banner = preview.get_by_role("note").filter(has_text="Preview: answers are not stored as study data")
    for number in (1, 2):
        person.trial(number, 2)
        expect(banner).to_be_visible()
        if number == 2:
            preview.reload()
            person.trial(number, 2)
        person.watch(number)
        person.answer(number)
    assert person.code() == "PREVIEW"
    expect(banner).to_be_visible()

    page.reload()
    expect(page.get_by_text("0 started")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^0 of \d+ votes\. A vote counts if its session is complete"))).to_be_visible()
    see_results(page)
    expect(page.get_by_role("status").filter(has_text="No votes yet.")).to_be_visible()
