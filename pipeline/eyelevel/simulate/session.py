"""The parts of the participant API's responses that a simulated participant reads (docs/contracts/api.md)."""

from collections.abc import Mapping
from dataclasses import dataclass

from eyelevel_core.model.record import Record


@dataclass(frozen=True)
class Choice(Record):
    key: str
    label: Mapping[str, str]


@dataclass(frozen=True)
class Question(Record):
    """A question about the person, or a control question, which is asked after the trial at position `after`."""

    key: str
    label: Mapping[str, str]
    choices: tuple[Choice, ...]
    required: bool = True
    after: int = 0


@dataclass(frozen=True)
class Consent(Record):
    version: str


@dataclass(frozen=True)
class Recruiter(Record):
    """The recruiter of a link; `id_parameter` is the parameter with the participant's id."""

    name: str
    id_parameter: str


@dataclass(frozen=True)
class StudyPage(Record):
    """The public page of a study."""

    state: str
    languages: tuple[str, ...]
    consent: Consent
    questions: tuple[Question, ...]
    recruiter: Recruiter | None = None


@dataclass(frozen=True)
class Clip(Record):
    """A clip; `digest` is keyed by the token in its address, `start_ms` is navigation start in the clip."""

    url: str
    bytes: int
    digest: str
    width_px: int
    height_px: int
    start_ms: float


@dataclass(frozen=True)
class Room(Record):
    """The parameters of a trial that determine the minimum size of its clip."""

    min_width_px: float = 0
    min_scale: float = 0
    min_device_scale: float = 0


@dataclass(frozen=True)
class Trial(Record):
    position: int
    kind: str
    kind_version: int
    training: bool
    answer_from: str
    clip: Clip
    params: Room


@dataclass(frozen=True)
class SessionStudy(Record):
    """The settings of a study; `narrow_window` is skip if participants may skip trials without room in their window."""

    narrow_window: str = "skip"


@dataclass(frozen=True)
class Session(Record):
    """A session; `controls` are in the order in which they are asked."""

    id: str
    language: str
    trials: tuple[Trial, ...]
    controls: tuple[Question, ...]
    study: SessionStudy = SessionStudy()
