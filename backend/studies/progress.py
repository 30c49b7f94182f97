"""How far each study is, as the API shows it to researchers."""

from collections import Counter
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest
from ninja import Schema

from accounts.access import account
from eyelevel_contracts.design import trial_count
from studies.access import rights
from studies.lifecycle import by_use
from studies.models import Fielding, Slot, StimulusRole, Study


class Sessions(Schema):
    """Sessions that were begun, and how many of them are complete."""

    started: int
    completed: int


class FieldingRow(Schema):
    slug: str
    # key of the study's group that enters here
    group: str
    state: str
    quota: int
    sessions_started: int
    sessions_completed: int
    participant_url: str


class StudyRow(Schema):
    sha256: str
    name: str
    title: dict[str, str]
    published_at: datetime
    # null where it is the admins'
    owner: str | None
    # what the one who asks may do with it: read, export, edit, share
    rights: list[str]
    trial_count: int
    votes: int
    sessions: Sessions
    fieldings: list[FieldingRow]


class CellRow(Schema):
    """Votes that a group gave, and is wanted to give, for one condition of a site in a context, over `clips` clips.

    Training and repeats do not count.
    """

    kind: str
    role: str
    group: str
    context: str
    site: str
    network: str
    # a stack, or the two of a pair in either order
    condition: str
    clips: int
    votes: int
    target: int


class StudyDetail(StudyRow):
    cells: list[CellRow]
    study: dict[str, Any]


def study_row(study: Study, *, request: HttpRequest) -> StudyRow:
    """As the account that asks sees it."""
    return StudyRow(**_row(study, request=request))


def study_detail(study: Study, *, request: HttpRequest) -> StudyDetail:
    return StudyDetail(**_row(study, request=request), cells=_cells(study), study=study.frozen)


def fielding_row(fielding: Fielding, *, request: HttpRequest) -> FieldingRow:
    path = f"/s/{fielding.slug}"
    return FieldingRow(
        slug=fielding.slug,
        group=fielding.group,
        state=fielding.state,
        quota=fielding.quota_sessions,
        sessions_started=fielding.sessions.but_previews().count(),
        sessions_completed=fielding.sessions.but_previews().filter(state="completed").count(),
        participant_url=settings.PUBLIC_URL + path if settings.PUBLIC_URL else request.build_absolute_uri(path),
    )


def _row(study: Study, *, request: HttpRequest) -> dict[str, Any]:
    design = study.design
    groups = [group["key"] for group in design["groups"]]
    fieldings = [fielding_row(fielding, request=request) for fielding in by_use(study.fieldings.all(), groups=groups)]
    return {
        "sha256": study.sha256,
        "name": study.name,
        "title": design["title"],
        "published_at": study.published_at,
        "owner": study.published_by.username if study.published_by else None,
        "rights": sorted(rights(account(request), study)),
        "trial_count": trial_count(design),
        "votes": study.votes.count(),
        "sessions": Sessions(
            started=sum(row.sessions_started for row in fieldings),
            completed=sum(row.sessions_completed for row in fieldings),
        ),
        "fieldings": fieldings,
    }


def _cells(study: Study) -> list[CellRow]:
    slots = Slot.objects.filter(fielding__study=study).values_list("stimulus_id", "fielding__group")
    # one filter, so that all conditions are of the same trial
    voted = study.stimuli.filter(
        trials__vote__isnull=False, trials__vote__erased_at=None, trials__role__in=StimulusRole.values
    )
    given = voted.values_list("pk", "trials__session__fielding__group")
    wanted = {(stimulus, group): number for stimulus, group, number in slots.annotate(Count("id"))}
    had = {(stimulus, group): number for stimulus, group, number in given.annotate(Count("trials"))}
    clips: Counter[tuple[str, ...]] = Counter()
    votes: Counter[tuple[str, ...]] = Counter()
    target: Counter[tuple[str, ...]] = Counter()
    groups = [group["key"] for group in study.design["groups"]]
    for stimulus in study.stimuli.select_related("clip__take", "clip__right_take"):
        clip = stimulus.clip
        condition = " / ".join(sorted(clip.stacks))
        for group in groups:
            key = (stimulus.kind, stimulus.role, group, stimulus.context, clip.site, clip.network, condition)
            clips[key] += 1
            votes[key] += had.get((stimulus.pk, group), 0)
            target[key] += wanted.get((stimulus.pk, group), 0)
    fields = ("kind", "role", "group", "context", "site", "network", "condition")
    return [
        CellRow(**dict(zip(fields, key, strict=True)), clips=clips[key], votes=votes[key], target=target[key])
        for key in sorted(clips)
    ]
