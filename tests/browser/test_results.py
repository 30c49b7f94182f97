"""Tests a researcher's day: a plan with hypotheses, votes, closing, and the answers on the page and in the export."""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from platform_process import Platform
from playwright.sync_api import expect

from .conftest import NewContext, Publish
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

    for button in page.get_by_role("button", name="Close …").all():
        button.click()
        page.get_by_role("button", name="Close for good").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    answers = page.get_by_role("region", name="Answers to the hypotheses").or_(
        page.locator("section").filter(has=page.get_by_role("heading", name="Answers to the hypotheses", level=2))
    )
    expect(answers.get_by_role("heading", name=re.compile("^H1: "))).to_be_visible(timeout=60_000)
    expect(answers.get_by_role("heading", name=re.compile("^H2: "))).to_be_visible(timeout=120_000)
    said = answers.first.inner_text()
    assert "QUIC compared with TCP+: " in said
    # an export holds the tables in depth once they are computed
    expect(page.get_by_role("heading", name="What people answered", level=3)).to_be_visible(timeout=120_000)
    page.screenshot(path=tmp_path / "results.png", full_page=True)

    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "export.zip"
    download.value.save_as(file)
    with zipfile.ZipFile(file) as archive:
        names = {name.split("/", 1)[-1] if name.startswith("eyelevel-") else name for name in archive.namelist()}
        effects = next(name for name in archive.namelist() if name.endswith("effects.csv"))
        rows = list(csv.DictReader(io.StringIO(archive.read(effects).decode())))
    assert [row["hypothesis"] for row in rows] == ["H1"]
    assert "sessions.csv" in {name.split("/")[-1] for name in names}
    assert any(name.endswith("statistics/scores.csv") for name in names)
