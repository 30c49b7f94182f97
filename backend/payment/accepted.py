"""The list accepted.csv of participants to pay, by their recruiter's ids.

Only the study's owner can read it, and each reading is recorded in the audit log. Neither a time nor the order shows
when somebody finished, because the times of votes would then identify whose votes they are.
"""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from accounts.models import User
from audit.log import record
from audit.models import What
from conformance.models import Verdict
from eyelevel_core.tables import csv_text
from ratings.models import Origin, Session
from studies.models import Study
from studies.permissions import study_of_owner

HEADER = ("group", "recruiter", "recruiter_id", "completion_code")
# prefix of the names of columns with parameters of the link
PARAMETER = "link_"


def accepted_csv(user: User, study_sha256: str) -> str:
    """A CSV file with a row per accepted participant of a recruiter; raises Problem 404, or 403 if not the owner."""
    study = study_of_owner(user, study_sha256)
    accepted = list(_accepted(study))
    record(user, What.EXPORT, study, {"file": "accepted.csv", "participants": len(accepted)})
    names = sorted({name for _, arrival in accepted for name in arrival})
    rows = [(*columns, *(arrival.get(name) for name in names)) for columns, arrival in accepted]
    return csv_text((*HEADER, *(f"{PARAMETER}{name}" for name in names)), rows)


def _accepted(study: Study) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    """Yields the columns of HEADER and the link's other parameters, per accepted participant."""
    newest = Verdict.objects.filter(session=OuterRef("pk")).order_by("-id").values("accepted")[:1]
    people = Session.objects.filter(fielding__study=study, origin=Origin.PERSON, participant__recruitment__isnull=False)
    accepted = people.annotate(accepted=Subquery(newest)).filter(accepted=True)
    by_id = ("fielding__group", "participant__recruitment__recruiter", "participant__recruitment__recruiter_id")
    for session in accepted.select_related("fielding", "participant__recruitment").order_by(*by_id):
        recruited = session.participant.recruitment
        columns = (session.fielding.group, recruited.recruiter, recruited.recruiter_id, session.completion_code or "")
        yield columns, recruited.arrival
