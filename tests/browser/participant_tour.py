"""Visits every participant page once, for the album."""

from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from .album import BOTH, LARGE, THREE, Album, Albums, visiting
from .conftest import PHONE, WIDE
from .person import Person
from .words import Words

Open = Callable[..., BrowserContext]
# a window in which a comparison has no room yet
NARROW = {"width": 1200, "height": 800}
PROBE = "**/assets/probe-*.mp4"
FINISH = "**/api/session/finish"
LACKING = {"error": {"code": "person_missing", "message": "Ask.", "retry": False, "details": {"keys": ["age"]}}}
SAYS = {
    "go_on": {"en": "Continue", "de": "Weiter"},
    "erase": {"en": "Erase permanently", "de": "Endgültig löschen"},
    "erased": {"en": "Your answers are erased", "de": "Ihre Antworten sind gelöscht"},
    "sure": {"en": "Erase everything permanently?", "de": "Alles endgültig löschen?"},
    "code": {"en": "Completion code", "de": "Abschlusscode"},
    "ended": {"en": "Your session has ended", "de": "Ihre Sitzung ist beendet"},
    "took_part": {
        "en": "You have already taken part in this study",
        "de": "Sie haben an dieser Studie schon teilgenommen",
    },
    "lacking": {"en": "Some answers are missing", "de": "Es fehlen noch Antworten"},
    "blocked": {"en": "You have already started this study", "de": "Sie haben diese Studie schon begonnen"},
}
# as many as the study for `whole` has: a rating to practise and one more, a comparison, a slider; the comparison counts
# once there is room for it
TRIALS = 4
WHOLE = (
    *("p01-consent", "p02-questions", "p03-instructions", "p10-wider", "p11-practice", "p11-trial", "p11-compare"),
    *("p12-rate-question-practice", "p12-rate-question-trial", "p12-slider-question-trial", "p12-compare-question"),
    *("p13-sureness", "p20-in-between", "p29-sending", "p30-thanks", "p31-lacking", "p40-promised", "p41-sure"),
    "p42-erased",
)
ASIDES = (
    "p50-no-such-study",
    "p51-unknown-code",
    "p52-cannot-decode",
    "p53-lost",
    "p54-blocked",
    "p58-no-answer",
    "p59-welcome-back",
    "p60-somebody-else",
    "p61-took-part",
)
FULL = "p55-full"
# one session with a change of situation, in part in forced colours
SITUATIONS = (
    *("f01-consent", "f02-questions", "f10-trial", "f12-answered", "f12-placed", "f30-thanks"),
    *("p14-situation", "p15-new-situation"),
)
FORCED = ("1-consent", "2-questions")
NOT_SENT = "p62-not-sent"


def heading(page: Page, text: str) -> Any:
    return page.get_by_role("heading", name=text, exact=True)


def whole(album: Album, new: Open, words: Words, link: str) -> None:
    """From the link to the code, and then everything erased."""
    # for the pictures of a phone, which has finer pixels than one per CSS pixel
    page = album.open(new(device_scale_factor=2).new_page())
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    person = Person(page, words, look=lambda name: album.take(page, f"p0{name}"))
    person.arrive(link)
    # whether the situation changes, and where, is drawn for each session
    person.look = lambda name: album.look(page, name)
    for number in range(1, TRIALS + 1):
        one_trial(album, person, number)
    person.code()
    album.take(page, "p30-thanks")
    lacking(album, person)
    withdraw(album, page, words.language)


def one_trial(album: Album, person: Person, number: int) -> None:
    page, words = person.page, person.words
    start = page.get_by_role("button", name=words.start)
    between = heading(page, words.in_between)
    wider = heading(page, words.wider)
    situation = heading(page, words.new_situation)
    expect(start.or_(between).or_(wider).or_(situation)).to_be_visible()
    if between.count():
        album.take(page, "p20-in-between")
        page.get_by_role("radio").nth(1).check()
        page.get_by_role("button", name=SAYS["go_on"][words.language]).click()
        expect(start.or_(wider).or_(situation)).to_be_visible()
    if wider.count():
        album.take(page, "p10-wider", sizes=(NARROW, PHONE))
        page.set_viewport_size(WIDE)
    compare = page.viewport_size == WIDE
    total = TRIALS if compare or "p12-compare-question" in album.taken else TRIALS - 1
    person.trial(number, total)
    kind = "practice" if number == 1 else "compare" if compare else "trial"
    sizes = (WIDE, LARGE) if compare else THREE
    if f"p11-{kind}" not in album.taken:
        album.take(page, f"p11-{kind}", sizes=sizes)
    person.trial(number, total)
    person.watch(number)
    if compare:
        album.take(page, "p12-compare-question", sizes=(WIDE, PHONE, LARGE))
        sure = person.question(words.how_sure)
        person.question(words.compare_question).get_by_role("radio", name=words.choices["right"]).check()
        person.next_button.click()
        expect(sure).to_be_visible()
        album.take(page, "p13-sureness", sizes=(WIDE, PHONE, LARGE))
        sure.get_by_role("radio").nth(2).check()
        person.next_button.click()
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        return
    album.take(page, f"p12-{'slider' if person.slider.count() else 'rate'}-question-{kind}", sizes=sizes)
    if number == TRIALS:
        page.context.set_offline(True)
        person.answer(number)
        expect(heading(page, words.sending)).to_be_visible()
        album.take(page, "p29-sending")
        page.context.set_offline(False)
    else:
        person.answer(number)


def lacking(album: Album, person: Person) -> None:
    """As for one who began before the server asked for what was to be said about the person."""
    page = person.page
    page.route(FINISH, lambda route: route.fulfill(status=409, json=LACKING))
    page.reload()
    expect(heading(page, SAYS["lacking"][person.words.language])).to_be_visible()
    album.take(page, "p31-lacking")
    page.unroute(FINISH)
    page.reload()
    person.code()


def withdraw(album: Album, page: Page, language: str) -> None:
    page.get_by_role("main").get_by_role("link").last.click()
    go_on = page.get_by_role("button", name=SAYS["go_on"][language])
    expect(go_on).to_be_visible()
    album.take(page, "p40-promised")
    go_on.click()
    expect(heading(page, SAYS["sure"][language])).to_be_visible()
    album.take(page, "p41-sure")
    page.get_by_role("button", name=SAYS["erase"][language]).click()
    expect(heading(page, SAYS["erased"][language])).to_be_visible()
    album.take(page, "p42-erased")


def asides(album: Album, new: Open, words: Words, link: str) -> None:
    """Pages that few ever see."""
    language = words.language
    page = album.open(new().new_page())
    page.goto(link.replace("/s/", "/s/none-"))
    expect(page.get_by_role("heading")).to_be_visible()
    album.take(page, "p50-no-such-study")
    page.goto(link.split("/s/", maxsplit=1)[0] + "/withdraw")
    page.get_by_label(SAYS["code"][language]).fill("ABCDEFGHJK")
    page.get_by_role("button", name=SAYS["go_on"][language]).click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    album.take(page, "p51-unknown-code")

    page = album.open(new().new_page())
    page.route("**/api/**", lambda route: route.fulfill(status=503, body="the server starts"))
    # the document of a server whose database starts
    page.route(link, lambda route: route.fulfill(response=(got := route.fetch()), body=bare(got.text())))
    page.goto(link)
    expect(page.get_by_role("heading")).to_be_visible()
    album.take(page, "p58-no-answer")

    page = album.open(new().new_page())
    page.route(PROBE, lambda route: route.fulfill(body=b"no film at all", content_type="video/mp4"))
    page.goto(link)
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_role("checkbox")).to_have_count(0)
    album.take(page, "p52-cannot-decode")

    context = new()
    page = album.open(context.new_page())
    page.goto(link)
    page.get_by_role("checkbox", name=words.agree).check()
    page.get_by_role("button", name=words.begin).click()
    expect(heading(page, words.about_you)).to_be_visible()
    for question in page.get_by_role("radiogroup").all():
        question.get_by_role("radio").first.check()
    context.clear_cookies()
    page.get_by_role("button", name=words.go_on).click()
    expect(heading(page, SAYS["ended"][language])).to_be_visible()
    album.take(page, "p53-lost")

    person = Person(album.open(new().new_page()), words)
    person.arrive(link)
    person.trial(1, TRIALS)
    person.page.goto(link)
    expect(heading(person.page, words.welcome_back)).to_be_visible()
    album.take(person.page, "p59-welcome-back")
    person.page.get_by_role("button", name=words.somebody_else).click()
    expect(person.page.get_by_role("button", name=words.leave)).to_be_visible()
    album.take(person.page, "p60-somebody-else")


def bare(document: str) -> str:
    """The document without the study's data."""
    return document.replace('id="delivered"', 'id="gone"')


def once_only(album: Album, new: Open, words: Words, links: tuple[str, str]) -> None:
    """Both `links` are of one study, to which nobody may come back."""
    language = words.language
    person = Person(album.open(new().new_page()), words)
    person.arrive(links[0])
    person.trial(1, 2)
    person.watch(1)
    with person.page.expect_response("**/api/session/votes/*"):
        person.rate(1, 5)
    person.page.reload()
    expect(heading(person.page, SAYS["blocked"][language])).to_be_visible()
    album.take(person.page, "p54-blocked")
    person.page.goto(links[1])
    person.page.get_by_role("checkbox", name=words.agree).check()
    person.page.get_by_role("button", name=words.begin).click()
    expect(heading(person.page, SAYS["took_part"][language])).to_be_visible()
    album.take(person.page, "p61-took-part")


def situations(album: Album, new: Open, words: Words, link: str) -> None:
    """A rating and a slider in two situations; the pages beside the change in colours of the person's own."""
    # finer pixels, as phones have: a film fits in
    page = album.open(new(device_scale_factor=2).new_page())
    forced = partial(_in_forced_colours, album, page)
    person = Person(page, words, look=lambda name: forced(f"f0{name}") if name in FORCED else None)
    person.arrive(link)
    person.trial(1, 2)
    album.take(page, "p14-situation")
    forced("f10-trial")
    person.watch(1)
    page.get_by_role("radio").nth(4).check()
    forced("f12-answered")
    person.next_button.click()
    expect(heading(page, words.new_situation)).to_be_visible()
    album.take(page, "p15-new-situation")
    person.trial(2, 2)
    person.watch(2)
    person.slider.press("PageDown")
    forced("f12-placed")
    person.next_button.click()
    person.code()
    forced("f30-thanks")


def _in_forced_colours(album: Album, page: Page, name: str) -> None:
    page.emulate_media(forced_colors="active")
    album.take(page, name, sizes=BOTH)
    page.emulate_media(forced_colors="none")


def take_last_place(context: BrowserContext, link: str) -> None:
    """Answer the only video of the study, and finish."""
    person = Person(context.new_page())
    person.arrive(link)
    person.trial(1, 1)
    person.watch(1)
    person.rate(1, 5)
    expect(person.page.locator("#completion-code, #recruiter-code").first).to_be_visible()


def closed_door(albums: Albums, new: Callable[..., BrowserContext], link: str, name: str) -> None:
    """The page that takes nobody."""
    for language, album in visiting(albums).items():
        page = album.open(new(locale=language).new_page())
        page.goto(link)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("checkbox")).to_have_count(0)
        album.take(page, name)
