"""Follows docs/tutorials/demo.md and first-study.md: each command, and what a person does on the pages between them.

The clips last one second, and fewer simulated participants take part.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.conftest import PATIENCE_MS, WIDE, chromium, playwright
from browser.person import Person
from browser.studies import DEMO
from platform_process import Platform
from playwright.sync_api import Browser, Page, expect
from tutorial import PLATFORM, Shell, command_blocks, entrance, labels, like_a_clone, outputs, says

pytestmark = [pytest.mark.browser, pytest.mark.services]

__all__ = ["chromium", "playwright"]

TRIALS = 6


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=WIDE, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def address_in(block: str) -> str:
    """The link that a person replaces by their own."""
    (found,) = re.findall(rf"{re.escape(PLATFORM)}/s/\w+", block)
    return str(found)


def take_part(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("checkbox").check()
    for name in labels("first-study.md", "4"):
        page.get_by_role("button", name=name).click()
    person = Person(page)
    for number in range(1, TRIALS + 1):
        person.trial(number, TRIALS)
        person.watch(number)
        person.answer(number)
    person.code()


def log_in(page: Page, platform: Platform, *, study: str) -> None:
    page.goto(f"{platform.url}/research")
    page.get_by_label("User name").fill("researcher")
    page.get_by_label("Password").fill(platform.secret("researcher-password"))
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name=study).click()
    # the list of studies has bars of progress, too: without this line, theirs might be read
    expect(page.get_by_role("heading", level=1, name=study)).to_be_visible()


def test_a_first_study(platform: Platform, batch: Path, tmp_path: Path, page: Page) -> None:
    write, check, publish, link, simulate, analyse = command_blocks("first-study.md")
    checked, published, simulated, counted, analysed = outputs("first-study.md")
    replacements = {PLATFORM: platform.url, "batch: demo": "batch: tiny", "--participants 40": "--participants 4"}
    with Shell(like_a_clone(tmp_path, platform.data, batch), replacements=replacements) as shell:
        shell.run(write)
        printed = shell.run(check)
        assert says(printed, checked), printed
        printed = shell.run(publish)
        assert says(printed.replace(platform.url, PLATFORM), published), printed
        shell.run(link.replace(address_in(link), entrance(printed)))
        take_part(page, entrance(printed))
        printed = shell.run(simulate)
        assert says(printed, simulated), printed

        study, close, confirm, include, answers = labels("first-study.md", "6")
        log_in(page, platform, study=study)
        progress = page.locator(".fielding__progress")
        expect(progress).to_contain_text("4 simulated")
        assert says(progress.inner_text(), counted), progress.inner_text()
        for name in (close, confirm, include):
            page.get_by_role("button", name=name).click()
        snapshot = page.get_by_role("status").filter(has_text="Snapshot")
        expect(snapshot).to_contain_text("from 5 sessions.", timeout=60_000)
        expect(page.get_by_role("heading", name=answers)).to_be_visible(timeout=60_000)
        expect(page.get_by_role("region", name="Verdict on H1 by network")).to_be_visible(timeout=60_000)
        export, take_home = labels("first-study.md", "7")
        page.get_by_role("button", name=export).click()
        with page.expect_download() as download:
            page.get_by_role("link", name=take_home).click()
        download.value.save_as(tmp_path / "tutorial" / "export.zip")
        printed = shell.run(analyse)
        assert says(printed, analysed), printed
    assert "H1" in (tmp_path / "tutorial" / "report" / "report.html").read_text(encoding="utf-8")


def test_the_demo_counts_simulated_participants(platform: Platform, batch: Path, tmp_path: Path) -> None:
    make, simulate = command_blocks("demo.md")
    assert make == "make demo\n"
    file = tmp_path / "study.yaml"
    text = DEMO.read_text(encoding="utf-8").replace("\nbatch: demo\n", "\nbatch: tiny\n")
    file.write_text(text.replace("\nname: demo\n", "\nname: tutorial\n"), encoding="utf-8")
    study = platform.publish_file(file)
    replacements = {address_in(simulate): f"{platform.url}/s/{study['fieldings'][0]['slug']}", "--participants 20": ""}
    with Shell(like_a_clone(tmp_path, platform.data, batch), replacements=replacements) as shell:
        printed = shell.run(simulate)
    assert says(printed, outputs("demo.md")[-1]), printed
