"""Request and response bodies of the participants' API. No response names a stack, a network, a metric or a side."""

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AwareDatetime, ConfigDict, Field

from lib.text import ONE_LINE
from ratings.models import PlayFault
from ratings.resume import Comeback

Text = dict[str, str]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
# in milliseconds, at most about 116 days: a laptop may stay closed over a holiday
Duration = Annotated[float, Field(ge=0, le=1e10, allow_inf_nan=False)]
# by the browser's clock, which may be wrong, but must be a date that Python can represent
Moment = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), le=datetime(2100, 1, 1, tzinfo=UTC))]


class Body(Schema):
    """A request body; unknown fields are an error."""

    model_config = ConfigDict(extra="forbid")


class ScreenIn(Body):
    width_px: Count
    height_px: Count
    device_pixel_ratio: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]


class RecruitIn(Body):
    """The participant's id at the recruiter: the value of the link parameter that the invitation names."""

    id: Annotated[str, Field(min_length=1, max_length=128), ONE_LINE]


ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,63}$")]
ParameterValue = Annotated[str, Field(max_length=256), ONE_LINE]


class SessionIn(Body):
    language: str
    consent_version: str
    screen: ScreenIn
    recruit: RecruitIn | None = None
    # the link's parameters; stored with the recruiter's id, or, where nobody recruits, by name only
    arrival: dict[ParameterName, ParameterValue] = Field(default_factory=dict, max_length=20)
    # a different person than the one who started in this browser
    anew: bool = False
    # made by the page for one click: a repeated request with it gets the session of the first
    begin_id: uuid.UUID | None = None
    origin: Literal["person", "simulated"] = "person"


class InSession(Body):
    """Bodies name their session, because all tabs share the cookie."""

    session_id: uuid.UUID


class PersonIn(InSession):
    answers: dict[str, str]


class SpanIn(Body):
    at_ms: Duration
    ms: Duration


class Playback(Body):
    started_at: Moment
    ended_at: Moment | None
    replay: bool
    # checked against the contract play-evidence.1
    evidence: dict[str, Any]


class PlayIn(InSession, Playback):
    position: Count


class PlayOfVote(Playback):
    """The play that a vote answers, under its own id: sending it again, also in a separate call, is harmless."""

    id: uuid.UUID


class VoteIn(InSession):
    position: Count
    # `digest` of the trial's clip
    clip_digest: str
    kind: str
    kind_version: int
    data: dict[str, Any]
    # how the answers stood when the choice was made: beside each other, or one below the other
    layout: Literal["row", "column"]
    replays: Count
    answer_ms: Duration
    media_ms: Duration | None = None
    away: Annotated[list[SpanIn], Field(max_length=100)] | None = None
    answered_at: Moment
    # the last play before the answer, unless it was sent in a separate call
    play: PlayOfVote | None = None


class ControlIn(InSession):
    choice: str


class PlayFailureIn(InSession):
    position: Count
    fault: PlayFault


class FinishIn(InSession):
    skipped: Annotated[list[Count], Field(max_length=1000)]


class PlayReceipt(Schema):
    id: uuid.UUID
    received_at: datetime


class VoteReceipt(Schema):
    id: uuid.UUID
    position: int
    received_at: datetime


class Return(Schema):
    """How a participant who reached the end is sent back to the recruiter.

    `incompatible_device`: the window was too small for everything that the study asks, and all of it was skipped.
    """

    recruiter: str
    end: Literal["completed", "failed_checks", "incompatible_device"]
    # to hand in at the recruiter: the study file's code for this end, or this participant's completion code; null if
    # nothing was rated and the study file has no code for it
    code: str | None
    # null where participants return by themselves
    url: str | None


class Completion(Schema):
    """`debriefing` comes only with the code, because knowing a study's purpose may change the answers.

    `completion_code` is the participant's reference for questions and withdrawal; `back` is null where nobody recruits.
    """

    completion_code: str
    debriefing: Text | None
    back: Return | None


class Consent(Schema):
    version: str
    text: Text


class Choice(Schema):
    key: str
    label: Text


class Question(Schema):
    key: str
    label: Text
    required: bool
    choices: list[Choice]


class Ethics(Schema):
    """Who approved the study."""

    board: str
    number: str | None = None


class Retention(Schema):
    months: int
    text: Text


class Pay(Schema):
    """What a participant gets."""

    amount: float
    currency: str


class WayBack(Schema):
    """How a participant who does not complete the study is sent back; null for what the study file omits."""

    code: str | None
    # with `{id}` and `{PARAMETER}` still to be replaced by what the link carries
    url: str | None


class Recruiter(Schema):
    """Who sends the participants of this link."""

    name: str
    # link parameter with the participant's id at the recruiter
    id_parameter: str
    # by end: no_consent, incompatible_device, full, closed, took_part, missing_id
    ways_back: dict[str, WayBack]


class ClipSize(Schema):
    width_px: int
    height_px: int


class Room(Schema):
    """The window that a block of trials needs, and what a participant without that room leaves out."""

    kind: str
    # its largest clip
    clip: ClipSize
    # smallest window, and smallest sizes of the clip in CSS and device pixels per captured pixel
    min_width_px: int
    min_scale: float
    min_device_scale: float
    # if not, nobody starts without this room
    skippable: bool
    # per participant, without control videos
    trials: int
    # control videos that it may show: all of the study, if it has such clips; the block of each is drawn per session
    controls: int
    # estimated length of one
    trial_s: float


class StudyText(Schema):
    """A study as participants see it; null for what the study file omits."""

    title: Text
    languages: list[str]
    consent: Consent
    contact: str
    instructions: Text
    questions: list[Question]
    trial_count: int
    # estimated length of a session
    seconds: float
    # one per block, in the study's order
    room: list[Room]
    ethics: Ethics | None
    retention: Retention | None
    pay: Pay | None
    # what happens to trials that do not fit into the window
    narrow_window: Literal["skip", "refuse"]
    # what happens to those who leave and return
    resume: Literal["resume", "restart", "block"]
    recruiter: Recruiter | None


class Invitation(StudyText):
    state: str


class Context(Schema):
    key: str
    label: Text


class ClipLink(Schema):
    url: str
    bytes: int
    # HMAC-SHA-256, keyed by the last part of `url`, of the clip's SHA-256
    digest: str
    width_px: int
    height_px: int
    # frames per second, the same for all clips of a campaign
    frame_rate: float
    # lead-in before navigation starts, the same for all clips of a campaign
    start_ms: float


class TrialView(Schema):
    position: int
    kind: str
    kind_version: int
    context: Context
    clip: ClipLink
    answer_from: str
    # practice trials are shown as such; no other role is told
    training: bool
    params: dict[str, Any]


class ControlQuestion(Schema):
    """A question with a right answer, which is not sent; asked after `after` trials."""

    key: str
    after: int
    label: Text
    choices: list[Choice]


class SessionView(Schema):
    id: uuid.UUID
    state: str
    language: str
    study: StudyText
    person_answered: bool
    trials: list[TrialView]
    answered: list[int]
    controls: list[ControlQuestion]
    # keys
    controls_answered: list[str]
    # what happens when the participant returns; unless `resume`, `trials` is empty
    comeback: Comeback
    # a preview stores no data
    preview: bool
    # somebody else may take part in this browser, because no recruiter's id identifies participants
    may_begin_anew: bool
