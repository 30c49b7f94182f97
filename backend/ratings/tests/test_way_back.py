"""Participants are sent back to their recruiter with its own code, and the link's parameters are kept for that."""

import uuid
from typing import Any

import pytest
from django.test import Client

from accounts.models import Role
from analysis.snapshots.columns import FILES
from ratings import way_back
from ratings.models import Recruitment, Session
from studies.models import Fielding
from testing import studies
from testing.people import QUESTION
from testing.web import SCREEN, Browser, post, put, signed_in, stranger, vote_body

PROLIFIC = {
    "name": "Prolific",
    "id_parameter": "PROLIFIC_PID",
    "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
    "codes": {"completed": "DONE", "no_consent": "NOCONSENT", "other": "BACK"},
}
ARRIVAL = {"PROLIFIC_PID": "w-17", "STUDY_ID": "study 1", "SESSION_ID": "submission&1"}

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def field(recruiter: dict[str, Any] | None = None, **changes: Any) -> Fielding:
    studies.visible_batch()
    group = {"key": "worker"} | ({} if recruiter is None else {"recruiter": recruiter})
    return studies.study(groups=[group], **changes).fieldings.get()


def begin(fielding: Fielding, browser: Browser, worker: str | None = "w-17", **more: Any) -> Any:
    body: dict[str, Any] = {"language": "en", "consent_version": "1", "screen": SCREEN} | more
    if worker is not None:
        body["recruit"] = {"id": worker}
    answer = post(browser, f"/api/participate/{fielding.slug}/sessions", body)
    if answer.status_code in (200, 201):
        browser.session_id = answer.json()["id"]
    return answer


def finish(browser: Browser) -> Any:
    return post(browser, "/api/session/finish", {"skipped": []}).json()


def complete(fielding: Fielding, *, choice: str | None = None, browser: Browser | None = None, **more: Any) -> Any:
    browser = browser or Browser()
    for trial in begin(fielding, browser, **more).json()["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    if choice is not None:
        put(browser, f"/api/session/controls/{QUESTION['key']}", {"choice": choice})
    return finish(browser)


def test_the_codes_of_those_who_did_not_take_part_are_public_and_the_one_that_pays_is_not(db: None) -> None:
    fielding, browser = field(PROLIFIC), Browser()
    invitation = stranger().get(f"/api/participate/{fielding.slug}").json()
    assert invitation["recruiter"]["name"] == "Prolific"
    ways = invitation["recruiter"]["ways_back"]
    url = "https://app.prolific.com/submissions/complete?cc="
    assert ways["no_consent"] == {"code": "NOCONSENT", "url": f"{url}NOCONSENT"}
    assert ways["full"] == {"code": "BACK", "url": f"{url}BACK"}
    assert set(ways) == {"no_consent", "incompatible_device", "full", "closed", "took_part", "missing_id"}
    begun = begin(fielding, browser)
    assert [said for said in ("DONE", "completed") if said in str(invitation) + begun.content.decode()] == []
    assert begun.json()["study"]["recruiter"] == invitation["recruiter"]


def test_the_end_shows_the_recruiters_code_and_ours_apart(db: None) -> None:
    done = complete(field(PROLIFIC))
    assert done["back"] == {
        "recruiter": "Prolific",
        "end": "completed",
        "code": "DONE",
        "url": "https://app.prolific.com/submissions/complete?cc=DONE",
    }
    assert done["completion_code"] != "DONE"


def test_without_codes_each_participant_hands_in_their_own(db: None) -> None:
    done = complete(field({"name": "MTurk", "id_parameter": "workerId"}))
    assert done["back"] == {"recruiter": "MTurk", "end": "completed", "code": done["completion_code"], "url": None}


def test_where_nobody_recruits_nobody_is_sent_back(db: None) -> None:
    assert complete(field(), worker=None)["back"] is None


def test_parameters_are_filled_in_and_percent_encoded(db: None) -> None:
    panel = PROLIFIC | {"return_url": "https://panel.example/{SESSION_ID}?pid={id}&s={STUDY_ID}&x={none}&c={code}"}
    done = complete(field(panel), arrival=ARRIVAL)
    assert done["back"]["url"] == "https://panel.example/submission%261?pid=w-17&s=study%201&x=&c=DONE"


def test_arrival_parameters_are_kept_with_the_recruiters_id_and_nowhere_else(db: None) -> None:
    begun = begin(field(PROLIFIC), Browser(), arrival=ARRIVAL)
    recruitment = Recruitment.objects.get()
    assert recruitment.arrival == {"STUDY_ID": "study 1", "SESSION_ID": "submission&1"}
    assert Session.objects.get().unknown_parameters is None
    assert "submission&" not in begun.content.decode()
    assert not any("arrival" in column.name for columns in FILES.values() for column in columns)


@pytest.mark.parametrize(("same_browser", "stored"), [(True, "second"), (False, "first")])
def test_a_new_attempt_brings_its_own_parameters_but_not_by_the_id_alone(
    db: None, same_browser: bool, stored: str
) -> None:
    fielding, browser = field(PROLIFIC, session={"resume": "restart"}), Browser()
    begun = begin(fielding, browser, arrival={"SESSION_ID": "first"}).json()
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    again = begin(fielding, browser if same_browser else Browser(), arrival={"SESSION_ID": "second"})
    assert (again.status_code, Recruitment.objects.get().arrival) == (201, {"SESSION_ID": stored})


@pytest.mark.parametrize(
    ("arrival", "where"),
    [
        ({f"p{number}": "x" for number in range(21)}, "arrival"),
        ({"SESSION_ID": "x" * 257}, "arrival.SESSION_ID"),
        ({"SESSION_ID": "a\nb"}, "arrival.SESSION_ID"),
        ({"<b>": "x"}, "arrival.<b>.[key]"),
    ],
)
def test_too_many_or_too_long_parameters_are_refused(db: None, arrival: dict[str, str], where: str) -> None:
    answer = begin(field(PROLIFIC), Browser(), arrival=arrival)
    assert (answer.status_code, answer.json()["error"]["details"]) == (422, {"field": where})
    assert Session.objects.count() == 0


def test_parameters_of_a_link_without_a_recruiter_are_counted_by_name_alone(db: None) -> None:
    fielding = field()
    for number in range(2):
        begin(fielding, Browser(), None, arrival=ARRIVAL | {f"p{number}": "x"})
    begin(fielding, Browser(), None)
    names = sorted([*ARRIVAL, "p0"])
    assert Session.objects.get(number=1).unknown_parameters == names
    researcher = signed_in("rita", Role.ADMIN)
    (row,) = researcher.get(f"/api/research/studies/{fielding.study_id}").json()["fieldings"]
    counted = {parameter["name"]: parameter["sessions"] for parameter in row["unknown_parameters"]}
    assert counted == dict.fromkeys(ARRIVAL, 2) | {"p0": 1, "p1": 1}
    assert [value for value in ARRIVAL.values() if value in str(row)] == []
    assert Recruitment.objects.count() == 0


# these votes come without plays, all at once
PAID_BY_R7_ALONE = {"R1": {"pay": True}, "R7": {"pay": False}, "R9": {"pay": True}}
CHECKED = {"controls": {"questions": [QUESTION]}, "conformance": PAID_BY_R7_ALONE}


@pytest.mark.parametrize(
    ("codes", "choice", "expected"),
    [
        ({"failed_checks": "FAIL"}, "animals", ("failed_checks", "FAIL")),
        ({"failed_checks": "FAIL"}, QUESTION["right"], ("completed", "DONE")),
        # without a way of their own they get the code of all who complete, and the recruiter learns it from the list
        ({}, "animals", ("completed", "DONE")),
    ],
)
def test_failed_checks_have_their_own_code_where_the_study_gives_one(
    db: None, codes: dict[str, str], choice: str, expected: tuple[str, str]
) -> None:
    fielding, browser = field(PROLIFIC | {"codes": PROLIFIC["codes"] | codes}, **CHECKED), Browser()  # type: ignore[operator]
    done = complete(fielding, choice=choice, browser=browser)
    assert (done["back"]["end"], done["back"]["code"]) == expected
    # and it stays so, whatever the worker finds later
    assert finish(browser) == done


COMPARISONS = {"trials": [{"kind": "compare", "count": 2, "training": 0}]}


def skip_all(browser: Client, begun: Any) -> Any:
    skipped = [trial["position"] for trial in begun["trials"]]
    return post(browser, "/api/session/finish", {"session_id": begun["id"], "skipped": skipped}).json()


@pytest.mark.parametrize("by_preview", [False, True])
def test_who_skips_all_that_the_study_asks_gets_no_code_that_pays(db: None, *, by_preview: bool) -> None:
    """Two calls without a video: the page lets nobody begin in such a window, and the server pays nobody for it."""
    fielding = field(PROLIFIC, **COMPARISONS)
    if by_preview:
        browser, path = signed_in("rita", Role.ADMIN), f"/api/research/fieldings/{fielding.slug}/preview"
        begun = post(browser, path, {"language": "en", "consent_version": "1", "screen": SCREEN}).json()
    else:
        browser = Browser()
        begun = begin(fielding, browser).json()
    done = skip_all(browser, begun)
    url = "https://app.prolific.com/submissions/complete?cc=BACK"
    assert done["back"] == {"recruiter": "Prolific", "end": "incompatible_device", "code": "BACK", "url": url}
    assert "DONE" not in str(done)


def test_without_a_code_for_it_nobody_who_skipped_all_is_told_to_hand_in_their_own(db: None) -> None:
    browser = Browser()
    begun = begin(field({"name": "MTurk", "id_parameter": "workerId"}, **COMPARISONS), browser).json()
    done = skip_all(browser, begun)
    assert done["back"] == {"recruiter": "MTurk", "end": "incompatible_device", "code": None, "url": None}


def test_who_has_rated_one_of_several_has_taken_part(db: None) -> None:
    fielding, browser = field(PROLIFIC, **COMPARISONS), Browser()
    first, *others = begin(fielding, browser).json()["trials"]
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(first))
    done = post(browser, "/api/session/finish", {"skipped": [trial["position"] for trial in others]}).json()
    assert (done["back"]["end"], done["back"]["code"]) == ("completed", "DONE")


def test_a_fault_in_judging_costs_nobody_their_pay(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: uuid.UUID) -> bool:
        raise RuntimeError

    monkeypatch.setattr(way_back, "_providers", [fail])
    done = complete(field(PROLIFIC | {"codes": {"completed": "DONE", "failed_checks": "FAIL"}}))
    assert done["back"]["code"] == "DONE"


def test_a_preview_shows_the_way_back_too(db: None) -> None:
    fielding, browser = field(PROLIFIC), signed_in("rita", Role.ADMIN)
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    begun = post(browser, f"/api/research/fieldings/{fielding.slug}/preview", body).json()
    for trial in begun["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", {"session_id": begun["id"]} | vote_body(trial))
    done = post(browser, "/api/session/finish", {"session_id": begun["id"], "skipped": []}).json()
    assert (done["completion_code"], done["back"]["code"]) == ("PREVIEW", "DONE")
