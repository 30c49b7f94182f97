"""Visits every page from which recruited people are sent back, once, for the album."""

from functools import partial
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, expect

from .album import DESK, THREE, Album, Albums, Sizes, visiting
from .begun import begin
from .conftest import PHONE, NewContext
from .participant_tour import FINISH, closed_door, heading, take_last_place
from .person import Person
from .prolific import ORIGIN
from .staff_tour import in_both
from .words import WORDS, Words

RECRUITER = {
    "name": "Prolific",
    "id_parameter": "PROLIFIC_PID",
    "return_url": ORIGIN + "/submissions/complete?cc={code}",
    "codes": {"completed": "C1DONE00", "failed_checks": "C1CHECKS", "took_part": "C1BEFORE", "other": "C1RETURN"},
}
# the width in which there is no room
SMALL: Sizes = (PHONE,)
PAGES = (
    *("r01-consent", "r02-declined", "r03-missing-id", "r04-narrow", "r05-return", "r06-stay", "r07-failed"),
    *("r08-by-hand", "r09-returned", "r10-took-part", "r11-full", "r12-paused", "r13-closed", "r14-unknown-parameters"),
    *("r15-shrunk", "r16-cannot-play", "r17-lost", "r18-lacking"),
)
LACKING = {"error": {"code": "votes_missing", "message": "Ask.", "retry": False, "details": {"positions": [1]}}}
# as of a browser whose decoder fails
BREAK = "video => { video.src = URL.createObjectURL(new Blob(['no film'], {type: 'video/mp4'})); }"
SAYS = {
    "missing": {"en": "Go to the missing videos", "de": "Zu den fehlenden Videos"},
    "decline": {"en": "I do not want to take part", "de": "Ich möchte nicht teilnehmen"},
    "stay": {"en": "Stay on this page", "de": "Auf dieser Seite bleiben"},
    "return": {"en": "Return to Prolific", "de": "Zurück zu Prolific"},
}


def tour(albums: Albums, new: NewContext, links: dict[str, str]) -> None:
    """`links`: one that is open, one of a study that refuses narrow windows, and one with a single place."""
    take_last_place(new(), links["full"] + "?PROLIFIC_PID=somebody")
    for language, album in visiting(albums).items():
        words, context = WORDS[language], partial(new, locale=language)
        # finer pixels, as phones have: a rating fits in
        before(album, context(device_scale_factor=2), words, links)
        shrunk(album, context(), words, links["narrow"] + f"?PROLIFIC_PID={words.language}")
        stuck(album, context, words, links["open"])
        after(album, context(), words, links["open"] + f"?PROLIFIC_PID={words.language}")
        took_part(album, context(), words, links["open"] + f"?PROLIFIC_PID={words.language}")


def study_page(albums: Albums, new: NewContext, page: Page, study: dict[str, Any], link: str) -> None:
    """What a researcher sees of people who came by a link without a recruiter, and recruited people of closed doors.

    `page` shows the study; `link` is its link without a recruiter, its first one has the recruiter.
    """
    begin(new(), link, arrival={"PROLIFIC_PID": "w-17", "SESSION_ID": "s-1"})
    page.reload()
    expect(page.get_by_role("note").filter(has_text="PROLIFIC_PID (1), SESSION_ID (1)")).to_be_visible()
    in_both(albums, page, "r14-unknown-parameters")
    recruited = study["link"] + "?PROLIFIC_PID=nobody"
    page.get_by_role("button", name="Pause").first.click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    closed_door(albums, new, recruited, "r12-paused")
    # a paused one is listed below those that are open
    paused = page.locator(".fielding").filter(has=page.get_by_role("button", name="Resume"))
    paused.get_by_role("button", name="Close …").click()
    page.get_by_role("button", name="Close permanently").click()
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)
    closed_door(albums, new, recruited, "r13-closed")


def before(album: Album, context: BrowserContext, words: Words, links: dict[str, str]) -> None:
    """Who does not take part."""
    page = album.open(context.new_page())
    page.goto(links["open"] + "?PROLIFIC_PID=nobody")
    decline = page.get_by_role("button", name=SAYS["decline"][words.language])
    expect(decline).to_be_visible()
    album.take(page, "r01-consent")
    decline.click()
    expect(decline).to_have_count(0)
    album.take(page, "r02-declined")
    for name, link, sizes in (
        ("r03-missing-id", links["open"], THREE),
        ("r04-narrow", links["narrow"] + "?PROLIFIC_PID=nobody", SMALL),
        ("r11-full", links["full"] + "?PROLIFIC_PID=nobody", THREE),
    ):
        page.set_viewport_size(sizes[-1])  # type: ignore[arg-type]
        page.goto(link)
        expect(page.get_by_role("link", name=SAYS["return"][words.language])).to_be_visible()
        album.take(page, name, sizes=sizes)


def shrunk(album: Album, context: BrowserContext, words: Words, link: str) -> None:
    """Who began in a window with room and has none any more, in a study that nobody may skip a part of."""
    page = album.open(context.new_page())
    person = Person(page, words)
    person.arrive(link)
    person.trial(1, 2)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    expect(page.get_by_role("link", name=SAYS["return"][words.language])).to_be_visible()
    album.take(page, "r15-shrunk", sizes=SMALL)


def stuck(album: Album, new: NewContext, words: Words, link: str) -> None:
    """Who has begun and cannot go on: the browser fails, or the server does not know the session."""
    # not heard: the player logs its error; finer pixels, as phones have
    page = new(viewport=DESK, device_scale_factor=2).new_page()
    person = Person(page, words)
    person.arrive(f"{link}?PROLIFIC_PID={words.language}-fails")
    person.trial(1, 1)
    page.locator("video").evaluate(BREAK)
    expect(page.get_by_role("link", name=SAYS["return"][words.language])).to_be_visible()
    album.take(page, "r16-cannot-play")

    context = new()
    page = album.open(context.new_page())
    page.goto(f"{link}?PROLIFIC_PID={words.language}-lost")
    page.get_by_role("checkbox", name=words.agree).check()
    page.get_by_role("button", name=words.begin).click()
    expect(heading(page, words.about_you)).to_be_visible()
    for question in page.get_by_role("radiogroup").all():
        question.get_by_role("radio").first.check()
    context.clear_cookies()
    page.get_by_role("button", name=words.go_on).click()
    expect(page.get_by_role("link", name=SAYS["return"][words.language])).to_be_visible()
    album.take(page, "r17-lost")


def after(album: Album, context: BrowserContext, words: Words, link: str) -> None:
    """Who has answered everything, by each of the ways back that there are."""
    context.route(f"{ORIGIN}/**", lambda route: route.fulfill(body="<h1>Prolific</h1>", content_type="text/html"))
    page = album.open(context.new_page())
    person = Person(page, words)
    person.arrive(link)
    person.trial(1, 1)
    person.watch(1)
    page.route(FINISH, lambda route: route.fulfill(status=409, json=LACKING))
    person.rate(1, 5)
    again = page.get_by_role("button", name=SAYS["missing"][words.language])
    expect(again).to_be_visible()
    album.take(page, "r18-lacking")
    page.unroute(FINISH)
    again.click()
    stay = page.get_by_role("button", name=SAYS["stay"][words.language])
    expect(stay).to_be_visible()
    stay.click()
    album.take(page, "r06-stay")
    for name, changes in (
        ("r07-failed", {"end": "failed_checks", "code": "C1CHECKS"}),
        ("r08-by-hand", {"recruiter": "MTurk", "url": None}),
        ("r05-return", {}),
    ):
        page.route(FINISH, partial(changed, changes))
        page.reload()
        expect(heading(page, words.thanks).or_(page.locator("#recruiter-code"))).to_be_visible()
        album.take(page, name)
        page.unroute(FINISH)
    page.get_by_role("link", name=SAYS["return"][words.language]).click()
    expect(page.get_by_role("heading", name="Prolific")).to_be_visible()
    page.go_back()
    expect(heading(page, words.thanks)).to_be_visible()
    album.take(page, "r09-returned")


def changed(changes: dict[str, Any], route: Route) -> None:
    """The server's own answer, with another way back."""
    answer = route.fetch()
    done = answer.json()
    route.fulfill(response=answer, json=done | {"back": done["back"] | changes})


def took_part(album: Album, context: BrowserContext, words: Words, link: str) -> None:
    page = album.open(context.new_page())
    page.goto(link)
    page.get_by_role("checkbox", name=words.agree).check()
    page.get_by_role("button", name=words.begin).click()
    expect(page.get_by_role("link", name=SAYS["return"][words.language])).to_be_visible()
    album.take(page, "r10-took-part")
