"""Compares a recruiter's list of submissions with the participants of a study, and finds the action for each. Pure.

The study pays each accepted person once, and nobody else. Submissions that are settled need no action.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class Status(StrEnum):
    """Of a submission at the recruiter."""

    RUNNING = "running"
    WAITING = "waiting"
    PAID = "paid"
    # paid with less than the reward: partially approved, or screened out
    PART_PAID = "part_paid"
    REJECTED = "rejected"
    # returned or timed out: nobody is paid for it any more, and its place is free
    GONE = "gone"


class Action(StrEnum):
    """What the researcher does at the recruiter."""

    APPROVE = "approve"
    REJECT = "reject"
    # ask the person to give the submission back: nobody is paid, and no one's record suffers
    RETURN = "return"
    # pay apart from the submission
    BONUS = "bonus"
    # the books contradict each other in a way that a person has to decide
    DECIDE = "decide"
    NOTHING = "nothing"


class Why(StrEnum):
    """The reason for an action."""

    ACCEPTED = "accepted"
    # accepted, whatever code was handed in
    ACCEPTED_OTHER_CODE = "accepted_other_code"
    # accepted, and paid by another submission
    TWICE = "twice"
    # accepted, but the recruiter closed the submission: a time out, or a return by mistake
    ACCEPTED_BUT_GONE = "accepted_but_gone"
    ACCEPTED_BUT_PART_PAID = "accepted_but_part_paid"
    ACCEPTED_BUT_REJECTED = "accepted_but_rejected"
    ACCEPTED_BUT_RUNNING = "accepted_but_running"
    ACCEPTED_BUT_UNKNOWN = "accepted_but_unknown"
    # a rule without pay is broken
    NOT_ACCEPTED = "not_accepted"
    # completed, but too few videos could be shown: no fault of theirs
    NOT_SHOWN = "not_shown"
    NOT_JUDGED = "not_judged"
    # no completed session, though the code says so
    CODE_WITHOUT_SESSION = "code_without_session"
    # no completed session, and the code does not claim one
    NOT_COMPLETED = "not_completed"
    # the study does not know the person: another list, or their data were erased
    UNKNOWN_PERSON = "unknown_person"
    CODE_OF_ANOTHER = "code_of_another"
    PAID_BUT_NOT_ACCEPTED = "paid_but_not_accepted"
    SETTLED = "settled"


@dataclass(frozen=True)
class Claim:
    """A line of the recruiter's list: a submission of a person, with the code that they handed in.

    `bonus`: whether a bonus was paid beside it; None where the list does not say.
    """

    person: str
    submission: str
    status: Status
    code: str = ""
    bonus: bool | None = None


@dataclass(frozen=True)
class Account:
    """What the study knows of a person. `accepted` is None until the completed session is judged.

    `code` is the one that they were shown at the end; `submission` the recruiter's id in their link, if it had one.
    `rules` are the broken rules for which the study does not pay; without any, a session that is not accepted could not
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
    claims: Iterable[Claim], accounts: Iterable[Account], *, paying: Collection[str] = (), can_return: bool = True
) -> list[Entry]:
    """One entry per submission, and one per accepted person without any; people in the order of the list.

    `paying` are the codes that the study file gives for completion. If it has none, each participant gets another one.
    Of several sessions of a person, an accepted one counts, then a completed one. Where nobody can be asked to return a
    submission (not `can_return`), it is rejected.
    """
    known = _by_person(accounts)
    of_person: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        of_person[claim.person].append(claim)
    owners = {account.code: person for person, account in known.items() if account.code and account.code not in paying}
    entries = [
        entry
        for person, own in of_person.items()
        for entry in _of_person(own, known.get(person), owners=owners, paying=paying)
    ]
    if not can_return:
        entries = [replace(one, action=Action.REJECT) if one.action is Action.RETURN else one for one in entries]
    absent = [person for person, account in known.items() if account.accepted and person not in of_person]
    return entries + [Entry(person, "", None, Action.DECIDE, Why.ACCEPTED_BUT_UNKNOWN) for person in absent]


def _by_person(accounts: Iterable[Account]) -> dict[str, Account]:
    known: dict[str, Account] = {}
    for account in accounts:
        before = known.get(account.person)
        if before is None or _weight(account) > _weight(before):
            known[account.person] = account
    return known


def _weight(account: Account) -> tuple[bool, bool]:
    return account.accepted is True, account.completed


def _of_person(
    claims: Sequence[Claim], account: Account | None, *, owners: Mapping[str, str], paying: Collection[str]
) -> Iterator[Entry]:
    if account is not None and account.accepted:
        yield from _of_accepted(claims, account)
        return
    for claim in claims:
        action, why = _of_claim(claim, account, owners=owners, paying=paying)
        rules = account.rules if account is not None and why is Why.NOT_ACCEPTED else ()
        yield Entry(claim.person, claim.submission, claim.status, action, why, rules)


def _of_accepted(claims: Sequence[Claim], account: Account) -> Iterator[Entry]:
    """Exactly one payment, however many submissions there are."""
    order = (Status.PAID, Status.PART_PAID, Status.WAITING, Status.RUNNING, Status.REJECTED, Status.GONE)
    best = min(claims, key=lambda claim: (order.index(claim.status), claim.submission != account.submission))
    has_bonus = any(claim.bonus for claim in claims)
    for claim in claims:
        action, why = _of_best(claim, account, has_bonus=has_bonus) if claim is best else _of_other(claim)
        yield Entry(claim.person, claim.submission, claim.status, action, why)


# of the submission that an accepted person is paid by, where nothing was paid yet
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
        # a waiting submission beside a bonus would be a second payment
        return (Action.RETURN, Why.TWICE) if claim.status is Status.WAITING else (Action.NOTHING, Why.SETTLED)
    if claim.status is Status.WAITING:
        same = not claim.code or not account.code or claim.code == account.code
        return Action.APPROVE, Why.ACCEPTED if same else Why.ACCEPTED_OTHER_CODE
    action, why = UNPAID[claim.status]
    # a list that does not say whether a bonus was paid must not lead to a second one
    return (Action.DECIDE if action is Action.BONUS and claim.bonus is None else action), why


def _of_other(claim: Claim) -> tuple[Action, Why]:
    match claim.status:
        case Status.WAITING:
            return Action.RETURN, Why.TWICE
        case Status.PAID:
            return Action.DECIDE, Why.TWICE
        case _:
            return Action.NOTHING, Why.SETTLED


def _of_claim(
    claim: Claim, account: Account | None, *, owners: Mapping[str, str], paying: Collection[str]
) -> tuple[Action, Why]:
    """Of somebody who is not accepted. Somebody whom the study does not know is never accused."""
    if claim.status is Status.PAID:
        return Action.DECIDE, Why.PAID_BUT_NOT_ACCEPTED
    if claim.status is not Status.WAITING:
        return Action.NOTHING, Why.SETTLED
    if account is not None and account.completed:
        if account.accepted is None:
            return Action.NOTHING, Why.NOT_JUDGED
        return (Action.REJECT, Why.NOT_ACCEPTED) if account.rules else (Action.RETURN, Why.NOT_SHOWN)
    claims_end = Why.CODE_WITHOUT_SESSION if claim.code in paying else Why.CODE_OF_ANOTHER
    if claim.code in paying or claim.code in owners:
        return Action.DECIDE if account is None else Action.REJECT, claims_end
    return (Action.DECIDE, Why.UNKNOWN_PERSON) if account is None else (Action.RETURN, Why.NOT_COMPLETED)
