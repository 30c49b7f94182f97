"""Counts of sessions and votes by fielding, study and stimulus, for the app `studies` (`studies.counts`)."""

from collections.abc import Collection

from django.db.models import CharField, Count, Exists, F, Func, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from ratings import rate_limit
from ratings.models import Exclusion, Origin, PlayFailure, ProblemShown, Session, SessionState, Trial, Vote
from ratings.recruitment import MISSING_ID
from studies.counts import PlayFailures, SessionCounts
from studies.models import StimulusRole

IS_EXCLUDED = Exists(Exclusion.objects.filter(session=OuterRef("pk")))
HOLDS_SLOT = Exists(Trial.objects.filter(session=OuterRef("pk"), slot__isnull=False))


def fieldings_that_yield(fieldings: Collection[int]) -> set[int]:
    """Fieldings in which a session must yield its assignment to a new session, now or soon."""
    return rate_limit.fieldings_that_yield(fieldings, now=timezone.now())


def sessions_by_fielding(fieldings: Collection[int]) -> dict[int, SessionCounts]:
    """Sessions per fielding, without previews; a fielding without sessions is not listed."""
    person, done = Q(origin=Origin.PERSON), Q(state=SessionState.COMPLETED)
    begun = Session.objects.but_previews().filter(fielding__in=fieldings)
    counted = begun.values_list("fielding").annotate(
        people=Count("pk", filter=person),
        finished=Count("pk", filter=person & done),
        programs=Count("pk", filter=Q(origin=Origin.SIMULATED)),
    )
    completed = Session.objects.filter(person, done, fielding__in=fieldings)
    excluded = _by_fielding(completed.filter(IS_EXCLUDED))
    over_quota = _by_fielding(completed.filter(~IS_EXCLUDED, ~HOLDS_SLOT))
    return {
        key: SessionCounts(
            started=started,
            completed=finished,
            excluded=excluded.get(key, 0),
            over_quota=over_quota.get(key, 0),
            simulated=simulated,
        )
        for key, started, finished, simulated in counted
    }


def _by_fielding(sessions: QuerySet[Session]) -> dict[int, int]:
    return dict(sessions.order_by().values_list("fielding").annotate(Count("pk")))


def unknown_parameters_by_fielding(fieldings: Collection[int]) -> dict[int, dict[str, int]]:
    """Per fielding, names of parameters with which links without a recruiter were opened, with numbers of sessions."""
    begun = Session.objects.but_previews().filter(fielding__in=fieldings, unknown_parameters__isnull=False)
    names = begun.annotate(name=Func(F("unknown_parameters"), function="unnest", output_field=CharField()))
    counted: dict[int, dict[str, int]] = {}
    for fielding, name, sessions in names.values_list("fielding", "name").annotate(Count("pk")).order_by("name"):
        counted.setdefault(fielding, {})[name] = sessions
    return counted


def missing_ids_by_fielding(fieldings: Collection[int]) -> dict[int, int]:
    """Per fielding, the number of visits without the recruiter's id, if any."""
    shown = ProblemShown.objects.filter(fielding__in=fieldings, code=MISSING_ID).order_by()
    return dict(shown.values_list("fielding").annotate(Sum("times")))


def play_failures_of(study_sha256: str) -> list[PlayFailures]:
    """Clips that did not play, most frequent failures first."""
    clip = "stimulus__clip"
    key = tuple(f"{clip}__{name}" for name in ("site", "network", "take__stack", "right_take__stack", "sha256"))
    rows = PlayFailure.objects.filter(fielding__study=study_sha256).values_list(*key, "browser", "fault")
    totals = rows.annotate(total=Sum("times")).order_by("-total", *key, "browser", "fault")
    return [
        PlayFailures(site, network, [left] if right is None else [left, right], *rest)
        for site, network, left, right, *rest in totals
    ]


def votes_by_study(studies: Collection[str]) -> dict[str, int]:
    """Number of people's votes per study, used or not; a study without votes is not listed."""
    votes = Vote.objects.filter(study__in=studies, session__origin=Origin.PERSON)
    return dict(votes.values_list("study").annotate(Count("pk")))


def votes_by_stimulus(study_sha256: str) -> dict[tuple[int, str], int]:
    """Number of usable votes of a study per stimulus and group, without training and repeats."""
    asked = [StimulusRole.MAIN, StimulusRole.IDENTICAL, StimulusRole.CONTROL]
    done = Session.objects.filter(fielding__study=study_sha256, origin=Origin.PERSON, state=SessionState.COMPLETED)
    counting = done.filter(~IS_EXCLUDED, HOLDS_SLOT)
    votes = Vote.objects.filter(study=study_sha256, trial__role__in=asked, session__in=counting.values("pk"))
    counted = votes.values_list("trial__stimulus", "session__fielding__group").annotate(Count("pk"))
    return {(stimulus, group): count for stimulus, group, count in counted}
