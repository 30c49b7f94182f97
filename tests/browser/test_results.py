"""Tests a researcher's day: a plan with hypotheses, votes, closing, and the answers on the page and in the export."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from platform_process import Platform
from playwright.sync_api import Page, expect

from .conftest import PHONE, NewContext, Publish
from .records import wait_until
from .staff import see_results, sign_in
from .test_researcher import simulate

pytestmark = [pytest.mark.browser, pytest.mark.services]

PARTICIPANTS = 24
PLAN = {
    "hypotheses": [
        {
            "key": "H1",
            "says": "QUIC is rated higher than TCP+.",
            "kind": "rate",
            "pair": ["TCP+", "QUIC"],
            "networks": "pooled",
            "expects": "higher",
            "margin": 0.5,
            "margin_reason": "half a step of the scale",
        },
        {"key": "H2", "says": "SI agrees best with MOS.", "kind": "metrics", "metric": "SI"},
    ]
}


def look_at_a_clip(page: Page, folder: Path) -> None:
    """Marks of figures open their clips, which play and have a panel; clips are found without a figure, too."""
    dialog = page.get_by_role("dialog")
    for figure, mark in (("^Satisfaction", "QUIC, work: "), ("^Mean opinion scores against SI", "QUIC: ")):
        marks = page.get_by_role("group", name=re.compile(figure)).get_by_role("button", name=re.compile(mark))
        # the last one drawn lies above those with the same values
        marks.last.click()
        expect(dialog.get_by_role("heading", name=re.compile("QUIC$"))).to_be_visible()
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_have_count(0)
    page.get_by_role("group", name=re.compile("^Answers about QUIC")).get_by_role("button").first.press("Enter")
    expect(dialog.get_by_role("heading", name=re.compile(r"QUIC.* \| |\| QUIC"))).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)

    page.get_by_text("Clips of this study").click()
    page.get_by_role("button", name=re.compile("^Show the clip: ")).first.click()
    panel = dialog.get_by_role("img", name=re.compile("^Visual completeness over time"))
    expect(panel.locator("polyline")).to_have_count(1)
    video, now = dialog.locator("video"), panel.locator(".clip-panel__now")
    expect(video).to_have_js_property("readyState", 4)
    expect(now).to_have_attribute("x1", "0")
    video.evaluate("(video) => video.play()")
    expect(video).to_have_js_property("ended", True)
    expect(now).to_have_attribute("x1", "100")
    page.screenshot(path=folder / "clip.png")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_closing_a_study_answers_its_hypotheses(
    platform: Platform, publish: Publish, new_context: NewContext, tmp_path: Path
) -> None:
    study = publish("answered", rate=4, compare=2, plan=PLAN)
    page = new_context().new_page()
    sign_in(page, platform, "researcher", to=f"/research/studies/{study['sha256']}?origin=all")
    assert simulate(platform, study, PARTICIPANTS) > 4 * PARTICIPANTS
    # some have windows too small for comparisons
    see_results(page)
    expect(page.get_by_text("Hypotheses are answered when every link of the study is closed.")).to_be_visible()
    assert page.get_by_text("Supported").count() == 0
    # results that are computed anew after closing would have no tables in depth yet
    results = f"{platform.url}/api/research/studies/{study['sha256']}/results?origin=all"
    wait_until(lambda: page.request.get(results).json()["status"] == "fresh", within_s=120)
    assert page.request.get(results).json()["status"] == "fresh"
    # a departure counts once somebody may have seen results by stack
    expect(page.get_by_text("Votes of simulated sessions are in every figure of this page.")).to_have_count(0)
    look_at_a_clip(page, tmp_path)

    for button in page.get_by_role("button", name="Close …").all():
        button.click()
        page.get_by_role("button", name="Close permanently").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    answers = page.get_by_role("region", name="Answers to the hypotheses").or_(
        page.locator("section").filter(has=page.get_by_role("heading", name="Answers to the hypotheses", level=2))
    )
    expect(answers.get_by_role("heading", name=re.compile("^H1: "))).to_be_visible(timeout=60_000)
    expect(answers.get_by_role("heading", name=re.compile("^H2: "))).to_be_visible()
    expect(answers.get_by_text("Not answered yet")).to_have_count(0, timeout=120_000)
    expect(page.get_by_text("Votes of simulated sessions are in every figure of this page.")).to_be_visible()
    said = answers.first.inner_text()
    assert "TCP+ → QUIC: " in said
    # an export holds the tables in depth once they are computed
    expect(page.get_by_role("heading", name="What people answered", level=3)).to_be_visible(timeout=120_000)
    figure = page.get_by_role("img", name=re.compile("^Effects on ratings"))
    expect(figure.get_by_text("H1: TCP+ → QUIC (margin ±0.50)")).to_be_visible()
    page.get_by_text("Mean opinion score of each condition").click()
    table = page.get_by_role("region", name="Mean opinion score of each condition")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["site", "network", "stack", "context", "participants", "MOS", "95\N{NO-BREAK SPACE}% interval", "SD"]
    )
    page.get_by_text("Metrics against MOS").click()
    page.screenshot(path=tmp_path / "tables.png", full_page=True)
    page.set_viewport_size(PHONE)
    expect(figure).to_have_attribute("width", "340")
    page.screenshot(path=tmp_path / "results.png", full_page=True)

    page.get_by_role("button", name="Export").click()
    link = page.get_by_role("link", name="Download export")
    expect(link).to_be_visible(timeout=60_000)
    with page.expect_download() as download:
        link.click()
    file = tmp_path / "export.zip"
    download.value.save_as(file)
    with zipfile.ZipFile(file) as archive:
        names = {name.split("/", 1)[-1] if name.startswith("eyelevel-") else name for name in archive.namelist()}
        effects = next(name for name in archive.namelist() if name.endswith("effects.csv"))
        rows = list(csv.DictReader(io.StringIO(archive.read(effects).decode())))
    assert [row["hypothesis"] for row in rows] == ["H1"]
    assert "sessions.csv" in {name.split("/")[-1] for name in names}
    assert any(name.endswith("statistics/scores.csv") for name in names)
    assert any(name.endswith("figures/effects-rate.svg") for name in names)
