"""Database queries for the course of a study and its alerts."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Sum
from django.db.models.functions import TruncDate

from conformance.exclusions import exclusions_of
from conformance.pending import INCOMPLETE, UNJUDGED
from fieldwork.alerts import ClipFailures, MissingIds
from fieldwork.course import Link, Visit
from ratings.models import Origin, ProblemShown, Session, SessionState, Trial, Vote
from ratings.recruitment import MISSING_ID
from ratings.tombstones import living
from studies.lifecycle import EffectiveState, by_use, effective_states
from studies.models import Study


def links_of(study: Study) -> list[Link]:
    """The links of a study, in the order of use, as on the study's page."""
    fieldings = list(study.fieldings.all())
    states = effective_states(fieldings)
    return [
        Link(
            key=fielding.pk,
            slug=fielding.slug,
            group=fielding.group,
            quota=fielding.quota_sessions,
            is_open=states[fielding.pk] == EffectiveState.OPEN,
            opened_at=fielding.opened_at,
            is_closed=states[fielding.pk] == EffectiveState.CLOSED,
        )
        for fielding in by_use(fieldings, groups=study.design.group_keys, states=states)
    ]


def visits_of(study: Study) -> Iterator[Visit]:
    """Yields people's sessions; reads every session and vote of the study."""
    votes = Vote.objects.filter(study=study, session__origin=Origin.PERSON).order_by().values_list("session")
    answered = {session: (count, last) for session, count, last in votes.annotate(Count("pk"), Max("received_at"))}
    running = Trial.objects.filter(session__fielding__study=study, session__state=SessionState.STARTED)
    trials = dict(running.order_by().values_list("session").annotate(Count("pk")))
    excluded: dict[UUID, list[str]] = defaultdict(list)
    for session, reason in exclusions_of(study.sha256):
        if reason not in (INCOMPLETE, UNJUDGED):
            excluded[session].append(reason)
    begun = Session.objects.filter(fielding__study=study, origin=Origin.PERSON, started_at__isnull=False)
    rows = begun.values_list("pk", "fielding", "state", "started_at", "completed_at")
    for key, fielding, state, started_at, completed_at in rows.iterator():
        count, last = answered.get(key, (0, None))
        begun_at = living(started_at)
        yield Visit(
            fielding=fielding,
            started_at=begun_at,
            moved_at=begun_at if last is None else max(begun_at, last),
            completed_at=completed_at,
            answered=count,
            trials=trials.get(key, count),
            restarted=state == SessionState.RESTARTED,
            excluded_by=tuple(sorted(excluded.get(key, ()))),
        )


def votes_by_day(study: Study) -> dict[tuple[date, str], int]:
    """Number of people's votes by day in UTC and group, used or not."""
    votes = Vote.objects.filter(study=study, session__origin=Origin.PERSON, received_at__isnull=False).order_by()
    days = votes.annotate(day=TruncDate("received_at", tzinfo=UTC)).values_list("day", "session__fielding__group")
    return {(day, group): count for day, group, count in days.annotate(Count("pk"))}


def clip_failures(study: Study) -> list[ClipFailures]:
    """Failures of clips per link and clip, for people's sessions; clips without failures are not listed."""
    people = Trial.objects.filter(session__fielding__study=study, session__origin=Origin.PERSON).order_by()
    key = ("session__fielding__slug", "stimulus__clip__sha256", "session__fielding__group")
    failed = people.filter(unplayable=True).values_list(*key).annotate(people=Count("session", distinct=True))
    rows = list(failed)
    sent_to = people.filter(stimulus__clip__sha256__in=[row[1] for row in rows], clip_sent_at__isnull=False)
    sent = {
        (slug, clip): count
        for slug, clip, count in sent_to.values_list(*key[:2]).annotate(people=Count("session", distinct=True))
    }
    return [ClipFailures(slug, clip, group, count, sent.get((slug, clip), 0)) for slug, clip, group, count in rows]


def missing_ids(study: Study, *, now: datetime) -> list[MissingIds]:
    """Visits without the recruiter's id since yesterday, so that the alert ends once the link is corrected."""
    lately = ProblemShown.objects.filter(
        fielding__study=study, code=MISSING_ID, day__gte=now.date() - timedelta(days=1)
    ).order_by()
    rows = lately.values_list("fielding__slug", "fielding__group").annotate(Sum("times"))
    return [MissingIds(*row) for row in rows]


def problems_shown(study: Study, *, now: datetime) -> list[tuple[str, str, int, int]]:
    """`(code, group, times today, times in total)` of problems shown to participants, most frequent first."""
    total: dict[tuple[str, str], int] = defaultdict(int)
    today: dict[tuple[str, str], int] = defaultdict(int)
    rows = ProblemShown.objects.filter(fielding__study=study)
    for code, group, day, times in rows.values_list("code", "fielding__group", "day", "times"):
        total[code, group] += times
        today[code, group] += times if day == now.date() else 0
    return sorted(
        ((code, group, today[code, group], times) for (code, group), times in total.items()),
        key=lambda row: (-row[3], row[:2]),
    )
