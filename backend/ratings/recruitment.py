"""Participants with a recruiter's id, which is stored apart from their answers."""

import re
from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction
from django.db.models import F

from eyelevel_core.study.recruiter import Recruiter
from lib.problems import Problem
from ratings import problems_shown
from ratings.models import MissingId, Participant, Recruitment
from studies.models import Fielding

# what stands in a link whose recruiter did not fill it in
UNFILLED = re.compile(r"[{}]|%\w+%|^ASSIGNMENT_ID_NOT_AVAILABLE$")
MISSING_ID = "recruit_missing"
# visits without an id that are counted per fielding: enough for a warning, and a flood of visits writes no more rows
MOST_VISITS = 1000


def recruiter_of(fielding: Fielding) -> Recruiter | None:
    """The recruiter of the fielding's group; None if it has none."""
    groups = fielding.study.design.groups
    return next((group.recruiter for group in groups if group.key == fielding.group), None)


def usable_id(values: Sequence[str]) -> str | None:
    """The id that a link's parameter carries; None without one, or with one that identifies nobody.

    `values` are all values of the parameter. A placeholder that was not filled in is the same for everybody.
    """
    if len(set(values)) != 1 or not values[0].strip() or UNFILLED.search(values[0]):
        return None
    return values[0]


def participant_of(fielding: Fielding, recruiter_id: str) -> Participant | None:
    """Whom the fielding's recruiter knows by this id in its study, if they have begun it.

    Raises Problem 422 where nobody recruits for the fielding.
    """
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        message = "recruit has an id, but this link has no recruiter; omit it."
        raise Problem(422, "invalid", message, details={"field": "recruit"})
    if usable_id([recruiter_id]) is None:
        raise _missing(recruiter)
    return Participant.objects.filter(
        recruitment__study=fielding.study_id,
        recruitment__recruiter=recruiter.name,
        recruitment__recruiter_id=recruiter_id,
    ).first()


def enrol(fielding: Fielding, recruiter_id: str, parameters: Mapping[str, str]) -> Participant:
    """The participant whom the fielding's recruiter knows by this id; in each study another one.

    `parameters` are all parameters of the link; they are stored for a new participant only.
    """
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        raise ValueError("nobody recruits for this fielding")
    known = {"study": fielding.study, "recruiter": recruiter.name, "recruiter_id": recruiter_id}
    try:
        with transaction.atomic():
            participant = Participant.objects.create()
            arrival = kept_parameters(recruiter, parameters)
            Recruitment.objects.create(participant=participant, arrival=arrival, **known)
    except IntegrityError:
        # known already, or by another link at this very moment
        return Recruitment.objects.select_related("participant").get(**known).participant
    return participant


def renew_parameters(fielding: Fielding, participant: Participant, parameters: Mapping[str, str]) -> None:
    """Store the parameters of a new attempt, e.g. the id of another submission, if the link has any."""
    recruiter = recruiter_of(fielding)
    if recruiter is not None and (arrival := kept_parameters(recruiter, parameters)):
        Recruitment.objects.filter(participant=participant).update(arrival=arrival)


def kept_parameters(recruiter: Recruiter, parameters: Mapping[str, str]) -> dict[str, str]:
    """What is stored beside the recruiter's id: the link's parameters without the id itself."""
    return {name: value for name, value in parameters.items() if name != recruiter.id_parameter}


def unknown_parameters(fielding: Fielding, parameters: Mapping[str, str]) -> list[str] | None:
    """Names of parameters that nobody asked for: those of a link without a recruiter; null for none."""
    return sorted(parameters) or None if recruiter_of(fielding) is None else None


def count_missing_id(fielding: Fielding, parameter: str) -> None:
    """Count a visit by a link without the parameter that carries the recruiter's id, for the study's page."""
    MissingId.objects.get_or_create(fielding=fielding, defaults={"parameter": parameter})
    counted = MissingId.objects.filter(fielding=fielding, visits__lt=MOST_VISITS)
    counted.update(visits=F("visits") + 1)
    problems_shown.count_code(fielding, MISSING_ID)


def check_known(fielding: Fielding, participant: Participant | None) -> None:
    """Raise Problem 422 `recruit_missing` where somebody recruits, and does not know who comes without an id.

    `participant`: where a new session takes the place of an old one, whose.
    """
    recruiter = recruiter_of(fielding)
    if recruiter is None or Recruitment.objects.filter(participant=participant).exists():
        return
    raise _missing(recruiter)


def _missing(recruiter: Recruiter) -> Problem:
    lacking = f"recruit is missing: the link has no {recruiter.id_parameter}, the participant's id at the recruiter"
    message = f"{lacking}; open the study by the recruiter's own link."
    return Problem(422, MISSING_ID, message, details={"field": "recruit"})


def already_took_part() -> Problem:
    return Problem(409, "already_took_part", "You have already taken part in this study, which is possible only once.")
