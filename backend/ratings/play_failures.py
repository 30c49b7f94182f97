"""Counts clips that did not play, by kind of browser, without storing in whose session."""

import re

from django.db.models import F

from lib.problems import Problem
from ratings.models import PlayFailure, PlayFault, Session, Trial

# limits what a faulty page can count
MOST_TIMES = 1000
# in this order: the others call themselves Chrome and Safari, too
BROWSERS = {
    "Edge": "Edg(?:A|iOS)?",
    "Opera": "OPR",
    "Samsung Internet": "SamsungBrowser",
    "Firefox": "Firefox|FxiOS",
    "Chrome": "(?:Headless)?Chrome|CriOS",
    "Safari": "Version",
}
SYSTEMS = {
    "Android": "Android",
    "iOS": "iPhone|iPad",
    "Windows": "Windows",
    "macOS": "Mac OS X",
    "ChromeOS": "CrOS",
    "Linux": "Linux",
}


def browser_of(user_agent: str) -> str:
    """Name, major version and system of a browser, such as `Firefox 128, Linux`; what is unknown is `other`."""
    browser = "other"
    for name, token in BROWSERS.items():
        if found := re.search(rf"\b(?:{token})/(\d{{1,3}})\b", user_agent):
            browser = f"{name} {found[1]}"
            break
    return f"{browser}, {next((name for name, token in SYSTEMS.items() if re.search(token, user_agent)), 'other')}"


def count(session: Session, position: int, fault: PlayFault, *, user_agent: str) -> None:
    """Count that the clip of a trial did not play; raise Problem 404 where the session has no such trial."""
    stimulus = Trial.objects.filter(session=session, position=position).values_list("stimulus_id", flat=True).first()
    if stimulus is None:
        raise Problem(404, "not_found", f"This session has no trial {position}.")
    failure, _ = PlayFailure.objects.get_or_create(
        fielding_id=session.fielding_id, stimulus_id=stimulus, browser=browser_of(user_agent), fault=fault
    )
    PlayFailure.objects.filter(pk=failure.pk, times__lt=MOST_TIMES).update(times=F("times") + 1)
