"""Course of a study in the field, computed from its sessions; pure functions without the database."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import quantiles

from fieldwork.forecast import Forecast, forecast

# a participant without activity for this time counts as left, but may still return
ACTIVE = timedelta(minutes=15)


@dataclass(frozen=True)
class Visit:
    """A session of a person. `answered` of its `trials` have a vote; `moved_at` is its start or its last vote.

    `restarted`: another session of the same person replaced it. `excluded_by`: reasons why a completed session is not
    used, including that it is over quota.
    """

    fielding: int
    started_at: datetime
    moved_at: datetime
    completed_at: datetime | None
    answered: int
    trials: int
    restarted: bool = False
    excluded_by: tuple[str, ...] = ()

    def is_active(self, now: datetime) -> bool:
        return self.completed_at is None and not self.restarted and now - self.moved_at < ACTIVE

    def has_left(self, now: datetime) -> bool:
        return self.completed_at is None and not self.restarted and not self.is_active(now)


@dataclass(frozen=True)
class Link:
    """A fielding: its group, its quota, whether people can begin, and since when.

    `is_closed`: permanently closed, so that it causes no alerts.
    """

    key: int
    slug: str
    group: str
    quota: int
    is_open: bool
    opened_at: datetime
    is_closed: bool = False


@dataclass(frozen=True)
class Minutes:
    """Quartiles of the durations of completed sessions."""

    lower: float
    median: float
    upper: float


@dataclass(frozen=True)
class LinkCourse:
    """Counts of people's sessions of a link, where started = active + finished + left + restarted.

    `excluded` counts completed sessions that are not used, by reason; a session can have several reasons.
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
    minutes: Minutes | None
    forecast: Forecast | None


@dataclass(frozen=True)
class Step:
    """Number of sessions of a group that were abandoned after `answered` of `trials` trials."""

    group: str
    answered: int
    trials: int
    sessions: int


@dataclass(frozen=True)
class Day:
    """Numbers of a group on one day in UTC; `votes` are those of all people, used or not."""

    day: date
    group: str
    started: int
    finished: int
    counted: int
    votes: int


@dataclass(frozen=True)
class Course:
    """Course of a study: links in the given order, steps in the order of groups, and days, newest first."""

    links: tuple[LinkCourse, ...]
    steps: tuple[Step, ...]
    days: tuple[Day, ...]


def course(
    links: Sequence[Link],
    visits: Iterable[Visit],
    *,
    votes: Mapping[tuple[date, str], int],
    now: datetime,
) -> Course:
    """Compute the course of a study; `votes` are numbers of votes per day and group."""
    of_link: dict[int, list[Visit]] = defaultdict(list)
    for visit in visits:
        of_link[visit.fielding].append(visit)
    groups = {link.key: link.group for link in links}
    every = [visit for link in links for visit in of_link[link.key]]
    return Course(
        links=tuple(_of_link(link, of_link[link.key], now) for link in links),
        steps=tuple(_steps(every, groups, now)),
        days=tuple(_days(every, groups, votes)),
    )


def _of_link(link: Link, visits: Sequence[Visit], now: datetime) -> LinkCourse:
    finished = [visit for visit in visits if visit.completed_at is not None]
    counted = [visit.completed_at for visit in finished if visit.completed_at is not None and not visit.excluded_by]
    return LinkCourse(
        slug=link.slug,
        group=link.group,
        started=len(visits),
        active=sum(visit.is_active(now) for visit in visits),
        finished=len(finished),
        left=sum(visit.has_left(now) for visit in visits),
        restarted=sum(visit.restarted and visit.completed_at is None for visit in visits),
        counted=len(counted),
        excluded=dict(sorted(Counter(reason for visit in finished for reason in visit.excluded_by).items())),
        minutes=_minutes(finished),
        forecast=forecast(counted, wanted=link.quota, since=link.opened_at, now=now) if link.is_open else None,
    )


def _minutes(finished: Sequence[Visit]) -> Minutes | None:
    lasted = [
        (visit.completed_at - visit.started_at).total_seconds() / 60
        for visit in finished
        if visit.completed_at is not None
    ]
    if not lasted:
        return None
    # all quartiles of one value are that value
    lower, median, upper = quantiles(lasted * 2 if len(lasted) == 1 else lasted, n=4, method="inclusive")
    return Minutes(lower, median, upper)


def _steps(visits: Sequence[Visit], groups: Mapping[int, str], now: datetime) -> list[Step]:
    abandoned = [visit for visit in visits if visit.has_left(now)]
    # the plan of a session in which nothing was answered is deleted after some weeks
    longest: Counter[str] = Counter()
    for visit in abandoned:
        group = groups[visit.fielding]
        longest[group] = max(longest[group], visit.trials)
    left: Counter[tuple[str, int, int]] = Counter()
    for visit in abandoned:
        group = groups[visit.fielding]
        left[group, visit.answered, visit.trials if visit.answered else longest[group]] += 1
    order = list(dict.fromkeys(groups.values()))
    rows = sorted(left.items(), key=lambda row: (order.index(row[0][0]), row[0][1:]))
    return [Step(*key, sessions=count) for key, count in rows]


def _days(visits: Iterable[Visit], groups: Mapping[int, str], votes: Mapping[tuple[date, str], int]) -> list[Day]:
    started: Counter[tuple[date, str]] = Counter()
    finished: Counter[tuple[date, str]] = Counter()
    counted: Counter[tuple[date, str]] = Counter()
    for visit in visits:
        group = groups[visit.fielding]
        started[visit.started_at.date(), group] += 1
        if visit.completed_at is not None:
            finished[visit.completed_at.date(), group] += 1
            counted[visit.completed_at.date(), group] += not visit.excluded_by
    order = list(dict.fromkeys(groups.values()))
    keys = sorted({*started, *finished, *votes}, key=lambda key: (-key[0].toordinal(), order.index(key[1])))
    return [Day(*key, started[key], finished[key], counted[key], votes.get(key, 0)) for key in keys]
