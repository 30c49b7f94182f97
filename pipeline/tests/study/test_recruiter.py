"""A recruiter's codes and ways back, for each end of a study."""

from typing import Any

import pytest

from eyelevel_core.study.recruiter import ENDS, Recruiter, WayBack

PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"


def recruiter(**changes: Any) -> Recruiter:
    return Recruiter("Prolific", "PROLIFIC_PID", **changes)


def test_a_participants_own_code_returns_who_completed_and_nobody_else() -> None:
    prolific = recruiter(return_url=PROLIFIC)
    completed = WayBack("A 1", "https://app.prolific.com/submissions/complete?cc=A%201")
    ways = {end: prolific.way_back(end, own_code="A 1") for end in ENDS}
    assert {end: way for end, way in ways.items() if way.url is not None} == {
        "completed": completed,
        "failed_checks": completed,
    }
    assert {way.code for way in ways.values() if way.url is None} == {None}


def test_one_url_and_a_code_for_each_end() -> None:
    codes = {"completed": "DONE", "failed_checks": "FAIL", "no_consent": "NO", "other": "BACK"}
    ways = {end: recruiter(return_url=PROLIFIC, codes=codes).way_back(end, own_code="K7QX") for end in ENDS}
    expected = dict.fromkeys(ENDS, "BACK") | {key: code for key, code in codes.items() if key != "other"}
    assert {end: way.code for end, way in ways.items()} == expected
    assert {end: way.url for end, way in ways.items()} == {
        end: PROLIFIC.replace("{code}", code) for end, code in expected.items()
    }


def test_a_url_for_each_end_comes_before_the_common_one() -> None:
    panel = recruiter(
        return_url="https://panel.example/done?c={code}",
        codes={"full": "Q"},
        returns={"full": "https://panel.example/full/{id}?c={code}", "other": "https://panel.example/out"},
    )
    assert panel.way_back("full") == WayBack("Q", "https://panel.example/full/{id}?c=Q")
    assert panel.way_back("closed") == WayBack(None, "https://panel.example/out")
    assert panel.way_back("completed", own_code="K").url == "https://panel.example/done?c=K"


def test_a_url_without_a_code_is_for_completion_alone() -> None:
    fixed = recruiter(return_url="https://app.prolific.com/submissions/complete?cc=DONE", codes={"other": "BACK"})
    assert fixed.way_back("completed", own_code="K").url == "https://app.prolific.com/submissions/complete?cc=DONE"
    assert fixed.way_back("no_consent") == WayBack("BACK", None)


@pytest.mark.parametrize(
    ("changes", "separates"),
    [
        ({}, False),
        ({"codes": {"completed": "DONE"}}, False),
        ({"codes": {"failed_checks": "FAIL"}}, True),
        ({"returns": {"failed_checks": "https://x/failed"}}, True),
    ],
)
def test_failed_checks_need_a_separate_code_or_address(changes: dict[str, Any], separates: bool) -> None:
    assert recruiter(**changes).separates_failed_checks is separates


def test_the_url_is_filled_from_the_link_and_percent_encoded() -> None:
    url = "https://panel.example/{STUDY_ID}/back?id={id}&pid={PROLIFIC_PID}&none={SESSION_ID}"
    filled = recruiter().filled(url, participant_id="a/b c", parameters={"STUDY_ID": "?x&y", "PROLIFIC_PID": "other"})
    assert filled == "https://panel.example/%3Fx%26y/back?id=a%2Fb%20c&pid=a%2Fb%20c&none="
