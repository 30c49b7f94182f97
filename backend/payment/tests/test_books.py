"""Both books on a study: each person is paid once, or refused once with a reason."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from eyelevel_core.study.submissions import FORMATS, MTURK, PROLIFIC, Format, Status
from eyelevel_core.tables import Language
from lib.problems import Problem
from payment.books import Account, Action, Claim, Entry, Why, books
from payment.lists import files, read
from payment.reasons import REASONS, explanation, message

PAYS, DECLINES = "C1DONE00", "C1NOTHX0"
DONE = Account("ann", completed=True, accepted=True, code=PAYS, submission="s1")
WAITS = Claim("ann", "s1", Status.WAITING, PAYS)


def decisions(*claims: Claim, of: Account | None = DONE) -> list[tuple[Action, Why]]:
    entries = books(claims, [] if of is None else [of], paying=[PAYS], declining=[DECLINES])
    return [(entry.action, entry.why) for entry in entries]


@pytest.mark.parametrize(
    ("status", "action", "why"),
    [
        (Status.WAITING, Action.APPROVE, Why.ACCEPTED),
        (Status.PAID, Action.NOTHING, Why.SETTLED),
        (Status.RUNNING, Action.NOTHING, Why.ACCEPTED_BUT_RUNNING),
        (Status.REJECTED, Action.DECIDE, Why.ACCEPTED_BUT_REJECTED),
        (Status.PART_PAID, Action.DECIDE, Why.ACCEPTED_BUT_PART_PAID),
        # the list does not say whether a bonus was paid
        (Status.GONE, Action.DECIDE, Why.ACCEPTED_BUT_GONE),
    ],
)
def test_an_accepted_person_is_paid_once(status: Status, action: Action, why: Why) -> None:
    assert decisions(replace(WAITS, status=status)) == [(action, why)]


def test_a_bonus_is_due_once() -> None:
    returned = replace(WAITS, status=Status.GONE, bonus=False)
    assert decisions(returned) == [(Action.BONUS, Why.ACCEPTED_BUT_GONE)]
    assert decisions(replace(returned, bonus=True)) == [(Action.NOTHING, Why.SETTLED)]
    # who has the bonus and comes again is not paid again
    again = replace(WAITS, submission="s9")
    assert decisions(replace(returned, bonus=True), again) == [
        (Action.NOTHING, Why.SETTLED),
        (Action.RETURN, Why.TWICE),
    ]


def test_an_accepted_person_with_the_wrong_code_or_none_is_paid_all_the_same() -> None:
    assert decisions(replace(WAITS, code="NOCODE")) == [(Action.APPROVE, Why.ACCEPTED_OTHER_CODE)]
    assert decisions(replace(WAITS, code="")) == [(Action.APPROVE, Why.ACCEPTED)]


def test_of_two_submissions_that_of_the_link_is_paid() -> None:
    other = replace(WAITS, submission="s0")
    assert decisions(other, WAITS) == [(Action.RETURN, Why.TWICE), (Action.APPROVE, Why.ACCEPTED)]
    assert decisions(replace(other, status=Status.PAID), WAITS) == [
        (Action.NOTHING, Why.SETTLED),
        (Action.RETURN, Why.TWICE),
    ]
    twice = decisions(replace(other, status=Status.PAID), replace(WAITS, status=Status.PAID))
    assert twice == [(Action.DECIDE, Why.TWICE), (Action.NOTHING, Why.SETTLED)]


@pytest.mark.parametrize(
    ("account", "code", "action", "why"),
    [
        (replace(DONE, accepted=False, rules=("R7",)), PAYS, Action.REJECT, Why.NOT_ACCEPTED),
        (replace(DONE, accepted=None), PAYS, Action.NOTHING, Why.NOT_JUDGED),
        (replace(DONE, completed=False, accepted=None), DECLINES, Action.RETURN, Why.NOT_COMPLETED),
        (replace(DONE, completed=False, accepted=None), PAYS, Action.REJECT, Why.CODE_WITHOUT_SESSION),
        # too few videos could be shown
        (replace(DONE, accepted=False), PAYS, Action.RETURN, Why.NOT_SHOWN),
        # they may have withdrawn: nobody is accused
        (None, "", Action.DECIDE, Why.UNKNOWN_PERSON),
        (None, PAYS, Action.DECIDE, Why.CODE_WITHOUT_SESSION),
        # they declined, or the study turned them away
        (None, DECLINES, Action.RETURN, Why.NOT_BEGUN),
    ],
)
def test_somebody_who_is_not_accepted_is_not_paid(account: Account | None, code: str, action: Action, why: Why) -> None:
    assert decisions(replace(WAITS, code=code), of=account) == [(action, why)]
    assert decisions(replace(WAITS, code=code, status=Status.GONE), of=account) == [(Action.NOTHING, Why.SETTLED)]
    paid = replace(WAITS, code=code, status=Status.PAID)
    assert decisions(paid, of=account) == [(Action.DECIDE, Why.PAID_BUT_NOT_ACCEPTED)]


def test_a_code_that_was_passed_on_pays_nobody() -> None:
    entries = books([Claim("bob", "s2", Status.WAITING, "XYZ23"), WAITS], [replace(DONE, code="XYZ23")])
    assert [(entry.person, entry.action, entry.why) for entry in entries] == [
        ("bob", Action.DECIDE, Why.CODE_OF_ANOTHER),
        ("ann", Action.APPROVE, Why.ACCEPTED_OTHER_CODE),
    ]


def test_where_nobody_can_return_a_submission_it_is_rejected_with_a_sentence() -> None:
    begun = Account("bob", completed=False)
    claims = [WAITS, replace(WAITS, submission="s9"), Claim("bob", "s2", Status.WAITING, "made up")]
    entries = books(claims, [DONE, begun], can_return=False)
    assert [(entry.action, entry.why) for entry in entries] == [
        (Action.APPROVE, Why.ACCEPTED),
        (Action.REJECT, Why.TWICE),
        (Action.REJECT, Why.NOT_COMPLETED),
    ]
    assert all(message(entry) for entry in entries[1:])
    # who never began is not rejected
    (declined,) = books([replace(WAITS, code=DECLINES)], [], declining=[DECLINES], can_return=False)
    assert (declined.action, declined.why) == (Action.DECIDE, Why.NOT_BEGUN)


def test_of_several_sessions_the_accepted_one_counts() -> None:
    first = replace(DONE, completed=False, accepted=None, code="")
    for order in ([first, DONE], [DONE, first]):
        assert [entry.action for entry in books([WAITS], order)] == [Action.APPROVE]


def test_an_accepted_person_whom_the_recruiter_does_not_know_is_named() -> None:
    assert books([], [DONE]) == [Entry("ann", "", None, Action.DECIDE, Why.ACCEPTED_BUT_UNKNOWN)]


def test_each_decision_has_advice_and_each_refusal_a_message() -> None:
    accounts = [None, DONE, *(replace(DONE, accepted=accepted) for accepted in (False, None))]
    accounts += [replace(DONE, accepted=False, rules=("R7",)), replace(DONE, completed=False, accepted=None)]
    seen = set()
    for account, can_return in product(accounts, (True, False)):
        known = [Account("bob", completed=True, code="OWN", accepted=True)] + ([account] if account else [])
        for status, code, others in product(Status, (PAYS, DECLINES, "OWN", ""), (0, 1)):
            again = [replace(WAITS, submission="s9", status=status)] * others
            claims = [replace(WAITS, status=status, code=code), *again]
            for entry in books(claims, known, paying=[PAYS], declining=[DECLINES], can_return=can_return):
                seen.add(entry.why)
                assert bool(REASONS[entry.why].advice) >= (entry.action is Action.DECIDE), entry
                assert (len(message(entry)) > 1) == (entry.action in (Action.REJECT, Action.RETURN)), entry
    # the code of another person is not in `paying`, and neither is a completed one of theirs
    assert seen | {Why.ACCEPTED_OTHER_CODE} == set(Why)


@pytest.mark.parametrize(("language", "advice"), [("en", "unless you have already paid it."), ("de", "noch nicht")])
def test_only_what_a_person_decides_has_advice(language: Language, advice: str) -> None:
    (decide,) = books([replace(WAITS, status=Status.GONE)], [DONE])
    (bonus,) = books([replace(WAITS, status=Status.GONE, bonus=False)], [DONE])
    assert advice in explanation(decide, language)
    assert advice not in explanation(bonus, language)


def submissions(draw: Random, count: int) -> tuple[list[Claim], list[Account]]:
    """A study's worth: most are accepted; returns, time outs, screen-outs, double visits, dead callbacks."""
    claims: list[Claim] = []
    accounts: list[Account] = []
    for number in range(count):
        person, submission = f"p{number:04}", f"s{number:04}"
        kind = draw.choices(
            (
                "fine",
                "fails",
                "leaves",
                "returns",
                "timed out",
                "screened",
                "dead callback",
                "twice",
                "invents",
                "restarts",
            ),
            (70, 5, 5, 4, 3, 3, 3, 3, 2, 2),
        )[0]
        account = Account(person, completed=True, accepted=True, code=PAYS, submission=submission)
        claim = Claim(person, submission, Status.WAITING, PAYS, bonus=False)
        if kind == "fails":
            account = replace(account, accepted=False, rules=("R7",))
        elif kind == "leaves":
            account, claim = replace(account, completed=False, accepted=None, code=""), replace(claim, code="")
        elif kind == "returns":
            account = replace(account, completed=False, accepted=None, code="")
            claim = replace(claim, status=Status.GONE, code="")
        elif kind in ("timed out", "dead callback"):
            # the study has them; the recruiter never heard of the end
            claim = replace(claim, status=Status.GONE if kind == "timed out" else Status.WAITING, code="")
        elif kind == "screened":
            accounts_before = len(accounts)
            claims.append(replace(claim, code=draw.choice(("C1RETURN", DECLINES))))
            assert len(accounts) == accounts_before
            continue
        elif kind == "twice":
            claims.append(
                replace(claim, submission=f"{submission}b", status=draw.choice((Status.WAITING, Status.GONE)))
            )
        elif kind == "invents":
            claims.append(claim)
            continue
        elif kind == "restarts":
            accounts.append(replace(account, completed=False, accepted=None, code=""))
        claims.append(claim)
        accounts.append(account)
    draw.shuffle(claims)
    draw.shuffle(accounts)
    return claims, accounts


@pytest.mark.parametrize("seed", range(5))
def test_of_a_thousand_submissions_each_person_is_paid_or_refused_once(seed: int) -> None:
    claims, accounts = submissions(Random(seed), 1000)
    entries = books(claims, accounts, paying=[PAYS], declining=[DECLINES])
    assert Counter((entry.person, entry.submission) for entry in entries) == Counter(
        (claim.person, claim.submission) for claim in claims
    )
    paid = Counter(entry.person for entry in entries if entry.action in (Action.APPROVE, Action.BONUS))
    assert set(paid) == {account.person for account in accounts if account.accepted}
    assert set(paid.values()) == {1}
    refused = Counter(entry.person for entry in entries if entry.action in (Action.REJECT, Action.DECIDE))
    assert not set(paid) & set(refused)
    assert set(refused.values()) == {1}
    assert all(message(entry) for entry in entries if entry.action is Action.REJECT)
    # what is done at the recruiter leaves nothing to do
    again = books([_done(entry) for entry in entries], accounts, paying=[PAYS])
    assert {entry.action for entry in again} == {Action.NOTHING}


def _done(entry: Entry) -> Claim:
    """The submission after the action, as the recruiter's next list has it; who decides rejects."""
    after = {
        Action.APPROVE: Status.PAID,
        Action.REJECT: Status.REJECTED,
        Action.DECIDE: Status.REJECTED,
        Action.RETURN: Status.GONE,
    }
    assert entry.status is not None
    status = after.get(entry.action, entry.status)
    return Claim(entry.person, entry.submission, status, bonus=entry.action is Action.BONUS)


LIST = "Submission id,Participant id,Status,Completion code\r\ns1,ann,AWAITING REVIEW,C1DONE00\r\ns2,bob,TIMED-OUT,\r\n"


def test_prolifics_list_is_read_and_its_files_are_lists_of_submissions() -> None:
    rows, claims = read("\ufeff" + LIST, PROLIFIC)
    assert claims == [WAITS, Claim("bob", "s2", Status.GONE)]
    eve = Account("eve", completed=False)
    entries = books([*claims, Claim("eve", "s3", Status.WAITING)], [DONE, eve], paying=[PAYS])
    texts = {file.name: file.text for file in files("prolific", rows, entries)}
    assert texts["approve.txt"] == "s1\n"
    assert texts["ask-to-return.txt"] == "s3\n"
    assert texts["decisions.csv"].splitlines() == [
        "recruiter_id,submission,action,reason,explanation,message",
        "ann,s1,approve,accepted,The study accepted them.,",
        "eve,s3,return,not_completed,They did not complete the study.,The study has no completed session for your ID.",
    ]
    (german, *_) = files("prolific", rows, entries, language="de")
    assert "approve,accepted,Die Studie hat die Person akzeptiert.," in german.text


def test_mturks_list_comes_back_with_marks() -> None:
    head = "AssignmentId,WorkerId,AssignmentStatus,Answer.code,Approve,Reject"
    text = f"{head}\na1,ann,Submitted,AB2,,\na2,bob,Submitted,AB3,,\n"
    rows, claims = read(text, MTURK)
    accounts = [
        replace(DONE, code="AB2"),
        Account("bob", completed=True, accepted=False, code="AB3", rules=("R7", "R9")),
    ]
    (_, reviewed) = files("mturk", rows, books(claims, accounts))
    assert reviewed.text.splitlines()[1] == "a1,ann,Submitted,AB2,x,"
    assert reviewed.text.splitlines()[2] == (
        "a2,bob,Submitted,AB3,,Your answers did not pass all checks of this study: "
        "control questions were answered wrongly; less time passed than the videos last."
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "a,b\n1,2\n",
            "The list has no column 'Participant id'; its first line must have the names of the columns, but has 'a', "
            "'b'.",
        ),
        ("s1;ann;AWAITING REVIEW;C1DONE00\n", "but has 's1', 'ann', 'AWAITING REVIEW', 'C1DONE00'."),
        ("\ufeff \n", "The list is empty; download it from the recruiter again, as CSV."),
        (LIST.splitlines()[0], "The list has the names of columns, but no submissions"),
        ("PK\x03\x04\x14\0", "if it is a spreadsheet, save it as CSV (UTF-8)."),
        ("x" * 200_000, "Line 1 is not valid CSV: field larger than field limit"),
        (LIST.replace("TIMED-OUT", "PAUSED"), "Line 3: 'Status' is 'PAUSED', but must be one of 'active'"),
        (LIST.replace(",bob,", ",,"), "Line 3 has no value in the column 'Participant id'."),
    ],
)
def test_a_list_that_cannot_be_read_names_line_and_column(text: str, words: str) -> None:
    with pytest.raises(Problem) as caught:
        read(text, PROLIFIC)
    assert words in caught.value.message


@pytest.mark.parametrize("delimiter", ";\t")
def test_a_list_that_a_spreadsheet_saved_is_read(delimiter: str) -> None:
    saved = LIST.replace(",", delimiter).replace("C1DONE00", '"C1DONE00"') + delimiter * 5 + "\r\n"
    assert read(saved, PROLIFIC) == read(LIST, PROLIFIC)
    # of the columns, only those that are needed decide
    header, *rows = saved.splitlines()
    more = [f"{header}{delimiter}a, b, c, d, e, f, g", *(f"{row}{delimiter}x" for row in rows[:2])]
    assert read("\n".join(more), PROLIFIC)[1] == read(LIST, PROLIFIC)[1]


def test_the_name_of_the_column_with_the_id_is_asked_for() -> None:
    with pytest.raises(Problem, match="The name of the column with the participant's ID is missing; enter it"):
        read(LIST, Format(person="", submission="", code=""))


def test_a_row_that_is_there_twice_counts_once() -> None:
    row = LIST.splitlines()[1]
    rows, claims = read(f"{LIST.rstrip()}\n{row}\n", PROLIFIC)
    assert (rows, claims) == read(LIST, PROLIFIC)


def test_one_submission_with_other_values_is_refused() -> None:
    head, row = LIST.splitlines()[:2]
    other = row.replace("AWAITING REVIEW", "RETURNED")
    assert other != row
    with pytest.raises(Problem, match=r"Line 3 has the submission '\w+' again, with other values; remove"):
        read(f"{head}\n{row}\n{other}\n", PROLIFIC)


def test_any_list_is_read_by_the_names_of_its_columns() -> None:
    custom = Format(person="worker", submission="task", code="answer")
    assert read("worker,task,answer,x\nann,t1,AB,1\n", custom)[1] == [Claim("ann", "t1", Status.WAITING, "AB")]
    assert set(FORMATS) == {"prolific", "mturk"}
