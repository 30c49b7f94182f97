"""Recruiters' lists of submissions: their columns and statuses, and the link's parameter with a submission's id.

Columns and statuses are those of Prolific's export of submissions and of MTurk's batch results for requesters. For any
other recruiter, the researcher chooses the names of the columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """Status of a submission at the recruiter."""

    RUNNING = "running"
    WAITING = "waiting"
    PAID = "paid"
    # paid with less than the reward: partially approved, or screened out
    PART_PAID = "part_paid"
    REJECTED = "rejected"
    # returned or timed out: it is no longer paid, and its place is free
    GONE = "gone"


@dataclass(frozen=True)
class Format:
    """Column names of a list; `statuses` are in lower case. Without a status column, all submissions are waiting.

    `parameter` is the parameter of the link with the submission's id.
    """

    person: str
    submission: str
    code: str
    status: str = ""
    statuses: Mapping[str, Status] = field(default_factory=dict)
    parameter: str = ""
    # whether people can be asked to return a submission
    can_return: bool = False


PROLIFIC = Format(
    person="Participant id",
    submission="Submission id",
    code="Completion code",
    status="Status",
    statuses={
        "active": Status.RUNNING,
        "reserved": Status.RUNNING,
        "awaiting review": Status.WAITING,
        "approved": Status.PAID,
        "partially approved": Status.PART_PAID,
        "rejected": Status.REJECTED,
        "returned": Status.GONE,
        "timed-out": Status.GONE,
        "timed out": Status.GONE,
        "screened out": Status.PART_PAID,
    },
    parameter="SESSION_ID",
    can_return=True,
)
MTURK = Format(
    person="WorkerId",
    submission="AssignmentId",
    code="Answer.code",
    status="AssignmentStatus",
    statuses={"submitted": Status.WAITING, "approved": Status.PAID, "rejected": Status.REJECTED},
    parameter="assignmentId",
)
FORMATS: Mapping[str, Format] = {"prolific": PROLIFIC, "mturk": MTURK}
