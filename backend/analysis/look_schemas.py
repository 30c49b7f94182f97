"""Response bodies about looks at results."""

from datetime import datetime
from typing import Literal

from ninja import Schema


class LookOut(Schema):
    """An opening of results by stack while votes came in; counts are of people's used sessions by then."""

    at: datetime
    # null for those who may not read the study's log
    actor: str | None
    by: Literal["page", "program", "export"]
    votes: int
    sessions: int
    # number of the planned look that it was, from 1; null where the plan does not name it
    planned: int | None


class PlannedLookOut(Schema):
    """A look that the plan names: once so many sessions are used, their votes are judged at this nominal alpha."""

    number: int
    sessions: int
    # null until it is reached
    level: float | None
