"""Sessions and votes by fielding, study and stimulus, as the app `studies` asks for them (`studies.counts`)."""

from collections.abc import Collection

from django.db.models import CharField, Count, F, Func, Q
from django.utils import timezone

from ratings import rate_limit
from ratings.models import MissingId, Session, SessionState, Vote
from studies.models import StimulusRole


def fieldings_that_yield(fieldings: Collection[int]) -> set[int]:
    """Those in which a new session gets an assignment that another one has to yield, now or soon."""
    return rate_limit.fieldings_that_yield(fieldings, now=timezone.now())


def sessions_by_fielding(fieldings: Collection[int]) -> dict[int, tuple[int, int]]:
    """Sessions started and completed per fielding, without previews; a fielding without sessions is not listed."""
    started = Session.objects.but_previews().filter(fielding__in=fieldings)
    done = Count("pk", filter=Q(state=SessionState.COMPLETED))
    counted = started.values_list("fielding").annotate(started=Count("pk"), completed=done)
    return {key: (begun, completed) for key, begun, completed in counted}


def unknown_parameters_by_fielding(fieldings: Collection[int]) -> dict[int, dict[str, int]]:
    """Names of parameters that links without a recruiter were opened with, and in how many sessions, per fielding."""
    begun = Session.objects.but_previews().filter(fielding__in=fieldings, unknown_parameters__isnull=False)
    names = begun.annotate(name=Func(F("unknown_parameters"), function="unnest", output_field=CharField()))
    counted: dict[int, dict[str, int]] = {}
    for fielding, name, sessions in names.values_list("fielding", "name").annotate(Count("pk")).order_by("name"):
        counted.setdefault(fielding, {})[name] = sessions
    return counted


def missing_ids_by_fielding(fieldings: Collection[int]) -> dict[int, tuple[str, int]]:
    """The parameter for the recruiter's id, and how often the link was opened without it; never is not listed."""
    rows = MissingId.objects.filter(fielding__in=fieldings).values_list("fielding", "parameter", "visits")
    return {key: (parameter, visits) for key, parameter, visits in rows}


def votes_by_study(studies: Collection[str]) -> dict[str, int]:
    """Votes per study; a study without votes is not listed."""
    return dict(Vote.objects.filter(study__in=studies).values_list("study").annotate(Count("pk")))


def votes_by_stimulus(study_sha256: str) -> dict[tuple[int, str], int]:
    """Votes of one study per stimulus and group, without training and repeats."""
    asked = [StimulusRole.MAIN, StimulusRole.IDENTICAL, StimulusRole.CONTROL]
    votes = Vote.objects.filter(study=study_sha256, trial__role__in=asked)
    counted = votes.values_list("trial__stimulus", "session__fielding__group").annotate(Count("pk"))
    return {(stimulus, group): count for stimulus, group, count in counted}
