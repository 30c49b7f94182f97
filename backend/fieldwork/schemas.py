"""Bodies of the API about studies in the field, derived from the types of `fieldwork.course` and `fieldwork.alerts`."""

from dataclasses import dataclass
from datetime import datetime

from ninja import Schema

from fieldwork.alerts import Alert
from fieldwork.course import Day, LinkCourse, Step


@dataclass(frozen=True)
class LinkOut(LinkCourse):
    """Counts of people's sessions of a link, where started = active + finished + left + restarted.

    Active: not finished, and began or answered within 15 minutes. `excluded`: completed sessions that are not used, by
    reason. `minutes`: quartiles of the durations of completed sessions.
    """


@dataclass(frozen=True)
class StepOut(Step):
    """Number of sessions of a group that were abandoned after `answered` of `trials` trials."""


@dataclass(frozen=True)
class DayOut(Day):
    """Numbers of a day in UTC. `votes` are those of people, used or not."""


@dataclass(frozen=True)
class AlertOut(Alert):
    """An alert. `subject`: the link's slug, or `slug/digest` for a clip. `since`: null if it is new."""

    since: datetime | None


class ProblemOut(Schema):
    """A problem shown to participants: its code of the API, and how often it was shown."""

    code: str
    group: str
    today: int
    total: int


class FieldOut(Schema):
    """State of a study in the field at the time `at`: now, or for a large study, when it was last counted."""

    at: datetime
    links: list[LinkOut]
    steps: list[StepOut]
    days: list[DayOut]
    problems: list[ProblemOut]
    alerts: list[AlertOut]
