"""Participants with a recruiter's id, which is stored apart from their answers."""

import re
from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from eyelevel_core.study.recruiter import Recruiter
from lib.problems import Problem
from ratings.models import Participant, Recruitment
from studies.models import Fielding

# placeholders in a link that the recruiter did not replace
UNFILLED = re.compile(r"[{}]|%\w+%|^ASSIGNMENT_ID_NOT_AVAILABLE$")
MISSING_ID = "recruit_missing"


def usable_id(values: Sequence[str]) -> str | None:
    """The id in a link's parameter; None if it is missing or identifies nobody.

    `values` are all values of the parameter. A placeholder that was not replaced is the same for everybody.
    """
    if len(set(values)) != 1 or not values[0].strip() or UNFILLED.search(values[0]):
        return None
    return values[0]


def participant_of(fielding: Fielding, recruiter_id: str) -> Participant | None:
    """The participant with this recruiter's id, if they have started the fielding's study.

    Raises Problem 422 if the fielding has no recruiter.
    """
    recruiter = fielding.recruiter
    if recruiter is None:
        message = "recruit is set, but this link has no recruiter; omit recruit."
        raise Problem(422, "invalid", message, details={"field": "recruit"})
    if usable_id([recruiter_id]) is None:
        raise _missing(recruiter)
    return Participant.objects.filter(
        recruitment__study=fielding.study_id,
        recruitment__recruiter=recruiter.name,
        recruitment__recruiter_id=recruiter_id,
    ).first()


def enrol(fielding: Fielding, recruiter_id: str, parameters: Mapping[str, str]) -> Participant:
    """Get or create the participant with this recruiter's id; a person has another participant in each study.

    `parameters` are all parameters of the link, which are stored only for a new participant.
    """
    recruiter = fielding.recruiter
    if recruiter is None:
        raise ValueError(f"the fielding {fielding.slug} has no recruiter")
    known = {"study": fielding.study, "recruiter": recruiter.name, "recruiter_id": recruiter_id}
    try:
        with transaction.atomic():
            participant = Participant.objects.create()
            arrival = kept_parameters(recruiter, parameters)
            Recruitment.objects.create(participant=participant, arrival=arrival, **known)
    except IntegrityError:
        # already known, or created concurrently by another link
        return Recruitment.objects.select_related("participant").get(**known).participant
    return participant


def renew_parameters(fielding: Fielding, participant: Participant, parameters: Mapping[str, str]) -> None:
    """Store the link's parameters of a new attempt, if any, e.g. the id of another submission."""
    recruiter = fielding.recruiter
    if recruiter is not None and (arrival := kept_parameters(recruiter, parameters)):
        Recruitment.objects.filter(participant=participant).update(arrival=arrival)


def kept_parameters(recruiter: Recruiter, parameters: Mapping[str, str]) -> dict[str, str]:
    """The link's parameters that are stored beside the recruiter's id, without the id itself."""
    return {name: value for name, value in parameters.items() if name != recruiter.id_parameter}


def unknown_parameters(fielding: Fielding, parameters: Mapping[str, str]) -> list[str] | None:
    """Names of the parameters of a link without a recruiter, which are unexpected; None if there are none."""
    return sorted(parameters) or None if fielding.recruiter is None else None


def check_known(fielding: Fielding, participant: Participant | None) -> None:
    """Raise Problem 422 `recruit_missing` if the fielding has a recruiter, but the participant is not recruited.

    `participant`: that of an earlier session, if the new session replaces one.
    """
    recruiter = fielding.recruiter
    if recruiter is None or Recruitment.objects.filter(participant=participant).exists():
        return
    raise _missing(recruiter)


def _missing(recruiter: Recruiter) -> Problem:
    reason = f"recruit is missing: the link has no {recruiter.id_parameter}, the participant's id at the recruiter"
    message = f"{reason}; open the study by the link on the recruiter's site."
    return Problem(422, MISSING_ID, message, details={"field": "recruit"})


def already_took_part() -> Problem:
    return Problem(409, "already_took_part", "You have already taken part in this study, which is possible only once.")
