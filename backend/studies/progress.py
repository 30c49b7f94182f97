"""Progress of studies, in the form of the researchers' API."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest

from accounts.permissions import account
from studies.counts import SessionCounts, counts
from studies.lifecycle import EffectiveState, by_use, effective_states
from studies.models import Fielding, FieldingState, Slot, StimulusRole, Study
from studies.permissions import rights_in
from studies.schemas import (
    CellRow,
    FieldingRow,
    GroupRow,
    MissingParameter,
    Sessions,
    StudyDetail,
    StudyRow,
    UnknownParameter,
)
from studies.stored_counts import stored

# names of the counts that are stored for a large study
VOTES, CELLS, SESSIONS = "votes", "cells", "sessions"


def study_rows(studies: Collection[Study], *, request: HttpRequest) -> list[StudyRow]:
    """Rows of studies for the requesting account; the number of queries does not depend on the number of studies."""
    return [StudyRow(**row) for row in _rows(studies, request=request)]


def study_row(study: Study, *, request: HttpRequest) -> StudyRow:
    (row,) = study_rows([study], request=request)
    return row


def study_detail(study: Study, *, request: HttpRequest) -> StudyDetail:
    (row,) = _rows([study], request=request)
    return StudyDetail(
        **row, cells=_cells(study), play_failures=counts().play_failures_of(study.sha256), study=study.frozen
    )


def fielding_row(fielding: Fielding, *, request: HttpRequest) -> FieldingRow:
    return _fielding_row(fielding, effective_states([fielding]), _counted([fielding]), request=request)


def _fielding_row(
    fielding: Fielding,
    states: Mapping[int, EffectiveState],
    counted: Mapping[int, Mapping[str, Any]],
    *,
    request: HttpRequest,
) -> FieldingRow:
    path = f"/s/{fielding.slug}"
    return FieldingRow(
        slug=fielding.slug,
        group=fielding.group,
        state=FieldingState(fielding.state),
        effective_state=states[fielding.pk],
        quota=fielding.quota_sessions,
        participant_url=settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(path),
        **counted[fielding.pk],
    )


def _counted(fieldings: Collection[Fielding]) -> dict[int, dict[str, Any]]:
    """The counted fields of each fielding's row, by the fielding's key."""
    keys = {fielding.pk: fielding for fielding in fieldings}
    sessions = _sessions(fieldings)
    unknown = counts().unknown_parameters_by_fielding(keys)
    missing = counts().missing_ids_by_fielding(keys)
    counted: dict[int, dict[str, Any]] = {}
    for key, fielding in keys.items():
        numbers = sessions.get(key, SessionCounts())
        counted[key] = {
            "sessions_started": numbers.started,
            "sessions_completed": numbers.completed,
            "sessions_counted": numbers.counted,
            "sessions_excluded": numbers.excluded,
            "sessions_over_quota": numbers.over_quota,
            "sessions_simulated": numbers.simulated,
            "unknown_parameters": [
                UnknownParameter(name=name, sessions=count) for name, count in unknown.get(key, {}).items()
            ],
            "missing_parameter": _missing(fielding, visits=missing[key]) if key in missing else None,
        }
    return counted


def _missing(fielding: Fielding, *, visits: int) -> MissingParameter | None:
    recruiter = fielding.recruiter
    return None if recruiter is None else MissingParameter(name=recruiter.id_parameter, visits=visits)


def _rows(studies: Collection[Study], *, request: HttpRequest) -> Iterator[dict[str, Any]]:
    keys = [study.pk for study in studies]
    fieldings = list(Fielding.objects.filter(study__in=keys))
    states, counted = effective_states(fieldings), _counted(fieldings)
    votes = _votes(keys)
    held = rights_in(account(request), studies)
    for study in studies:
        design = study.design
        of_study = (fielding for fielding in fieldings if fielding.study_id == study.pk)
        in_order = by_use(of_study, groups=design.group_keys, states=states)
        rows = [_fielding_row(fielding, states, counted, request=request) for fielding in in_order]
        yield {
            "sha256": study.sha256,
            "name": study.name,
            "title": design.title,
            "published_at": study.published_at,
            "archived_at": study.archived_at,
            "owner": study.published_by.username if study.published_by else None,
            "rights": sorted(held[study.pk]),
            "trial_count": design.trial_count,
            "votes": votes.get(study.pk, 0),
            "sessions": Sessions(
                started=sum(row.sessions_started for row in rows),
                completed=sum(row.sessions_completed for row in rows),
                counted=sum(row.sessions_counted for row in rows),
                excluded=sum(row.sessions_excluded for row in rows),
                over_quota=sum(row.sessions_over_quota for row in rows),
                simulated=sum(row.sessions_simulated for row in rows),
            ),
            "groups": [GroupRow(key=group.key, label=dict(group.label)) for group in design.groups],
            "fieldings": rows,
        }


def count_sessions(study: Study) -> dict[str, dict[str, int]]:
    """The fields of `SessionCounts` by the fielding's key; reads every session of the study."""
    keys = list(study.fieldings.values_list("pk", flat=True))
    return {str(key): asdict(numbers) for key, numbers in counts().sessions_by_fielding(keys).items()}


def _sessions(fieldings: Collection[Fielding]) -> dict[int, SessionCounts]:
    """Sessions per fielding: as last counted by the worker for a large study, else the current numbers."""
    rows = stored(SESSIONS, {fielding.study_id for fielding in fieldings})
    known = {
        fielding.pk: SessionCounts(**rows[fielding.study_id].value.get(str(fielding.pk), {}))
        for fielding in fieldings
        if fielding.study_id in rows
    }
    return known | counts().sessions_by_fielding([fielding.pk for fielding in fieldings if fielding.pk not in known])


def count_votes(study: Study) -> int:
    return counts().votes_by_study([study.pk]).get(study.pk, 0)


def count_cells(study: Study) -> list[tuple[int, str, int, int]]:
    """`(stimulus, group, wanted votes, usable votes)`; reads every slot and vote of the study."""
    slots = Slot.objects.filter(fielding__study=study).values_list("stimulus_id", "fielding__group")
    wanted = {(stimulus, group): number for stimulus, group, number in slots.annotate(Count("id"))}
    had = counts().votes_by_stimulus(study.sha256)
    return [(*key, wanted.get(key, 0), had.get(key, 0)) for key in {*wanted, *had}]


def _votes(studies: Collection[str]) -> dict[str, int]:
    """Votes per study: as last counted by the worker for a large study, else the current numbers."""
    known = {study: int(row.value) for study, row in stored(VOTES, studies).items()}
    return known | counts().votes_by_study([study for study in studies if study not in known])


def _cells(study: Study) -> list[CellRow]:
    row = stored(CELLS, [study.pk]).get(study.pk)
    counted = {(stimulus, group): given for stimulus, group, *given in (row.value if row else count_cells(study))}
    clips: Counter[tuple[str, ...]] = Counter()
    votes: Counter[tuple[str, ...]] = Counter()
    target: Counter[tuple[str, ...]] = Counter()
    groups = study.design.group_keys
    asked = study.stimuli.exclude(role=StimulusRole.TRAINING)
    for stimulus in asked.select_related("clip__take", "clip__right_take"):
        clip = stimulus.clip
        condition = " / ".join(sorted(clip.stacks))
        for group in groups:
            key = (stimulus.kind, stimulus.role, group, stimulus.context, clip.site, clip.network, condition)
            clips[key] += 1
            wanted, had = counted.get((stimulus.pk, group), (0, 0))
            votes[key] += had
            target[key] += wanted
    fields = ("kind", "role", "group", "context", "site", "network", "condition")
    return [
        CellRow.model_validate(
            {**dict(zip(fields, key, strict=True)), "clips": clips[key], "votes": votes[key], "target": target[key]}
        )
        for key in sorted(clips)
    ]
