"""A recruiter's participant takes part once, and is led back at the end."""

import time
import uuid
from typing import Any

import pytest

from accounts.models import ApiToken, Role, Scope, User
from analysis.snapshots.columns import FILES
from ratings import completion, resume
from ratings.models import Participant, Recruitment, Session, Trial
from studies.models import Fielding, Slot
from testing import studies
from testing.studies import PASSWORD
from testing.threads import THREADS, at_once
from testing.web import SCREEN, Browser, error_code, post, put, signed_in, stranger, vote_body

WORKERS = {
    "key": "worker",
    "recruiter": {
        "name": "panel",
        "id_parameter": "PANEL_PID",
        "return_url": "https://panel.example/done?cc={code}",
    },
}
GROUPS = [WORKERS, {"key": "volunteer"}]

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def fieldings(db: None) -> dict[str, Fielding]:
    studies.visible_batch()
    return {fielding.group: fielding for fielding in studies.study(groups=GROUPS).fieldings.all()}


def simulator() -> Browser:
    """A program that may begin simulated sessions."""
    admin = User.objects.create_account("sim", PASSWORD, Role.ADMIN)
    token = ApiToken.issue(user=admin, name="simulate", scope=Scope.STUDIES)
    return Browser(headers={"Authorization": f"Bearer {token}"})


def begin(fielding: Fielding, worker: str | None, browser: Browser | None = None, **more: Any) -> Any:
    browser = browser or Browser()
    body: dict[str, Any] = {"language": "en", "consent_version": "1", "screen": SCREEN} | more
    if worker is not None:
        body["recruit"] = {"id": worker}
    answer = post(browser, f"/api/participate/{fielding.slug}/sessions", body)
    if answer.status_code in (200, 201):
        browser.session_id = answer.json()["id"]
    return answer


def begin_patiently(fielding: Fielding, worker: str | None, browser: Browser | None = None) -> Any:
    """As a page does, which tries again where many begin."""
    for _ in range(300):
        answer = begin(fielding, worker, browser)
        if answer.status_code != 429:
            return answer
        time.sleep(0.05)
    raise AssertionError("busy for too long")


def sender(worker: str | None) -> dict[str, Any]:
    """The group of whoever has this id."""
    return WORKERS if worker is not None else {"key": "laboratory"}


def complete(browser: Browser, session: dict[str, Any]) -> Any:
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    return post(browser, "/api/session/finish", {"skipped": []}).json()


def test_the_page_gets_the_name_of_the_parameter_with_the_id(fieldings: dict[str, Fielding]) -> None:
    invitations = {
        group: stranger().get(f"/api/participate/{fielding.slug}").json() for group, fielding in fieldings.items()
    }
    assert invitations["worker"]["recruiter"]["id_parameter"] == "PANEL_PID"
    assert invitations["volunteer"]["recruiter"] is None
    assert "panel.example" not in str(invitations)


def test_the_id_is_kept_apart_from_all_else(fieldings: dict[str, Fielding]) -> None:
    answer = begin(fieldings["worker"], "w-17")
    assert answer.status_code == 201
    recruitment = Recruitment.objects.get()
    assert (recruitment.recruiter, recruitment.recruiter_id) == ("panel", "w-17")
    assert recruitment.participant == Session.objects.get().participant
    assert "w-17" not in answer.content.decode()
    assert not any("recruit" in column.name for columns in FILES.values() for column in columns)


def test_whoever_is_done_cannot_come_again_and_sees_their_session_in_its_own_browser_alone(
    fieldings: dict[str, Fielding],
) -> None:
    browser, other = Browser(), Browser()
    session = begin(fieldings["worker"], "w-17", browser).json()
    code = complete(browser, session)["completion_code"]
    refused = begin(fieldings["worker"], "w-17", other)
    assert error_code(refused) == (409, "already_took_part")
    assert [said for said in (session["id"], code) if said in refused.content.decode()] == []
    assert other.cookies == {}
    again = begin(fieldings["worker"], "w-17", browser)
    assert (again.status_code, again.json()["id"], again.json()["state"]) == (200, session["id"], "completed")
    assert begin(fieldings["worker"], "w-18").status_code == 201
    assert Participant.objects.count() == 2


def test_an_unfinished_session_goes_on_in_another_browser(fieldings: dict[str, Fielding]) -> None:
    first, second = Browser(), Browser()
    begun = begin(fieldings["worker"], "w-17", first).json()
    put(first, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    again = begin(fieldings["worker"], "w-17", second)
    assert (again.status_code, again.json()["id"], again.json()["answered"]) == (200, begun["id"], [1])
    done = complete(second, begun)
    # who finished it may read the code again, and so may the browser in which it was begun
    for browser in (second, first):
        assert browser.get(f"/api/session?slug={fieldings['worker'].slug}").json()["state"] == "completed"
        assert post(browser, "/api/session/finish", {"skipped": []}).json() == done


def test_the_id_alone_takes_nothing_from_the_browser_in_which_the_session_was_begun(
    fieldings: dict[str, Fielding],
) -> None:
    slug, first, guesser = fieldings["worker"].slug, Browser(), Browser()
    begun = begin(fieldings["worker"], "w-17", first).json()
    put(first, "/api/session/person", {"answers": {"age": "old"}})
    put(first, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0], data={"score": 2}))
    shown = begin(fieldings["worker"], "w-17", guesser)
    # how far it is, and nothing that was answered
    assert (shown.json()["answered"], shown.json()["person_answered"]) == ([1], True)
    assert set(shown.json()) == set(begun)
    assert not [said for said in ('"score"', '"old":', "w-17") if said in shown.content.decode().replace(" ", "")]
    # nor can it be withdrawn
    assert error_code(guesser.get("/api/withdrawals/own")) == (401, "no_session")
    assert error_code(post(guesser, "/api/withdrawals", {"session_id": begun["id"]})) == (401, "no_session")
    # the first one goes on, finishes, and is alone with the code
    assert first.get(f"/api/session?slug={slug}").json()["answered"] == [1]
    code = complete(first, begun)["completion_code"]
    assert guesser.get(f"/api/session?slug={slug}").status_code == 204
    assert error_code(post(guesser, "/api/session/finish", {"skipped": []})) == (401, "no_session")
    assert error_code(begin(fieldings["worker"], "w-17", guesser)) == (409, "already_took_part")
    assert post(first, "/api/session/finish", {"skipped": []}).json()["completion_code"] == code
    assert post(first, "/api/withdrawals", {"session_id": begun["id"]}).json()["votes"] == 6


def test_who_went_on_elsewhere_withdraws_by_the_code(fieldings: dict[str, Fielding]) -> None:
    first, second = Browser(), Browser()
    begun = begin(fieldings["worker"], "w-17", first).json()
    begin(fieldings["worker"], "w-17", second)
    code = complete(second, begun)["completion_code"]
    refused = post(second, "/api/withdrawals", {"session_id": begun["id"]})
    assert error_code(refused) == (401, "no_session")
    assert "completion code" in refused.json()["error"]["message"]
    assert post(second, "/api/withdrawals", {"completion_code": code}).json()["recruiter_ids"] == 1


def test_a_later_session_of_theirs_is_not_shown_to_who_guessed_the_id_before(db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": "restart"}).fieldings.get()
    first, guesser = Browser(), Browser()
    begin(fielding, "w-17", first)
    old = begin(fielding, "w-17", guesser).json()
    put(guesser, f"/api/session/votes/{uuid.uuid4()}", vote_body(old["trials"][0]))
    complete(first, begin(fielding, "w-17", first).json())
    assert error_code(begin(fielding, "w-17", guesser)) == (409, "already_took_part")


def test_a_browser_that_another_worker_has_used_begins_for_the_new_one(fieldings: dict[str, Fielding]) -> None:
    shared = Browser()
    first = begin(fieldings["worker"], "w-17", shared).json()
    second = begin(fieldings["worker"], "w-18", shared)
    assert second.status_code == 201
    assert second.json()["id"] != first["id"]


def test_the_same_person_by_another_link_of_the_study_is_refused(db: None) -> None:
    studies.visible_batch()
    groups = [WORKERS, WORKERS | {"key": "expert"}]
    first, other = studies.study(groups=groups).fieldings.order_by("pk")
    assert begin(first, "w-17").status_code == 201
    assert error_code(begin(other, "w-17")) == (409, "already_took_part")


def test_who_begins_anew_by_the_id_alone_cannot_erase_what_was_before(db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": "restart"}).fieldings.get()
    first, guesser = Browser(), Browser()
    begun = begin(fielding, "w-17", first).json()
    put(first, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    renewed = begin(fielding, "w-17", guesser)
    assert (renewed.status_code, renewed.json()["id"] != begun["id"]) == (201, True)
    assert error_code(guesser.get("/api/withdrawals/own")) == (401, "no_session")
    assert error_code(post(guesser, "/api/withdrawals", {"session_id": renewed.json()["id"]})) == (401, "no_session")
    # the first browser takes the new session up, and the other one goes on as well
    again = begin(fielding, "w-17", first)
    assert (again.status_code, again.json()["id"]) == (200, renewed.json()["id"])
    assert put(guesser, "/api/session/person", {"answers": {"age": "old"}}).status_code == 204
    assert post(first, "/api/withdrawals", {"session_id": renewed.json()["id"]}).json()["sessions"] == 2


def test_in_another_study_the_person_is_another_participant(db: None) -> None:
    """Nothing in the data leads from one study to another, and a code opens the study that it is of."""
    studies.visible_batch()
    shared, codes = Browser(), {}
    for name in ("first", "second"):
        fielding = studies.study(name=name, groups=[WORKERS]).fieldings.get()
        session = begin(fielding, "w-17", shared).json()
        codes[name] = complete(shared, session)["completion_code"], session["id"]
    assert (Participant.objects.count(), Recruitment.objects.count()) == (2, 2)
    code, session_id = codes["second"]
    body = post(shared, "/api/withdrawals/lookup", {"completion_code": code}).json()
    assert (body["session_id"], [promise["votes"] for promise in body["promises"]]) == (session_id, [6])
    done = post(Browser(), "/api/withdrawals", {"completion_code": code}).json()
    assert (done["sessions"], done["votes"], done["recruiter_ids"]) == (1, 6, 1)
    assert str(Session.objects.get().pk) == codes["first"][1]
    assert Recruitment.objects.get().recruiter_id == "w-17"


def test_an_id_where_nobody_recruits_is_refused(fieldings: dict[str, Fielding]) -> None:
    answer = begin(fieldings["volunteer"], "w-17")
    assert (error_code(answer), answer.json()["error"]["details"]) == ((422, "invalid"), {"field": "recruit"})
    assert begin(fieldings["volunteer"], None).status_code == 201


def test_nobody_begins_by_a_recruiters_link_without_the_id(fieldings: dict[str, Fielding]) -> None:
    browser = Browser()
    refused = begin(fieldings["worker"], None, browser)
    assert error_code(refused) == (422, "recruit_missing")
    assert refused.json()["error"]["details"] == {"field": "recruit"}
    assert refused.json()["error"]["message"] == (
        "recruit is missing: the link has no PANEL_PID, the participant's id at the recruiter; "
        "open the study by the link on the recruiter's site."
    )
    counts = [model.objects.count() for model in (Participant, Session, Trial)]
    assert (counts, browser.cookies, set(Slot.objects.values_list("state", flat=True))) == ([0, 0, 0], {}, {"open"})


def test_whom_nobody_pays_needs_no_id(fieldings: dict[str, Fielding]) -> None:
    slug = fieldings["worker"].slug
    assert begin(fieldings["worker"], None, simulator(), origin="simulated").status_code == 201
    body = {"language": "en", "consent_version": "1", "screen": SCREEN}
    preview = post(signed_in("rita", Role.ADMIN), f"/api/research/fieldings/{slug}/preview", body)
    assert preview.status_code == 201
    assert Recruitment.objects.count() == 0


@pytest.mark.parametrize(("policy", "status"), [("resume", 200), ("restart", 201)])
def test_who_was_sent_before_comes_back_without_the_id_as_well(db: None, policy: str, status: int) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": policy}).fieldings.get()
    browser = Browser()
    begun = begin(fielding, "w-17", browser).json()
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    again = begin(fielding, None, browser)
    assert (again.status_code, again.json()["id"] == begun["id"]) == (status, policy == "resume")
    assert Participant.objects.get().recruitment.recruiter_id == "w-17"


@pytest.mark.parametrize("policy", ["resume", "restart"])
def test_who_had_begun_without_the_id_goes_on_but_does_not_begin_anew(db: None, policy: str) -> None:
    """From before the id was asked for."""
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], session={"resume": policy}).fieldings.get()
    browser = simulator()
    begun = begin(fielding, None, browser, origin="simulated").json()
    Session.objects.update(origin="person")
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begun["trials"][0]))
    again = begin(fielding, None, browser)
    if policy == "resume":
        assert (again.status_code, again.json()["id"]) == (200, begun["id"])
    else:
        assert error_code(again) == (422, "recruit_missing")
    assert (Session.objects.get().state, Slot.objects.filter(state="open").count()) == ("started", 30)


@pytest.mark.parametrize("worker", ["", "x" * 129])
def test_an_id_of_no_length_or_too_much_is_refused(fieldings: dict[str, Fielding], worker: str) -> None:
    answer = begin(fieldings["worker"], worker)
    assert answer.json()["error"]["details"] == {"field": "recruit.id"}


def test_a_simulated_session_says_so(fieldings: dict[str, Fielding]) -> None:
    begin(fieldings["volunteer"], None, simulator(), origin="simulated")
    begin(fieldings["volunteer"], None)
    assert list(Session.objects.order_by("started_at").values_list("origin", flat=True)) == ["simulated", "person"]
    assert error_code(begin(fieldings["volunteer"], None, origin="preview")) == (422, "invalid")


def test_a_simulated_session_needs_a_token_of_somebody_who_may_edit_the_study(fieldings: dict[str, Fielding]) -> None:
    """Anybody could fill a study otherwise, one with a recruiter without any id."""

    def ask(browser: Browser) -> Any:
        return begin(fieldings["worker"], None, browser, origin="simulated")

    def holding(name: str, role: Role, scope: Scope) -> Browser:
        owner = User.objects.create_account(name, PASSWORD, role)
        token = ApiToken.issue(user=owner, name="test", scope=scope)
        return Browser(headers={"Authorization": f"Bearer {token}"})

    anonymous = ask(Browser())
    assert error_code(anonymous) == (401, "token_needed")
    assert anonymous.json()["error"]["message"] == (
        "A simulated session requires an API token with the scope studies; send Authorization: Bearer TOKEN."
    )
    assert error_code(ask(Browser(headers={"Authorization": "Bearer none"}))) == (401, "token_needed")
    in_person = Browser()
    User.objects.create_account("ada", PASSWORD, Role.ADMIN)
    in_person.login(username="ada", password=PASSWORD)
    assert error_code(ask(in_person)) == (401, "token_needed")
    assert error_code(ask(holding("reads", Role.RESEARCHER, Scope.RESULTS))) == (403, "wrong_scope")
    # another researcher's study
    assert error_code(ask(holding("other", Role.RESEARCHER, Scope.STUDIES))) == (404, "not_found")
    assert not Session.objects.exists()
    assert ask(holding("admin", Role.ADMIN, Scope.STUDIES)).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_one_id_in_many_tabs_at_once_is_one_session(transactional_db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[WORKERS], quota={"sessions": 30}).fieldings.get()
    codes = at_once(lambda _: begin_patiently(fielding, "w-17").status_code)
    assert set(codes) == {200, 201}
    assert codes.count(201) == 1
    assert (Participant.objects.filter(recruitment__isnull=False).count(), Session.objects.count()) == (1, 1)
    assert Participant.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("worker", ["w-17", None])
def test_who_finishes_in_another_tab_while_beginning_anew_has_one_session(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, worker: str | None
) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[sender(worker)], session={"resume": "restart"}).fieldings.get()
    browser = Browser()
    session = begin(fielding, worker, browser).json()
    for trial in session["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    hold = resume.hold

    def finish_first(begun: Session) -> None:
        at_once(lambda _: completion.finish(begun, skipped=[]), threads=1)
        hold(begun)

    monkeypatch.setattr(resume, "hold", finish_first)
    again = begin(fielding, worker, browser)
    assert (again.status_code, again.json()["id"]) == (200, session["id"])
    assert Session.objects.get().state == "completed"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("worker", ["w-17", None])
def test_who_begins_anew_in_two_tabs_has_one_new_session(transactional_db: None, worker: str | None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[sender(worker)], session={"resume": "restart"}).fieldings.get()
    browser = Browser()
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begin(fielding, worker, browser).json()["trials"][0]))
    tabs = [Browser() for _ in range(THREADS)]
    for tab in tabs:
        tab.cookies.update(browser.cookies)
    answers = at_once(lambda number: begin_patiently(fielding, worker, tabs[number]))
    codes = [answer.status_code for answer in answers]
    assert (codes.count(201), codes.count(200)) == (1, len(codes) - 1)
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert (Session.objects.count(), Participant.objects.count()) == (2, 1)
    # whichever answer came first or last, two tabs can go on, and the last one to have asked is whole
    alive = [tab for tab in tabs if tab.get(f"/api/session?slug={fielding.slug}").status_code == 200]
    assert len(alive) == 2
    assert [tab.get("/api/withdrawals/own").status_code for tab in alive].count(200) == 1


@pytest.mark.django_db
def test_a_browser_that_never_heard_of_its_new_session_finds_it(db: None) -> None:
    studies.visible_batch()
    fielding = studies.study(groups=[{"key": "laboratory"}], session={"resume": "restart"}).fieldings.get()
    browser, lost = Browser(), Browser()
    put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(begin(fielding, None, browser).json()["trials"][0]))
    lost.cookies.update(browser.cookies)
    new = begin(fielding, None, lost).json()
    # that answer was lost on its way, and its cookie with it
    again = begin(fielding, None, browser)
    assert (again.status_code, again.json()["id"]) == (200, new["id"])
    assert browser.get("/api/withdrawals/own").json()["session_id"] == new["id"]
