"""Participants whom a recruiter knows by an id of its own. The id is kept apart from all that they answer."""

from typing import Any
from urllib.parse import quote

from django.db import IntegrityError, transaction

from problems import Problem, not_found
from ratings.models import Participant, Recruitment, Session
from studies.models import Fielding


def recruiter_of(fielding: Fielding) -> dict[str, Any] | None:
    """`{name, id_parameter, return_url?}` of the fielding's group; None where nobody recruits it."""
    for group in fielding.study.design["groups"]:
        if group["key"] == fielding.group:
            recruiter: dict[str, Any] | None = group.get("recruiter")
            return recruiter
    return None


def begun_by(slug: str, recruiter_id: str) -> Session | None:
    """The newest session that this person has in the fielding; it may be resumed by the study's policy.

    Raises Problem 422 where nobody recruits for the fielding, and 409 `already_took_part` where they are done with it
    or came by another link of the study.
    """
    fielding = Fielding.objects.select_related("study").filter(slug=slug).first()
    if fielding is None:
        raise not_found("such study")
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        message = "recruit names an id, but nobody recruits for this link; leave it out."
        raise Problem(422, "invalid", message, details={"field": "recruit"})
    known = Session.objects.filter(
        participant__recruitment__recruiter=recruiter["name"],
        participant__recruitment__recruiter_id=recruiter_id,
        fielding__study=fielding.study_id,
    )
    newest = known.select_related("fielding__study", "participant").order_by("-started_at").first()
    if newest is not None and (newest.completion_code is not None or newest.fielding_id != fielding.pk):
        raise already_took_part()
    return newest


def enrol(fielding: Fielding, recruiter_id: str) -> Participant:
    """The participant whom the fielding's recruiter knows by this id; the same one in every study."""
    recruiter = recruiter_of(fielding)
    if recruiter is None:
        raise ValueError("nobody recruits for this fielding")
    try:
        with transaction.atomic():
            participant = Participant.objects.create()
            Recruitment.objects.create(participant=participant, recruiter=recruiter["name"], recruiter_id=recruiter_id)
    except IntegrityError:
        # known already, or by another link at this very moment
        known = Recruitment.objects.select_related("participant")
        return known.get(recruiter=recruiter["name"], recruiter_id=recruiter_id).participant
    return participant


def return_url(fielding: Fielding, code: str) -> str | None:
    """Where a participant who has this completion code is led back to; None where nobody waits for them."""
    recruiter = recruiter_of(fielding)
    if recruiter is None or "return_url" not in recruiter:
        return None
    return str(recruiter["return_url"]).replace("{code}", quote(code, safe=""))


def already_took_part() -> Problem:
    return Problem(409, "already_took_part", "You have taken part in this study already; it can be taken once only.")
