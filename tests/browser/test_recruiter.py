"""Recruited people come by a link with ids and get back by the recruiter's code: docs/guides/recruiters.md."""

import csv
import html
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from docs.markdown import fenced
from platform_process import Platform
from playwright.sync_api import BrowserContext, Page, Route, expect

from .conftest import NewContext, Publish
from .guides import group_in, guide, section
from .person import Person
from .prolific import ORIGIN, STUDY_ID, Prolific, serving
from .staff import sign_in
from .studies import DEMO

pytestmark = [pytest.mark.browser, pytest.mark.services]

PLACES = 4
# the control question comes after the second
TRIALS = 2
# a busy machine: nobody is to fail for anything but the question
RULES = {"R7": {"pay": False}} | {rule: {"pay": True} for rule in ("R1", "R9")}
DECLINE = "I do not want to take part"


def page_of(recruiter: str) -> str:
    """The page that the guide gives researchers for the recruiter's side."""
    (page,) = fenced(section("recruiters", recruiter), "html")
    return page


def group_of(recruiter: str) -> dict[str, Any]:
    return group_in(section("recruiters", recruiter))


@pytest.fixture(scope="module")
def group() -> dict[str, Any]:
    return group_of("Prolific")


@pytest.fixture(scope="module")
def study(publish: Publish, group: dict[str, Any]) -> dict[str, Any]:
    return publish("prolific", rate=TRIALS, compare=0, controls=True, groups=[group], conformance=RULES)


@pytest.fixture
def prolific(study: dict[str, Any], group: dict[str, Any]) -> Iterator[Prolific]:
    """The link as the guide tells researchers to enter it; codes of other ends ask for a return."""
    (wanted,) = re.findall(r"^ *`LINK(\?PROLIFIC_PID=\S+)`", guide("recruiters"), re.MULTILINE)
    codes = group["recruiter"]["codes"]
    with serving(Prolific(study["link"] + wanted, frozenset({codes["no_consent"], codes["other"]}), PLACES)) as server:
        yield server


def come(prolific: Prolific, context: BrowserContext, participant: str) -> Page:
    """Reserve a place on Prolific, and open the study from there."""
    prolific.sign_in(context, participant)
    page = context.new_page()
    page.goto(f"{ORIGIN}/studies/start")
    with context.expect_page() as opened:
        page.get_by_role("link", name="Open study").click()
    return opened.value


def answer(page: Page, *, right: bool = True) -> None:
    """Answer everything, the control question too."""
    person = Person(page)
    person.enter()
    for number in range(1, TRIALS + 1):
        person.trial(number, TRIALS)
        person.watch(number)
        person.rate(number, 5)
    (asked,) = yaml.safe_load(DEMO.read_text(encoding="utf-8"))["controls"]["questions"]
    labels = {choice["key"]: choice["label"]["en"] for choice in asked["choices"]}
    wrong = next(key for key in labels if key != asked["right"])
    page.get_by_role("radio", name=labels[asked["right"] if right else wrong]).check()
    page.get_by_role("button", name="Continue").click()


def test_who_completes_is_sent_back_by_itself_and_is_on_the_list_to_pay_from(
    platform: Platform, study: dict[str, Any], prolific: Prolific, new_context: NewContext
) -> None:
    page = come(prolific, new_context(), "pid-complete")
    answer(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("One more step: return to Prolific to be paid")
    expect(page.get_by_role("link", name="Return to Prolific")).to_be_in_viewport()
    expect(page.get_by_text(re.compile("You return automatically in 1[0-9] seconds"))).to_be_visible()
    expect(page.get_by_role("heading", name="Submission received")).to_be_visible(timeout=40_000)
    submission = prolific.submissions["pid-complete"]
    assert (submission.code, prolific.places) == ("C1DONE00", PLACES - 1)

    # who goes back to the study is not sent away again
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    expect(page.get_by_text("You may close this page now.")).to_be_visible()
    expect(page.get_by_role("button", name="Stay on this page")).to_have_count(0)

    # and takes part once, whatever the browser
    again = new_context()
    prolific.sign_in(again, "pid-complete")
    second = again.new_page()
    second.goto(f"{study['link']}?PROLIFIC_PID=pid-complete&STUDY_ID={STUDY_ID}&SESSION_ID=other")
    second.get_by_role("checkbox").check()
    second.get_by_role("button", name="Begin").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("You have already taken part in this study")
    href = second.get_by_role("link", name="Return to Prolific").get_attribute("href")
    assert href == f"{ORIGIN}/submissions/complete?cc=C1BEFORE"

    staff = new_context().new_page()
    sign_in(staff, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    rows: list[dict[str, str]] = []

    def listed() -> bool:
        text = staff.request.get(f"{platform.url}/api/research/studies/{study['sha256']}/conformance/accepted.csv")
        rows[:] = csv.DictReader(io.StringIO(text.text()))
        return bool(rows)

    assert eventually(staff, listed)
    (row,) = [row for row in rows if row["recruiter_id"] == "pid-complete"]
    assert (row["link_STUDY_ID"], row["link_SESSION_ID"]) == (STUDY_ID, submission.session_id)


def eventually(page: Page, holds: Any) -> bool:
    """The worker judges moments later."""
    for _ in range(60):
        if holds():
            return True
        page.wait_for_timeout(500)
    return False


def test_who_fails_the_checks_returns_by_the_code_for_that_when_they_like(
    prolific: Prolific, new_context: NewContext
) -> None:
    page = come(prolific, new_context(), "pid-fails")
    answer(page, right=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("One more step: return to Prolific")
    page.get_by_role("button", name="Stay on this page").click()
    expect(page.get_by_text(re.compile("You return automatically"))).to_have_count(0)
    expect(page.get_by_text("C1CHECKS")).to_be_visible()
    page.get_by_role("link", name="Return to Prolific").click()
    expect(page.get_by_role("heading", name="Submission received")).to_be_visible()
    assert prolific.submissions["pid-fails"].code == "C1CHECKS"


def test_who_declines_frees_the_place(prolific: Prolific, new_context: NewContext) -> None:
    page = come(prolific, new_context(), "pid-declines")
    assert prolific.places == PLACES - 1
    page.get_by_role("button", name=DECLINE).click()
    page.get_by_role("link", name="Return to Prolific").click()
    expect(page.get_by_role("heading", name="Place returned")).to_be_visible()
    assert (prolific.submissions["pid-declines"].code, prolific.places) == ("C1NOTHX0", PLACES)


def test_a_link_without_the_id_leads_back_too_and_the_researcher_is_warned(
    platform: Platform, study: dict[str, Any], new_context: NewContext
) -> None:
    page = new_context().new_page()
    page.goto(study["link"])
    expect(page.get_by_role("heading", level=1)).to_have_text("Part of your link is missing")
    href = page.get_by_role("link", name="Return to Prolific").get_attribute("href")
    assert href == f"{ORIGIN}/submissions/complete?cc=C1RETURN"
    staff = new_context().new_page()
    sign_in(staff, platform, "researcher", to=f"/research/studies/{study['sha256']}")
    expect(staff.get_by_role("note")).to_contain_text("without the parameter PROLIFIC_PID")


EMBEDDED = "https://mturk.example"


@contextmanager
def task(context: BrowserContext, snippet: str, study: str, sent: str) -> Iterator[Page]:
    """A worker's page that shows the task in a sandboxed frame, as MTurk does; `sent` are the frame's parameters."""
    source = snippet.replace("https://eyelevel.example.org/s/LINK", study)
    frame = (
        f'<iframe src="{EMBEDDED}/task?{html.escape(sent)}" width="800" height="400" '
        'sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>'
    )

    def respond(route: Route) -> None:
        body = source if "/task" in route.request.url else frame
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    context.route(f"{EMBEDDED}/**", respond)
    page = context.new_page()
    page.goto(f"{EMBEDDED}/worker")
    yield page
    page.close()


@pytest.fixture(scope="module")
def mturk(publish: Publish) -> str:
    return str(publish("mturk", rate=1, compare=0, groups=[group_of("MTurk")])["link"])


@pytest.fixture(scope="module")
def microworkers(publish: Publish) -> str:
    return str(publish("microworkers", rate=1, compare=0, groups=[group_of("Microworkers")])["link"])


def test_the_snippet_for_mturk_opens_the_study_in_a_new_tab_and_hands_in_its_code(
    mturk: str, new_context: NewContext
) -> None:
    context = new_context()
    handed_in: list[str] = []

    def receive(route: Route) -> None:
        handed_in.append(route.request.post_data or "")
        route.fulfill(body="<h1>Thank you</h1>", content_type="text/html")

    context.route("https://www.mturk.com/**", receive)
    sent = "assignmentId=A1&hitId=H1&workerId=W17&turkSubmitTo=https%3A%2F%2Fwww.mturk.com"
    with task(context, page_of("MTurk"), mturk, sent) as worker:
        inside = worker.frame_locator("iframe")
        with context.expect_page() as opened:
            inside.get_by_role("link", name="Open the study in a new tab").click()
        page = opened.value
        assert parse_qs(urlsplit(page.url).query) == {"workerId": ["W17"], "assignmentId": ["A1"], "hitId": ["H1"]}
        assert page.evaluate("window.top === window && window.opener === null")
        person = Person(page)
        person.enter()
        person.trial(1, 1)
        person.watch(1)
        person.rate(1, 5)
        expect(page.get_by_role("heading", level=1)).to_have_text("One more step: enter your code on MTurk")
        code = page.locator("#recruiter-code").inner_text()
        inside.get_by_label("Code of the study's last page").fill(code)
        inside.get_by_role("button", name="Submit").click()
        expect(inside.get_by_role("heading", name="Thank you")).to_be_visible()
    assert [parse_qs(body) for body in handed_in] == [{"assignmentId": ["A1"], "code": [code]}]


def test_the_snippet_for_mturk_opens_nothing_in_a_preview(mturk: str, new_context: NewContext) -> None:
    sent = "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1"
    with task(new_context(), page_of("MTurk"), mturk, sent) as worker:
        inside = worker.frame_locator("iframe")
        expect(inside.get_by_text("Accept the task to open the study")).to_be_visible()
        expect(inside.get_by_role("link")).to_have_count(0)


def test_the_snippet_for_microworkers_opens_the_study_in_a_new_tab(microworkers: str, new_context: NewContext) -> None:
    context = new_context()
    snippet = page_of("Microworkers")
    for name in ("MW_ID", "CAMP_ID"):
        snippet = snippet.replace("{{" + name + "}}", f"{name}-1")
    with task(context, snippet, microworkers, "") as worker, context.expect_page() as opened:
        worker.frame_locator("iframe").get_by_role("link", name="Open the study in a new tab").click()
    sent = parse_qs(urlsplit(opened.value.url).query)
    assert sent == {"worker": ["MW_ID-1"], "campaign": ["CAMP_ID-1"]}


def test_the_study_itself_stays_out_of_frames(mturk: str, new_context: NewContext) -> None:
    context = new_context()
    with task(context, f'<iframe src="{mturk}?workerId=W17"></iframe>', mturk, "") as worker:
        worker.wait_for_timeout(1000)
        (study,) = [frame for frame in worker.frames if frame.parent_frame not in (None, worker.main_frame)]
        assert study.url.startswith("chrome-error:")
