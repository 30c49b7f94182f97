"""Request and response bodies of the studies API."""

from datetime import datetime
from typing import Any, Literal

from ninja import Schema

from accounts.models import Role
from studies.counts import PlayFailures
from studies.lifecycle import EffectiveState
from studies.models import FieldingState, ShareLevel


class Sessions(Schema):
    """Numbers of people's sessions; each completed session is counted, excluded or over quota."""

    started: int
    completed: int
    # fill the quota
    counted: int
    excluded: int
    over_quota: int
    # simulated sessions, which are not among the others and fill no quota
    simulated: int


class GroupRow(Schema):
    key: str
    # for the researcher, by language; empty where the study file has none
    label: dict[str, str]


class UnknownParameter(Schema):
    """A parameter of opened links without a recruiter, and the number of sessions that began with it."""

    name: str
    sessions: int


class MissingParameter(Schema):
    """The parameter that carries the recruiter's id, and how often the link was opened without it (at most 1000)."""

    name: str
    visits: int


class FieldingRow(Schema):
    slug: str
    # key of the study's group that takes part here
    group: str
    state: FieldingState
    # the state that participants see: `full` if it is open but nobody can begin now or soon
    effective_state: EffectiveState
    quota: int
    # people's sessions; completed = counted + excluded + over_quota, and `counted` fill the quota
    sessions_started: int
    sessions_completed: int
    sessions_counted: int
    sessions_excluded: int
    sessions_over_quota: int
    # not among the sessions of people
    sessions_simulated: int
    participant_url: str
    # probably parameters of a recruiter, whose ids are not stored
    unknown_parameters: list[UnknownParameter]
    # null if the link was never opened without the recruiter's id
    missing_parameter: MissingParameter | None


class StudyRow(Schema):
    sha256: str
    name: str
    title: dict[str, str]
    published_at: datetime
    # time since which it is read-only; null if it is not archived
    archived_at: datetime | None
    # null if it belongs to the admins
    owner: str | None
    # rights of the requesting account: read, export, edit, share
    rights: list[str]
    trial_count: int
    # people's votes, used or not
    votes: int
    sessions: Sessions
    # in the study's order
    groups: list[GroupRow]
    fieldings: list[FieldingRow]


class CellRow(Schema):
    """Numbers of given and wanted votes of a group for one condition of a site in a context, over `clips` clips.

    A vote counts if its session is complete, not excluded and not over quota. Training and repeats do not count.
    """

    kind: str
    role: Literal["main", "identical", "control"]
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
    play_failures: list[PlayFailures]
    study: dict[str, Any]


class StateChange(Schema):
    state: FieldingState


class ArchiveIn(Schema):
    """`true` closes all links of the study and makes it read-only; `false` makes it editable, with closed links."""

    archived: bool


class ShareRow(Schema):
    username: str
    role: Role
    level: ShareLevel
    shared_at: datetime


class LevelIn(Schema):
    level: ShareLevel
