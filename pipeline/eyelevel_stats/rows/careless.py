"""Tables of participants who may be careless: rows and columns."""

from dataclasses import dataclass

_PARTICIPANT = {
    "participant": "random identity of the participant's session",
    "answers": "main answers of the participant, of every kind of trial",
    "straight_lining": "yes where each kind of trial got one answer throughout (same_answer_share 1 in sessions.csv), "
    "else no; empty under 5 answers. Sensitivity only: nobody is excluded by it",
    "plays": "plays of clips; empty where unknown",
    "off_speed_plays": "plays in which the clip's clock departed from real time by more than one frame; empty where "
    "unknown",
    "off_speed_share": "off_speed_plays / plays; empty without plays. Sensitivity only: nobody is excluded by it",
}

_SUMMARY = {
    "participants": "people with 5 main answers or more",
    "straight_lining": "of these, people who gave each kind of trial one answer throughout (same_answer_share 1 in "
    "sessions.csv)",
    "share": "straight_lining / participants; empty without participants",
    "ci_low": "lower end of the 95 % interval (Wilson's score interval over participants)",
    "ci_high": "upper end of the same interval",
}

_SENSITIVITY = {
    "without": "the participants left out of mos_without: straight-lining, or plays off speed (one such play or more)",
    "network": "network of the stimulus",
    "stack": "stack of the clip",
    "n": "participants who rated the condition",
    "mos": "mean opinion score of all of them",
    "ci_low": "lower end of the 95 % interval of mos (Student's t over participants, cut at the ends of the scale); "
    "empty where n is 1",
    "ci_high": "upper end of the same interval",
    "n_without": "participants that remain",
    "mos_without": "mean opinion score of these; empty where none remains",
    "ci_low_without": "lower end of its 95 % interval; empty where n_without is below 2",
    "ci_high_without": "upper end of the same interval",
}


@dataclass(frozen=True)
class CarelessRow:
    """One participant (see COLUMNS)."""

    participant: str
    answers: int
    straight_lining: str | None
    plays: int | None
    off_speed_plays: int | None
    off_speed_share: float | None


@dataclass(frozen=True)
class StraightRow:
    """How many participants give one answer to everything (see COLUMNS)."""

    participants: int
    straight_lining: int
    share: float | None
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True)
class SensitivityRow:
    """MOS of one network and stack with all participants and without some (see COLUMNS)."""

    without: str
    network: str
    stack: str
    n: int
    mos: float
    ci_low: float | None
    ci_high: float | None
    n_without: int
    mos_without: float | None
    ci_low_without: float | None
    ci_high_without: float | None


COLUMNS = {CarelessRow: _PARTICIPANT, StraightRow: _SUMMARY, SensitivityRow: _SENSITIVITY}
