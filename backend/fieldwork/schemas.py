"""Body of the API about a study in the field; what the domain declares is not declared again."""

from dataclasses import dataclass
from datetime import datetime

from ninja import Schema

from fieldwork.alerts import Alert
from fieldwork.course import Day, LinkCourse, Step


@dataclass(frozen=True)
class LinkOut(LinkCourse):
    """People's sessions of a link; started = active + finished + left + restarted.

    Active: not finished, and began or answered within 15 minutes. `excluded`: completed sessions that are left out, by
    reason. `minutes`: quartiles of the durations of completed sessions.
    """


@dataclass(frozen=True)
class StepOut(Step):
    """Sessions of a group that were left after `answered` of `trials` trials."""


@dataclass(frozen=True)
class DayOut(Day):
    """A day in UTC. `votes` are those of people, whether or not they count."""


@dataclass(frozen=True)
class AlertOut(Alert):
    """`subject`: the link's slug; for a clip `slug/digest`. `since`: null if it was found just now."""

    since: datetime | None


class ProblemOut(Schema):
    """What participants could not do: a code of the API, and how often."""

    code: str
    group: str
    today: int
    total: int


class FieldOut(Schema):
    """A study in the field, at `at`: as of now, or, of a large study, as it was last counted."""

    at: datetime
    links: list[LinkOut]
    steps: list[StepOut]
    days: list[DayOut]
    problems: list[ProblemOut]
    alerts: list[AlertOut]
