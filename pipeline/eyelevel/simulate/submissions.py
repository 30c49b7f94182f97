"""Made-up ids of a recruiter's participants, and their list of submissions as the recruiter exports it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self
from uuid import UUID

from eyelevel.simulate.session import Recruiter
from eyelevel_core.study.submissions import FORMATS, Format, Status
from eyelevel_core.tables import csv_text


@dataclass(frozen=True)
class Submission:
    """A submission of a simulated participant; `code` is the one that they submit at the end."""

    recruiter: Recruiter
    person: str
    id: str
    code: str = ""

    @classmethod
    def made_up(cls, recruiter: Recruiter, random: UUID) -> Self:
        tail = random.hex[-12:]
        return cls(recruiter, f"sim-{tail}", f"submission-{tail}")

    def submitted(self, code: str) -> Self:
        return replace(self, code=code)

    @property
    def form(self) -> Format:
        """The format of the recruiter's list; of a recruiter without one, columns with the id and the code."""
        other = Format(person=self.recruiter.id_parameter, submission="", code="code")
        return FORMATS.get(self.recruiter.name.lower(), other)

    def arrival(self) -> dict[str, dict[str, str]]:
        """The fields of the request to begin that the parameters of the link give."""
        parameters = {self.recruiter.id_parameter: self.person}
        if self.form.parameter:
            parameters[self.form.parameter] = self.id
        return {"recruit": {"id": self.person}, "arrival": parameters}


def submissions_csv(submissions: Sequence[Submission]) -> str:
    """The list in which all these submissions of one recruiter wait for a review; empty without submissions."""
    if not submissions:
        return ""
    form = submissions[0].form
    waiting = next((name.upper() for name, status in form.statuses.items() if status is Status.WAITING), "")
    columns: dict[str, Callable[[Submission], str]] = {
        form.submission: lambda each: each.id,
        form.person: lambda each: each.person,
        form.status: lambda _: waiting,
        form.code: lambda each: each.code,
    }
    shown = [name for name in columns if name]
    return csv_text(shown, [[columns[name](each) for name in shown] for each in submissions])
