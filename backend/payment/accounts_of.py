"""Payment-related state of each recruited participant of a study."""

from collections.abc import Mapping

from conformance.models import Verdict
from eyelevel_core.study.recruiter import EARNED, Recruiter
from eyelevel_core.study.submissions import FORMATS
from lib.problems import Problem
from payment.books import Account
from ratings.models import Origin, Session, SessionState
from studies.models import Study

# parameters of links in which recruiters send the submission's id
SUBMISSION = tuple(form.parameter for form in FORMATS.values())
# ends of people who take part: their session counts, or an earlier one of theirs
BEGUN = (*EARNED, "took_part")


def recruiter_of_group(study: Study, group: str) -> Recruiter:
    """The recruiter of a group; raises Problem 422 if it has none, or the study has no such group."""
    recruiter = study.design.recruiter_of(group)
    if recruiter is None:
        message = f"group is {group!r}, but this study has no group with that key and a recruiter."
        raise Problem(422, "invalid", message, details={"field": "group"})
    return recruiter


def paying_codes(recruiter: Recruiter) -> frozenset[str]:
    """Codes of the study file that stand for completion, and so for payment."""
    return frozenset({recruiter.codes["completed"]} if "completed" in recruiter.codes else ())


def declining_codes(recruiter: Recruiter) -> frozenset[str]:
    """Codes of the study file for people who did not begin: they declined, or the study turned them away."""
    return frozenset(code for end, code in recruiter.codes.items() if end not in BEGUN)


def accounts_of(study: Study, group: str, recruiter: Recruiter, *, simulated_too: bool = False) -> list[Account]:
    """An account per session of the group's recruited participants."""
    pay = {name: rule.pay for name, rule in study.design.conformance.rules.items()}
    origins = [Origin.PERSON, Origin.SIMULATED] if simulated_too else [Origin.PERSON]
    sessions = Session.objects.filter(
        fielding__study=study, fielding__group=group, origin__in=origins, participant__recruitment__isnull=False
    )
    given = Verdict.objects.filter(session__in=sessions)
    # late plays lead to a further verdict, and the newest one counts
    newest = {verdict.session_id: verdict for verdict in given.order_by("session_id", "-id").distinct("session_id")}
    shared = recruiter.codes.get("completed", "")
    accounts = []
    for session in sessions.select_related("participant__recruitment").order_by("pk"):
        recruited, verdict = session.participant.recruitment, newest.get(session.pk)
        completed = session.state == SessionState.COMPLETED
        accounts.append(
            Account(
                person=recruited.recruiter_id,
                completed=completed,
                accepted=None if verdict is None else verdict.accepted,
                code=(shared or session.completion_code or "") if completed else "",
                submission=next((recruited.arrival[name] for name in SUBMISSION if name in recruited.arrival), ""),
                rules=() if verdict is None else _unpaid(verdict, pay),
            )
        )
    return accounts


def _unpaid(verdict: Verdict, pay: Mapping[str, bool]) -> tuple[str, ...]:
    """The broken rules for which the study does not pay."""
    findings = verdict.findings or []
    return tuple(
        finding["rule"] for finding in findings if finding["broken"] == "yes" and not pay.get(finding["rule"], True)
    )
