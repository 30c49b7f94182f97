"""Participants with a recruiter's id, which is stored apart from their answers."""

from urllib.parse import quote

from django.db import IntegrityError, transaction

from eyelevel_core.study.design import Recruiter
from lib.problems import Problem
from ratings.models import Participant, Recruitment
from studies.models import Fielding


def recruiter_of(fielding: Fielding) -> Recruiter | None:
    """The recruiter of the fielding's group; None if it has none."""
    groups = fielding.study.design.groups
    return next((group.recruiter for group in groups if group.key == fielding.group), None)


def participant_of(fielding: Fielding, recruiter_id: str) -> Participant | None:
    """Whom the fielding's recruiter knows by this id in its study, if they have begun it.

    Raises Problem 422 where nobody recruits for the fielding.
    """
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        message = "recruit has an id, but this link has no recruiter; omit it."
        raise Problem(422, "invalid", message, details={"field": "recruit"})
    return Participant.objects.filter(
        recruitment__study=fielding.study_id,
        recruitment__recruiter=recruiter.name,
        recruitment__recruiter_id=recruiter_id,
    ).first()


def enrol(fielding: Fielding, recruiter_id: str) -> Participant:
    """The participant whom the fielding's recruiter knows by this id; in each study another one."""
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        raise ValueError("nobody recruits for this fielding")
    known = {"study": fielding.study, "recruiter": recruiter.name, "recruiter_id": recruiter_id}
    try:
        with transaction.atomic():
            participant = Participant.objects.create()
            Recruitment.objects.create(participant=participant, **known)
    except IntegrityError:
        # known already, or by another link at this very moment
        return Recruitment.objects.select_related("participant").get(**known).participant
    return participant


def check_known(fielding: Fielding, participant: Participant | None) -> None:
    """Raise Problem 422 `recruit_missing` where somebody recruits, and does not know who comes without an id.

    `participant`: where a new session takes the place of an old one, whose.
    """
    recruiter = recruiter_of(fielding)
    if recruiter is None or Recruitment.objects.filter(participant=participant).exists():
        return
    lacking = f"recruit is missing: the link has no {recruiter.id_parameter}, the participant's id at the recruiter"
    message = f"{lacking}; open the study by the recruiter's own link."
    raise Problem(422, "recruit_missing", message, details={"field": "recruit"})


def return_url(fielding: Fielding, code: str) -> str | None:
    """Where a participant who has this completion code is led back to; None where nobody waits for them."""
    recruiter = recruiter_of(fielding)
    if recruiter is None or recruiter.return_url is None:
        return None
    return recruiter.return_url.replace("{code}", quote(code, safe=""))


def already_took_part() -> Problem:
    return Problem(409, "already_took_part", "You have already taken part in this study, which is possible only once.")
