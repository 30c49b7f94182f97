"""Visits every page in both languages and checks layout, accessibility and translation.

With every change, each page is checked in one width, its words in both languages; pages with a film, which have no
switch of languages, in English. The soak tests visit all pages in all widths and both languages and take pictures, into
the folder named by EYELEVEL_SCREENSHOTS, else into a folder of the test's own.
"""

import os
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from platform_process import Platform

from . import account_tour, participant_tour, recruited_tour, staff_tour
from .album import THREE, Album, Albums, judge, visiting
from .conftest import NewContext, Publish
from .staff import sign_in
from .words import WORDS

# names of recruiters and groups, of parameters, and of a field of the study file
RECRUITED_SAY = "Prolific MTurk prolific PROLIFIC_PID SESSION_ID PID ID recruiter"

pytestmark = [pytest.mark.browser, pytest.mark.services]

# the study file's own words are of one language, on pages in English too
PLAN = {
    "hypotheses": [{"key": "H1", "says": "Mehr als die Hälfte findet QUIC schneller als TCP.", "margin": 0.1}],
    "model": "Anteile mit Vertrauensbereichen nach Wilson.",
    "exclusions": "Wer gegen eine Regel verstößt, zählt nicht.",
    "stopping": "Wenn alle Plätze besetzt sind.",
}
# so that the planted participants' votes are used, who answer control questions as they like
USED = {rule: {"use": False} for rule in ("R2", "R3", "R7")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = Path(os.environ.get("EYELEVEL_SCREENSHOTS") or tmp_path_factory.mktemp("pictures"))
    chosen.mkdir(parents=True, exist_ok=True)
    return chosen


@pytest.fixture(scope="module", params=["brief", pytest.param("whole", marks=pytest.mark.soak)])
def extent(request: pytest.FixtureRequest) -> str:
    """How much is looked at; part of the names of studies, as a study can be published once."""
    return str(request.param)


@pytest.fixture
def albums(folder: Path, extent: str) -> Albums:
    if extent == "whole":
        return {language: Album(folder, language) for language in WORDS}
    german = Album(None, "de", audited=False)
    return {"en": Album(None, "en", twin=german), "de": german}


@pytest.fixture
def large_screen(albums: Albums) -> None:
    """Participants' pages are looked at on a large screen, too."""
    for album in albums.values():
        album.sizes = THREE


@pytest.fixture(scope="module")
def study(platform: Platform, publish: Publish, extent: str) -> dict[str, Any]:
    """Has every kind of trial and a question in between, and a few votes."""
    made = publish(
        f"album-{extent}", rate=1, compare=1, slider=1, training=1, controls=True, conformance=USED, plan=PLAN
    )
    people = ("--participants", "4", "--seed", "7")
    platform.eyelevel("simulate", "--study", made["link"], *people, scope="studies")
    return made


@pytest.mark.usefixtures("large_screen")
def test_a_whole_session(albums: Albums, study: dict[str, Any], new_context: NewContext) -> None:
    for language, album in visiting(albums).items():
        words, new = WORDS[language], partial(new_context, locale=language)
        participant_tour.whole(album, new, words, study["link"])
    judge(albums, participant_tour.WHOLE)


@pytest.mark.usefixtures("large_screen")
def test_pages_that_few_participants_see(
    albums: Albums, study: dict[str, Any], publish: Publish, new_context: NewContext, extent: str
) -> None:
    groups: list[dict[str, Any]] = [
        {"key": "laboratory", "label": {"en": "Laboratory", "de": "Labor"}},
        {"key": "volunteer", "label": {"en": "Volunteers", "de": "Freiwillige"}},
        {"key": "worker", "label": {"en": "Paid workers", "de": "Bezahlte"}},
    ]
    groups[-1]["recruiter"] = {"name": "panel", "id_parameter": "PID"}
    name = f"album-once-{extent}"
    once = publish(name, rate=2, compare=0, session={"resume": "block"}, groups=groups)
    full = publish(f"album-full-{extent}", rate=1, compare=0, quota={"sessions": 1}, conformance=USED)
    once_too, sent = (urljoin(once["link"], once["fieldings"][number]["participant_url"]) for number in (1, 2))
    for language, album in visiting(albums).items():
        words, new = WORDS[language], partial(new_context, locale=language)
        participant_tour.asides(album, new, words, study["link"])
        participant_tour.once_only(album, new, words, (once["link"], once_too))
    participant_tour.take_last_place(new_context(), full["link"])
    participant_tour.closed_door(albums, new_context, full["link"], participant_tour.FULL)
    participant_tour.closed_door(albums, new_context, sent, participant_tour.NOT_SENT)
    judge(albums, (*participant_tour.ASIDES, participant_tour.FULL, participant_tour.NOT_SENT), ["panel"])


@pytest.mark.usefixtures("large_screen")
def test_a_change_of_situation_and_forced_colours(
    albums: Albums, publish: Publish, new_context: NewContext, extent: str
) -> None:
    block = {"count": 1, "training": 0}
    trials = [
        block | {"kind": "rate", "contexts": ["work"], "networks": ["DSL"]},
        block | {"kind": "slider", "contexts": ["free-time"], "networks": ["LTE"]},
    ]
    link = publish(f"album-situations-{extent}", rate=1, compare=0, slider=1, trials=trials)["link"]
    for language, album in visiting(albums).items():
        words, new = WORDS[language], partial(new_context, locale=language)
        participant_tour.situations(album, new, words, link)
    judge(albums, participant_tour.SITUATIONS)


@pytest.mark.usefixtures("large_screen")
def test_the_ways_back_of_recruited_people(
    albums: Albums, platform: Platform, publish: Publish, new_context: NewContext, extent: str
) -> None:
    # a label, since the list of studies shows it on pages of other tours
    label = {"en": "Recruited people", "de": "Vermittelte Personen"}
    group = {"key": "prolific", "label": label, "recruiter": recruited_tour.RECRUITER}
    once = publish(f"album-recruited-{extent}", rate=1, compare=0, groups=[group, {"key": "volunteer"}])
    limited = [group | {"quota": {"sessions": 1}}]
    few = publish(f"album-recruited-few-{extent}", rate=1, compare=0, groups=limited, conformance=USED)
    refuse = {"session": {"narrow_window": "refuse"}, "groups": [group]}
    wide = publish(f"album-recruited-wide-{extent}", rate=1, compare=1, **refuse)
    links = {"open": once["link"], "full": few["link"], "narrow": wide["link"]}
    recruited_tour.tour(albums, new_context, links)
    page = albums["en"].open(new_context(locale="en").new_page())
    sign_in(page, platform, "admin", to=f"/research/studies/{once['sha256']}")
    plain = urljoin(once["link"], once["fieldings"][1]["participant_url"])
    recruited_tour.study_page(albums, new_context, page, once, plain)
    judge(albums, recruited_tour.PAGES, {RECRUITED_SAY} | staff_tour.names_given(page, platform))


def test_a_link_for_a_password_and_a_second_factor(
    albums: Albums, platform: Platform, new_context: NewContext, extent: str
) -> None:
    names = account_tour.tour(albums, platform, new_context, f"tess-{extent}")
    page = new_context().new_page()
    sign_in(page, platform, "admin", to="/admin")
    judge(albums, account_tour.PAGES, names | staff_tour.names_given(page, platform))


def test_pages_before_login(albums: Albums, platform: Platform, new_context: NewContext) -> None:
    staff_tour.before_login(albums, platform, new_context(locale="en").new_page())
    judge(albums, staff_tour.BEFORE_LOGIN)


def test_a_researchers_pages(
    albums: Albums, platform: Platform, study: dict[str, Any], new_context: NewContext
) -> None:
    page = new_context(locale="en").new_page()
    staff_tour.researcher(albums, platform, page, study)
    # the list of studies names what the recruited people's links brought along
    given = staff_tour.names_given(page, platform) | words_of(PLAN) | {RECRUITED_SAY}
    judge(albums, staff_tour.RESEARCHER, given)


def words_of(plan: dict[str, Any]) -> set[str]:
    """Its free texts."""
    return {
        plan["model"],
        plan["exclusions"],
        plan["stopping"],
        *(hypothesis["says"] for hypothesis in plan["hypotheses"]),
    }


def test_an_admins_pages(albums: Albums, platform: Platform, new_context: NewContext) -> None:
    page = new_context(locale="en").new_page()
    staff_tour.admin(albums, platform, page)
    judge(albums, staff_tour.ADMIN, staff_tour.names_given(page, platform))


def test_a_study_that_is_paused_and_closed(
    albums: Albums, platform: Platform, publish: Publish, new_context: NewContext, extent: str
) -> None:
    doors = publish(f"album-doors-{extent}", rate=1, compare=0)
    staff_tour.doors(albums, platform, new_context, doors)
    judge(albums, staff_tour.DOORS, [doors["name"], "tiny"])
