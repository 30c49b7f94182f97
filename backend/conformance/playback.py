"""Playback quality of a study's clips: stalls, dropped frames and speed, per group and per session."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from eyelevel_core.tables import Table, column
from ratings.models import Origin, Play
from studies.models import Study

COUNTS = {
    "played": Count("pk"),
    "off_speed": Count("pk", filter=Q(evidence__off_speed=True)),
    "stalled": Count("pk", filter=Q(evidence__stalls__0__isnull=False)),
    "dropped": Count("pk", filter=Q(frames_dropped__gt=0)),
    # null if the browser reported too few frames; off_speed is false then
    "unknown": Count("pk", filter=Q(evidence__isnull=True) | Q(evidence__off_speed_ms=None)),
}


@dataclass(frozen=True)
class Watched:
    """Number of plays, and of plays off true speed, with a stall, with dropped frames, and of unknown speed."""

    played: int = column("plays of videos", "Wiedergaben von Videos", head="plays", head_de="Wiedergaben")
    off_speed: int = column(
        "plays not at normal speed", "Wiedergaben in anderer als normaler Geschwindigkeit",
        head="not at normal speed", head_de="nicht in normaler Geschwindigkeit",
    )  # fmt: skip
    stalled: int = column(
        "plays with a stall of any length", "Wiedergaben mit einer Unterbrechung beliebiger Dauer",
        head="with a stall of any length", head_de="mit einer Unterbrechung beliebiger Dauer",
    )  # fmt: skip
    dropped: int = column(
        "plays with dropped frames", "Wiedergaben mit ausgelassenen Bildern",
        head="with dropped frames", head_de="mit ausgelassenen Bildern",
    )  # fmt: skip
    unknown: int = column(
        "plays whose speed the browser did not report", "Wiedergaben, deren Geschwindigkeit der Browser nicht meldete",
        head="speed unknown", head_de="Geschwindigkeit unbekannt",
    )  # fmt: skip


NOTHING = Watched(*[0] * len(COUNTS))


@dataclass(frozen=True)
class _OfGroup:
    group: str = column("key of the study's group", "Schlüssel der Gruppe der Studie", shown="group")


@dataclass(frozen=True)
class GroupWatched(Watched, _OfGroup):
    """Numbers of plays of one group; the group is the first column."""


WATCHED = Table("plays-by-group", "Plays with defects, by group", "Fehlerhafte Wiedergaben je Gruppe", GroupWatched)


def watched_by_group(study: Study, *, simulated_too: bool = False) -> dict[str, Watched]:
    """Numbers of plays per group, in the study's order; of people's plays, unless `simulated_too`."""
    rows = (
        _plays(study.sha256, simulated_too=simulated_too)
        .values_list("trial__session__fielding__group")
        .annotate(**COUNTS)
    )
    counted = {group: Watched(*counts) for group, *counts in rows}
    return {key: counted.get(key, NOTHING) for key in study.design.group_keys}


def watched_by_session(sessions: Collection[UUID]) -> dict[UUID, Watched]:
    """Numbers of plays per session, for those of these sessions that have plays."""
    rows = Play.objects.filter(trial__session__in=sessions).values_list("trial__session").annotate(**COUNTS)
    return {session: Watched(*counts) for session, *counts in rows}


def _plays(study_sha256: str, *, simulated_too: bool) -> QuerySet[Play]:
    origins = [Origin.PERSON, Origin.SIMULATED] if simulated_too else [Origin.PERSON]
    return Play.objects.filter(trial__session__fielding__study=study_sha256, trial__session__origin__in=origins)
