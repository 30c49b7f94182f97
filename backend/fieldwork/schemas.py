"""Body of the API about a study in the field."""

from datetime import date, datetime

from ninja import Schema


class ForecastOut(Schema):
    """When the quota is full at the rate of the last three days, with the ends of a 95 % interval.

    `latest` is null where it is more than a year away.
    """

    per_day: float
    expected: datetime
    earliest: datetime
    latest: datetime | None


class MinutesOut(Schema):
    """Quartiles of the durations of completed sessions, in minutes."""

    lower: float
    median: float
    upper: float


class LinkOut(Schema):
    """People's sessions of a link; started = active + finished + left + restarted.

    Active: not finished, and moved within 15 minutes. `excluded`: completed sessions that are left out, by reason.
    """

    slug: str
    group: str
    started: int
    active: int
    finished: int
    left: int
    restarted: int
    counted: int
    excluded: dict[str, int]
    minutes: MinutesOut | None
    forecast: ForecastOut | None


class StepOut(Schema):
    """Sessions of a group that were left after `answered` of `trials` trials."""

    group: str
    answered: int
    trials: int
    sessions: int


class DayOut(Schema):
    """A day in UTC. `votes` are all of people."""

    day: date
    group: str
    started: int
    finished: int
    counted: int
    votes: int


class ProblemOut(Schema):
    """What participants could not do: a code of the API, and how often."""

    code: str
    group: str
    today: int
    total: int


class AlertOut(Schema):
    """`subject`: the link's slug, or the clip's digest. `since`: null where it was found just now."""

    code: str
    subject: str
    group: str
    count: int
    of: int
    since: datetime | None


class FieldOut(Schema):
    """A study in the field, at `at`: as of now, or, of a large study, as it was last counted."""

    at: datetime
    links: list[LinkOut]
    steps: list[StepOut]
    days: list[DayOut]
    problems: list[ProblemOut]
    alerts: list[AlertOut]
