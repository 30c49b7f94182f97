"""Tests the upload of a batch on the admin's page."""

import re
from pathlib import Path
from typing import Any

import pytest
from platform_process import Platform
from playwright.sync_api import Page, Route, expect

from .batches import renamed, truncated
from .conftest import NewContext
from .staff import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.services]


def upload(page: Page, folder: Path) -> None:
    page.get_by_label("Choose a folder").set_input_files(folder)


def taken(page: Page) -> Any:
    return page.get_by_role("status").filter(has_text="The batch by-hand has been received and checked.")


def test_a_folder_is_uploaded_and_becomes_visible(
    platform: Platform, new_context: NewContext, batch: Path, tmp_path: Path
) -> None:
    folder = renamed(batch, tmp_path, name="by-hand")
    page = new_context().new_page()
    sign_in(page, platform, "admin", to="/admin")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    upload(page, folder)
    expect(taken(page)).to_be_visible()
    assert len(sent) == 1
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="by-hand", exact=True))
    expect(entry.first).to_contain_text("visible")
    entry.first.get_by_role("link", name="by-hand").click()
    expect(page.get_by_role("heading", name="by-hand")).to_be_visible()
    films = page.locator("video")
    expect(films.first).to_be_visible()
    page.wait_for_function("() => [...document.querySelectorAll('video')].every(video => video.videoWidth > 0)")

    page.get_by_role("link", name="Batches").first.click()
    upload(page, folder)
    expect(taken(page)).to_be_visible()
    assert len(sent) == 1


def test_the_page_counts_the_takes_and_videos_that_the_worker_has_checked(
    platform: Platform, new_context: NewContext, batch: Path, tmp_path: Path
) -> None:
    folder = renamed(batch, tmp_path, name="by-hand")
    page = new_context().new_page()
    sign_in(page, platform, "admin", to="/admin")
    done = iter([0, *[3] * 1000])

    def answer(route: Route) -> None:
        response = route.fetch()
        counts = {"state": "committing", "checks_done": next(done), "checks_total": 38}
        route.fulfill(response=response, json=response.json() | counts)

    page.route("**/commit", answer)
    upload(page, folder)
    expect(
        page.get_by_text(re.compile(r"Checking takes and videos: 3 of 38, about \d+ (seconds?|minutes?) left"))
    ).to_be_visible()
    expect(page.get_by_role("progressbar", name="Checked takes and videos")).to_have_attribute("value", "8")
    page.unroute("**/commit")
    expect(taken(page)).to_be_visible()


def test_a_truncated_video_is_refused_by_name(
    platform: Platform, new_context: NewContext, batch: Path, tmp_path: Path
) -> None:
    folder, culprit = truncated(batch, tmp_path, name="truncated")
    page = new_context().new_page()
    sign_in(page, platform, "admin", to="/admin")
    upload(page, folder)
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("The batch was not accepted.")
    expect(refusal).to_contain_text(culprit)
    expect(refusal).to_contain_text(re.compile(r"only \d+ of its \d+ frames can be decoded"))
    page.reload()
    expect(page.get_by_role("link", name="tiny", exact=True)).not_to_have_count(0)
    expect(page.get_by_role("link", name="truncated", exact=True)).to_have_count(0)


def test_a_folder_without_a_manifest_is_refused(platform: Platform, new_context: NewContext, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("tea")
    page = new_context().new_page()
    sign_in(page, platform, "admin", to="/admin")
    upload(page, tmp_path / "notes")
    expect(page.get_by_role("alert")).to_contain_text("There is no manifest.json in this folder.")


def test_a_researcher_may_not_upload(platform: Platform, new_context: NewContext) -> None:
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to="/admin")
    expect(page.get_by_role("heading", name="This page is for admins")).to_be_visible()
    expect(page.get_by_label("Choose a folder")).to_have_count(0)
