"""The recruiters of docs/guides/recruiters.md: from their link over the study to the way back, and to their list."""

import html
import re
import uuid
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from browser.guides import group_in, section
from django.test import Client

from accounts.models import ApiToken, Role, Scope, User
from conformance.verdicts import judge_session
from eyelevel.simulate.session import Recruiter
from eyelevel.simulate.submissions import Submission, submissions_csv
from eyelevel_core.study.submissions import FORMATS
from ratings.models import Origin, Session
from studies.models import Study
from testing import studies
from testing.people import COUNTED_ONLY
from testing.studies import PASSWORD
from testing.web import SCREEN, Browser, post, put, signed_in, vote_body

pytestmark = [pytest.mark.services, pytest.mark.django_db]


@dataclass(frozen=True)
class Guided:
    """A section of the guide: the group of its study file, and the parameters that it says are in the link."""

    group: dict[str, Any]
    parameters: tuple[str, ...]

    @property
    def recruiter(self) -> Recruiter:
        return Recruiter(name=self.group["recruiter"]["name"], id_parameter=self.group["recruiter"]["id_parameter"])


def guided(heading: str) -> Guided:
    text = section("recruiters", heading)
    group = group_in(text)
    if "recruiter" not in group:
        # the laboratory, if it pays
        (written,) = re.findall(r"`(recruiter: \{[^`]*\})`", text)
        # without its label, which the guide has in one language
        group = {"key": group["key"]} | yaml.safe_load(written)
    links = re.findall(r"LINK\?([^\s\"`]+)", html.unescape(text))
    if links:
        return Guided(group, tuple(part.partition("=")[0] for part in links[0].split("&")))
    # a list of names: appended by the recruiter, or set by the task's script
    (named,) = re.findall(r"Connect appends ([^.]*)\.|for \(const name of \[([^]]*)\]", text)
    return Guided(group, tuple(re.findall(r"\w+", "".join(named).replace(" and ", " "))))


RECRUITERS = ("Prolific", "CloudResearch Connect", "MTurk", "Microworkers", "SONA", "Laboratory")


@pytest.fixture
def researcher(db: None) -> Client:
    return signed_in("rita", Role.RESEARCHER)


def published(group: dict[str, Any]) -> Study:
    studies.visible_batch()
    return studies.study(groups=[group], conformance=COUNTED_ONLY)


def simulator() -> Browser:
    admin = User.objects.create_account("sim", PASSWORD, Role.ADMIN)
    return Browser(headers={"Authorization": f"Bearer {ApiToken.issue(user=admin, name='sim', scope=Scope.STUDIES)}"})


def take_part(study: Study, submission: Submission, *, browser: Browser, origin: Origin = Origin.PERSON) -> Any:
    """Begin by the link with these ids, answer everything, and finish; returns the last page's answer."""
    body = {"language": "en", "consent_version": "1", "screen": SCREEN, "origin": origin} | submission.arrival()
    begun = post(browser, f"/api/participate/{study.fieldings.get().slug}/sessions", body)
    assert begun.status_code == 201, begun.content
    browser.session_id = begun.json()["id"]
    for trial in begun.json()["trials"]:
        put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial))
    done = post(browser, "/api/session/finish", {"skipped": []}).json()
    judge_session(Session.objects.get(pk=browser.session_id).pk)
    return done


def compare(researcher: Client, study: Study, submissions: list[Submission], **more: str) -> Any:
    """The books by the list of these submissions, as the guide says: others name their columns."""
    form = submissions[0].form
    known = next((name for name, each in FORMATS.items() if each == form), "other")
    body = {"group": study.fieldings.get().group, "format": known, "text": submissions_csv(submissions)} | more
    body |= {"person": form.person, "submission": form.submission, "code": form.code}
    answer = post(researcher, f"/api/research/studies/{study.pk}/books", body)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.parametrize("heading", RECRUITERS)
def test_the_link_of_the_guide_has_the_ids_that_pay(heading: str) -> None:
    guide = guided(heading)
    submission = Submission.made_up(guide.recruiter, uuid.uuid4())
    assert set(submission.arrival()["arrival"]) <= set(guide.parameters)


@pytest.mark.parametrize("heading", RECRUITERS)
def test_who_completes_returns_to_the_recruiter_and_is_approved_by_its_list(heading: str, researcher: Client) -> None:
    guide = guided(heading)
    study, recruiter = published(guide.group), guide.group["recruiter"]
    submission = Submission.made_up(guide.recruiter, uuid.uuid4())
    done = take_part(study, submission, browser=Browser())
    code = recruiter.get("codes", {}).get("completed", done["completion_code"])
    url = recruiter.get("returns", {}).get("completed", recruiter.get("return_url"))
    assert (done["back"]["end"], done["back"]["code"]) == ("completed", code)
    assert done["back"]["url"] == (url and url.replace("{code}", code).replace("{id}", submission.person))
    found = compare(researcher, study, [submission.submitted(code)])
    assert [(entry["person"], entry["action"], entry["why"]) for entry in found["entries"]] == [
        (submission.person, "approve", "accepted")
    ]


def test_simulated_participants_are_paid_in_a_rehearsal(researcher: Client) -> None:
    guide = guided("Prolific")
    study = published(guide.group)
    submission = Submission.made_up(guide.recruiter, uuid.uuid4())
    done = take_part(study, submission, browser=simulator(), origin=Origin.SIMULATED)
    found = compare(researcher, study, [submission.submitted(done["back"]["code"])], origin="all")
    assert {file["name"]: file["text"] for file in found["files"]}["approve.txt"] == f"{submission.id}\n"
