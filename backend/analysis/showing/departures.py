"""Departures of a study from its sealed plan: reads the data from which `eyelevel_stats.departures` finds them.

They are computed as of now and not part of a snapshot, because results can be opened after the snapshot was taken.
Page and export list the same ones to every user.
"""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime

from analysis.blinding import in_field
from analysis.computing.in_depth import done_of
from analysis.models import AnalysisState, Result, ResultOrigin
from analysis.origins import of_origin
from analysis.showing.looks import openings_of
from audit.models import AuditEntry, What
from eyelevel_core.study.changes import changes
from eyelevel_stats.departures import Departure, Look, Parent, Sample, departures
from eyelevel_stats.tables import IN_DEPTH
from studies.models import Study


def departures_of(study: Study, result: Result | None) -> tuple[Departure, ...]:
    """Departures of the study, and of its result once somebody may have seen it by stack."""
    openings = openings_of(study)
    collecting = in_field(study)
    seen = result if openings or not collecting else None
    shows_all = seen is not None and seen.origin == ResultOrigin.ALL
    return departures(
        study.design.plan,
        parent=_parent(study),
        looks=[Look(opening.at.isoformat(), opening.sessions, opening.planned) for opening in openings],
        sample=None if result is None or collecting else _sample(study, result),
        shown=() if seen is None else _shown(seen),
        simulated=seen.simulated_sessions if seen is not None and shows_all else 0,
    )


def unchanged_since(study: Study, result: Result) -> datetime:
    """The time of the last event that can cause a departure.

    Such events are the publication, the snapshot, the computation of tables in depth, an opening of results, the
    opening or closing of a link, and a snapshot of an earlier version.
    """
    deep = done_of(result)
    computed = [] if deep is None or deep.finished_at is None else [deep.finished_at]
    openings = [opening.at for opening in openings_of(study)]
    opened = study.fieldings.values_list("opened_at", flat=True)
    closed = AuditEntry.objects.filter(what=What.CLOSE, study_sha256=study.pk).values_list("at", flat=True)
    earlier = [previous.snapshot.created_at for _, previous in _earlier(study)]
    return max(study.published_at, result.snapshot.created_at, *computed, *openings, *opened, *closed, *earlier)


def _sample(study: Study, result: Result) -> Sample | None:
    people = of_origin(result, ResultOrigin.PERSON)
    return None if people is None else Sample(planned=study.design.sessions, used=people.sessions)


def _shown(result: Result) -> set[str]:
    tables = {"mos": "mos", "comparisons": "comparisons", "metrics": "correlations"}
    analyses = {name for name, table in tables.items() if result.tables.get(table)}
    deep = done_of(result)
    return analyses if deep is None else analyses | {IN_DEPTH[table].analysis for table in deep.tables}


def _parent(study: Study) -> Parent | None:
    """The nearest earlier version with used votes of people, and the changes since; None if there is none."""
    for earlier, result in _earlier(study):
        if result.votes:
            changed = changes(earlier.frozen["study"], study.frozen["study"])
            return Parent(earlier.name, result.votes, changed, study.published_at.isoformat())
    return None


def _earlier(study: Study) -> Iterator[tuple[Study, Result]]:
    """Earlier versions that have results, the nearest first, up to the nearest one with used votes of people."""
    long = ("result__tables", "result__snapshot__session_ids", "result__snapshot__manifest_text")
    sha256 = study.parent_sha256
    while sha256 is not None and (earlier := Study.objects.filter(pk=sha256).first()) is not None:
        states = AnalysisState.objects.filter(study=earlier, result__isnull=False)
        state = states.select_related("result__snapshot").defer(*long).first()
        if state is not None and state.result is not None:
            yield earlier, state.result
            if state.result.votes:
                return
        sha256 = earlier.parent_sha256


def rows_of(departures: tuple[Departure, ...]) -> list[dict[str, object]]:
    """The departures as JSON."""
    return [asdict(departure) for departure in departures]
