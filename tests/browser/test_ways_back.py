"""The recruiters and tools whose guides have no task page: their links lead in, and the study leads back to them.

Groups, links and scripts are those of docs/guides/recruiters.md and docs/guides/hand-over.md. The other side is a
stand-in: a page that sends the participant, and the addresses to which the study returns them.
"""

import html
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from docs.markdown import fenced
from platform_process import Platform
from playwright.sync_api import BrowserContext, Page, Route, expect

from .conftest import NewContext, Publish
from .guides import group_in, section
from .person import Person

pytestmark = [pytest.mark.browser, pytest.mark.services]

SENDER = "https://sender.example"
DECLINE = "I do not want to take part"
ANOTHER = "Take part as another person"
# each test sends another person, because one person takes part once
FINISHES, DECLINES, BY_SCRIPT = "1", "2", "3"
# in place of jsPsych, whose guide only uses these three functions
JSPSYCH = """const kept = {};
const jsPsych = {
  randomization: { randomID: length => 'RANDOM'.slice(0, length) },
  data: {
    addProperties: own => Object.assign(kept, own),
    getURLVariable: name => new URLSearchParams(location.search).get(name),
  },
};"""


def random_id(person: str) -> str:
    return f"0123456789a{person}"


def query_in(text: str) -> str:
    """The parameters that the guide writes behind the link."""
    (query,) = re.findall(r"`LINK(\?[^`]+)`", text)
    return str(query)


@dataclass(frozen=True)
class Way:
    """`query` is what the sender appends to the group's link, with placeholders replaced by these `values`."""

    group: dict[str, Any]
    query: str
    values: dict[str, str]

    @property
    def link(self) -> str:
        sent = self.query
        for placeholder, value in self.values.items():
            assert placeholder in sent
            sent = sent.replace(placeholder, value)
        return sent

    @property
    def id(self) -> str:
        (value,) = parse_qs(self.link)[self.group["recruiter"]["id_parameter"]]
        return value

    def returned(self, end: str) -> str:
        """The address to which the guide's group returns this participant."""
        recruiter = self.group["recruiter"]
        url = recruiter["return_url"] if end == "completed" and "return_url" in recruiter else recruiter["returns"][end]
        return str(url).replace("{id}", self.id)


def connect(person: str) -> Way:
    text = section("recruiters", "CloudResearch Connect")
    names = re.findall(r"`(\w+)`", text.partition("Connect appends")[2].partition(".")[0])
    assert len(names) == 3
    return Way(group_in(text), "&".join(f"{name}={name}-{person}" for name in names), {})


def sona(person: str) -> Way:
    text = section("recruiters", "SONA")
    return Way(group_in(text), query_in(text)[1:], {"%SURVEY_CODE%": f"4821{person}"})


def limesurvey(person: str) -> Way:
    text = section("hand-over", "LimeSurvey")
    return Way(group_in(text), query_in(text)[1:], {"{SAVEDID}": f"31{person}"})


def qualtrics(person: str) -> Way:
    text = section("hand-over", "Qualtrics")
    return Way(group_in(text), query_in(text)[1:], {"${e://Field/ResponseID}": f"R_2abCDe3fGh4iJk{person}"})


def jspsych(person: str) -> Way:
    group = group_in(section("hand-over", "What Eyelevel reads and sends"))
    (url,) = re.findall(r"`return_url: (\S+)`", section("hand-over", "jsPsych"))
    group |= {"key": "jspsych", "recruiter": group["recruiter"] | {"return_url": url}}
    return Way(group, f"pid={random_id(person)}", {})


WAYS = {way("0").group["key"]: way for way in (connect, sona, limesurvey, qualtrics, jspsych)}
# the guide's study is in English, and the demo's is in German as well
LABORATORY = group_in(section("recruiters", "Laboratory")) | {"label": {"en": "Laboratory", "de": "Labor"}}


@pytest.fixture(scope="module")
def links(publish: Publish, platform: Platform) -> dict[str, str]:
    groups = [*(way("0").group for way in WAYS.values()), LABORATORY]
    study = publish("ways-back", rate=1, compare=0, groups=groups)
    return {fielding["group"]: urljoin(platform.url, fielding["participant_url"]) for fielding in study["fieldings"]}


def sent(context: BrowserContext, body: str) -> Page:
    """A page of the sender, on which a participant is before the study."""

    def respond(route: Route) -> None:
        route.fulfill(body=f"<h1>Sender</h1>{body}", content_type="text/html; charset=utf-8")

    context.route(f"{SENDER}/**", respond)
    page = context.new_page()
    page.goto(f"{SENDER}/")
    return page


def received(context: BrowserContext, address: str, body: str = "") -> list[str]:
    """Answer at the host of this address; the list fills with the addresses that were opened."""
    opened: list[str] = []

    def respond(route: Route) -> None:
        if route.request.is_navigation_request():
            opened.append(route.request.url)
        route.fulfill(body=f"<h1>Received</h1>{body}", content_type="text/html; charset=utf-8")

    host = urlsplit(address)
    context.route(f"{host.scheme}://{host.netloc}/**", respond)
    return opened


def take_part(page: Page) -> None:
    person = Person(page)
    person.enter()
    person.trial(1, 1)
    person.watch(1)
    person.rate(1, 5)


def go_back(page: Page, way: Way) -> None:
    page.get_by_role("link", name=f"Return to {way.group['recruiter']['name']}").click()
    expect(page.get_by_role("heading", name="Received")).to_be_visible()


@pytest.mark.parametrize("key", WAYS)
def test_who_completes_returns_to_the_address_of_the_guide(
    key: str, links: dict[str, str], new_context: NewContext
) -> None:
    way, context = WAYS[key](FINISHES), new_context()
    link = f"{links[key]}?{way.link}"
    opened = received(context, way.returned("completed"))
    page = sent(context, f'<a href="{html.escape(link)}">To the study</a>')
    page.get_by_role("link", name="To the study").click()
    take_part(page)
    go_back(page, way)
    assert opened == [way.returned("completed")]


@pytest.mark.parametrize("key", WAYS)
def test_who_declines_returns_where_nothing_is_credited(
    key: str, links: dict[str, str], new_context: NewContext
) -> None:
    way, context = WAYS[key](DECLINES), new_context()
    opened = received(context, way.returned("other"))
    page = context.new_page()
    page.goto(f"{links[key]}?{way.link}")
    page.get_by_role("button", name=DECLINE).click()
    go_back(page, way)
    assert opened == [way.returned("other")] != [way.returned("completed")]


def test_the_scripts_for_jspsych_carry_the_id_there_and_back(links: dict[str, str], new_context: NewContext) -> None:
    way, context = WAYS["jspsych"](BY_SCRIPT), new_context()
    library = JSPSYCH.replace("RANDOM", random_id(BY_SCRIPT))
    outward, back = fenced(section("hand-over", "jsPsych"), "js")
    opened = received(context, way.returned("completed"), f"<script>{library}{back}window.kept = kept;</script>")
    page = sent(context, f"<script>{library}{outward.replace('LINK', links['jspsych'])}</script>")
    take_part(page)
    go_back(page, way)
    assert opened == [way.returned("completed")]
    assert page.evaluate("window.kept") == {"pid": way.id}


def test_people_take_part_in_turn_on_a_seat_of_a_laboratory(links: dict[str, str], new_context: NewContext) -> None:
    page = new_context().new_page()
    codes = []
    page.goto(links[LABORATORY["key"]])
    for _ in range(2):
        take_part(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
        codes.append(page.locator("#completion-code").inner_text())
        page.get_by_role("button", name=ANOTHER).click()
    assert len(set(codes)) == 2
