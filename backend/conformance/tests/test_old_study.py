"""A study that was published before groups, sessions, controls and conformance works as if it had said the defaults."""

import copy
import uuid
from typing import Any

import pytest

from accounts.models import Role
from conformance.models import Verdict
from conformance.verdicts import judge_session
from eyelevel_core.contracts import canonical_json
from ratings.models import Session
from studies.models import Study
from testing import studies
from testing.people import findings_of
from testing.web import Browser, participant, post, put, signed_in, vote_body

pytestmark = [pytest.mark.django_db, pytest.mark.services]

# what the first version wrote out, besides what a study file had to say
FIELDS = {*studies.DESIGN, "instructions"}
OF_BLOCK = {"kind", "count", "min_width_px"}


def as_first_frozen(frozen: dict[str, Any]) -> dict[str, Any]:
    old = copy.deepcopy(frozen)
    old["study"] = {key: value for key, value in old["study"].items() if key in FIELDS}
    old["study"]["trials"] = [
        {key: value for key, value in block.items() if key in OF_BLOCK} for block in old["study"]["trials"]
    ]
    for stimulus in old["stimuli"]:
        del stimulus["role"]
    return old


@pytest.fixture
def study(db: None) -> Study:
    studies.visible_batch()
    study = studies.study()
    study.frozen_text = canonical_json(as_first_frozen(study.frozen)).decode()
    study.save()
    return study


def walked(study: Study) -> Session:
    """Everything is answered without a single play."""
    browser, session = participant(study.fieldings.get().slug, Browser())
    put(browser, "/api/session/person", {"answers": {"age": "old"}})
    for trial in session["trials"]:
        assert put(browser, f"/api/session/votes/{uuid.uuid4()}", vote_body(trial)).status_code == 200
    done = post(browser, "/api/session/finish", {"skipped": []})
    assert (done.status_code, len(done.json()["completion_code"])) == (200, 10)
    return Session.objects.get(pk=session["id"])


def test_it_takes_participants_and_leaves_nobody_out(study: Study) -> None:
    session = walked(study)
    assert study.design["session"]["resume_within_minutes"] == 7 * 24 * 60
    verdict = judge_session(session.pk)
    assert isinstance(verdict, Verdict)
    assert (verdict.version, verdict.accepted, verdict.used) == (1, True, True)
    assert {finding["rule"] for finding in findings_of(verdict)} == {f"R{number}" for number in range(1, 8)}


def test_researchers_see_it(study: Study) -> None:
    judge_session(walked(study).pk)
    ada = signed_in("ada", Role.ADMIN)
    path = f"/api/research/studies/{study.sha256}"
    answers = [ada.get(where) for where in ("/api/research/studies", path, f"{path}/conformance")]
    assert [answer.status_code for answer in answers] == [200] * 3
    rows, row, conformance = (answer.json() for answer in answers)
    assert (rows[0]["name"], row["trial_count"], row["cells"][0]["group"]) == ("pilot", 6, "volunteer")
    assert {(rule["use"], rule["pay"]) for rule in conformance["rules"]} == {(False, True)}
    assert conformance["groups"][0]["used"] == conformance["groups"][0]["accepted"] == 1
    # what was published stays what it was
    assert "conformance" not in row["study"]["study"]


def test_what_a_study_says_of_a_rule_stands(db: None) -> None:
    studies.visible_batch()
    design = studies.study(conformance={"R5": {"use": False}}).design
    assert {rule: own["use"] for rule, own in design["conformance"].items() if rule != "version"} == {
        f"R{number}": number != 5 for number in range(1, 8)
    }
    assert design["conformance"]["R1"]["pay"] is False
