"""Compares a recruiter's list of submissions with a study's participants, and determines the action for each; pure.

The study pays each accepted person once, and nobody else. Submissions that are settled need no action.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from eyelevel_core.study.submissions import Status


class Action(StrEnum):
    """Action that the researcher takes at the recruiter."""

    APPROVE = "approve"
    REJECT = "reject"
    # ask the person to return the submission: it is not paid, and does not affect their record
    RETURN = "return"
    # pay separately from the submission
    BONUS = "bonus"
    # list and study contradict each other, so that a person must decide
    DECIDE = "decide"
    NOTHING = "nothing"


class Why(StrEnum):
    """The reason for an action."""

    ACCEPTED = "accepted"
    # accepted, although another code was submitted
    ACCEPTED_OTHER_CODE = "accepted_other_code"
    # accepted, and paid by another submission
    TWICE = "twice"
    # accepted, but the recruiter closed the submission: a timeout, or a return by mistake
    ACCEPTED_BUT_GONE = "accepted_but_gone"
    ACCEPTED_BUT_PART_PAID = "accepted_but_part_paid"
    ACCEPTED_BUT_REJECTED = "accepted_but_rejected"
    ACCEPTED_BUT_RUNNING = "accepted_but_running"
    ACCEPTED_BUT_UNKNOWN = "accepted_but_unknown"
    # a rule without pay is broken
    NOT_ACCEPTED = "not_accepted"
    # completed, but too few videos could be shown, which is not the participant's fault
    NOT_SHOWN = "not_shown"
    NOT_JUDGED = "not_judged"
    # no completed session, although the code stands for completion
    CODE_WITHOUT_SESSION = "code_without_session"
    # no completed session, and the code does not stand for one
    NOT_COMPLETED = "not_completed"
    # unknown to the study, with the code of an end for which nobody begins a session
    NOT_BEGUN = "not_begun"
    # the study has no such participant: the list is of another study, or their data were erased
    UNKNOWN_PERSON = "unknown_person"
    CODE_OF_ANOTHER = "code_of_another"
    PAID_BUT_NOT_ACCEPTED = "paid_but_not_accepted"
    SETTLED = "settled"


@dataclass(frozen=True)
class Claim:
    """A row of the recruiter's list: a submission of a person, with the code that they submitted.

    `bonus`: whether a bonus was paid too; None if the list does not state it.
    """

    person: str
    submission: str
    status: Status
    code: str = ""
    bonus: bool | None = None


@dataclass(frozen=True)
class Account:
    """A person's session in the study. `accepted` is None until the completed session is judged.

    `code` is the code shown at the end; `submission` is the submission's id in the person's link, if it had one.
    `rules` are the broken rules for which the study does not pay; if empty, a session that is not accepted could not
    show enough videos.
    """

    person: str
    completed: bool
    accepted: bool | None = None
    code: str = ""
    submission: str = ""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """The action for a submission, or for an accepted person without a submission in the recruiter's list."""

    person: str
    submission: str
    status: Status | None
    action: Action
    why: Why
    rules: tuple[str, ...] = ()


def books(
    claims: Iterable[Claim],
    accounts: Iterable[Account],
    *,
    paying: Collection[str] = (),
    declining: Collection[str] = (),
    can_return: bool = True,
) -> list[Entry]:
    """Compare list and study: an entry per submission, then one per accepted person without a submission.

    `paying` are the study file's codes for completion; if it has none, each participant has a different code.
    `declining` are its codes for people who did not begin. Of several sessions of a person, an accepted one counts
    first, then a completed one. If the recruiter does not support returns (not `can_return`), a submission of somebody
    who began is rejected instead.
    """
    known = _by_person(accounts)
    of_person: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        of_person[claim.person].append(claim)
    own = {account.code for account in known.values() if account.code and account.code not in paying}
    codes = _Codes(paying, declining, own)
    entries = [
        entry
        for person, submissions in of_person.items()
        for entry in _of_person(submissions, known.get(person), codes)
    ]
    if not can_return:
        entries = [
            replace(entry, action=_instead(entry)) if entry.action is Action.RETURN else entry for entry in entries
        ]
    absent = [person for person, account in known.items() if account.accepted and person not in of_person]
    return entries + [Entry(person, "", None, Action.DECIDE, Why.ACCEPTED_BUT_UNKNOWN) for person in absent]


@dataclass(frozen=True)
class _Codes:
    """Codes of the study file by what they stand for, and the participants' own ones."""

    paying: Collection[str]
    declining: Collection[str]
    own: Collection[str]


def _instead(entry: Entry) -> Action:
    """The action where nobody can return a submission. A person whom the study does not know is never rejected."""
    return Action.DECIDE if entry.why is Why.NOT_BEGUN else Action.REJECT


def _by_person(accounts: Iterable[Account]) -> dict[str, Account]:
    known: dict[str, Account] = {}
    for account in accounts:
        before = known.get(account.person)
        if before is None or _weight(account) > _weight(before):
            known[account.person] = account
    return known


def _weight(account: Account) -> tuple[bool, bool]:
    return account.accepted is True, account.completed


def _of_person(claims: Sequence[Claim], account: Account | None, codes: _Codes) -> Iterator[Entry]:
    if account is not None and account.accepted:
        yield from _of_accepted(claims, account)
        return
    for claim in claims:
        action, why = _of_claim(claim, account, codes)
        rules = account.rules if account is not None and why is Why.NOT_ACCEPTED else ()
        yield Entry(claim.person, claim.submission, claim.status, action, why, rules)


def _of_accepted(claims: Sequence[Claim], account: Account) -> Iterator[Entry]:
    """Yields the entries of an accepted person, who is paid exactly once for any number of submissions."""
    order = (Status.PAID, Status.PART_PAID, Status.WAITING, Status.RUNNING, Status.REJECTED, Status.GONE)
    best = min(claims, key=lambda claim: (order.index(claim.status), claim.submission != account.submission))
    has_bonus = any(claim.bonus for claim in claims)
    for claim in claims:
        action, why = _of_best(claim, account, has_bonus=has_bonus) if claim is best else _of_other(claim)
        yield Entry(claim.person, claim.submission, claim.status, action, why)


# action for the submission of an accepted person who was not paid yet
UNPAID: Mapping[Status, tuple[Action, Why]] = {
    Status.RUNNING: (Action.NOTHING, Why.ACCEPTED_BUT_RUNNING),
    Status.PART_PAID: (Action.DECIDE, Why.ACCEPTED_BUT_PART_PAID),
    Status.REJECTED: (Action.DECIDE, Why.ACCEPTED_BUT_REJECTED),
    Status.GONE: (Action.BONUS, Why.ACCEPTED_BUT_GONE),
}


def _of_best(claim: Claim, account: Account, *, has_bonus: bool) -> tuple[Action, Why]:
    if claim.status is Status.PAID:
        return Action.NOTHING, Why.SETTLED
    if has_bonus:
        # approving a submission after a bonus would be a second payment
        return (Action.RETURN, Why.TWICE) if claim.status is Status.WAITING else (Action.NOTHING, Why.SETTLED)
    if claim.status is Status.WAITING:
        same = not claim.code or not account.code or claim.code == account.code
        return Action.APPROVE, Why.ACCEPTED if same else Why.ACCEPTED_OTHER_CODE
    action, why = UNPAID[claim.status]
    # if the list does not state whether a bonus was paid, a person must decide
    return (Action.DECIDE if action is Action.BONUS and claim.bonus is None else action), why


def _of_other(claim: Claim) -> tuple[Action, Why]:
    match claim.status:
        case Status.WAITING:
            return Action.RETURN, Why.TWICE
        case Status.PAID:
            return Action.DECIDE, Why.TWICE
        case _:
            return Action.NOTHING, Why.SETTLED


def _of_claim(claim: Claim, account: Account | None, codes: _Codes) -> tuple[Action, Why]:
    """The action for a person who is not accepted. A person whom the study does not know is never rejected."""
    if claim.status is Status.PAID:
        return Action.DECIDE, Why.PAID_BUT_NOT_ACCEPTED
    if claim.status is not Status.WAITING:
        return Action.NOTHING, Why.SETTLED
    if account is None:
        return _of_unknown(claim, codes)
    if account.completed:
        if account.accepted is None:
            return Action.NOTHING, Why.NOT_JUDGED
        return (Action.REJECT, Why.NOT_ACCEPTED) if account.rules else (Action.RETURN, Why.NOT_SHOWN)
    claimed = _claimed_end(claim, codes)
    return (Action.RETURN, Why.NOT_COMPLETED) if claimed is None else (Action.REJECT, claimed)


def _of_unknown(claim: Claim, codes: _Codes) -> tuple[Action, Why]:
    if claim.code in codes.declining:
        return Action.RETURN, Why.NOT_BEGUN
    return Action.DECIDE, _claimed_end(claim, codes) or Why.UNKNOWN_PERSON


def _claimed_end(claim: Claim, codes: _Codes) -> Why | None:
    """How a person without a completed session claims to have one; None if their code does not stand for that."""
    if claim.code in codes.paying:
        return Why.CODE_WITHOUT_SESSION
    return Why.CODE_OF_ANOTHER if claim.code in codes.own else None
