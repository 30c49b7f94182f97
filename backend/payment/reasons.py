"""Texts about reasons: for the researcher in English and German, and for the participant in English.

The page and decisions.csv show the text for the researcher. Recruiters send the message to the participant.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from eyelevel_core.tables import Language
from payment.books import Action, Entry, Why


@dataclass(frozen=True)
class Reason:
    """`advice` follows the text if the researcher must decide; `message` is sent with a rejection or a request."""

    text: Mapping[Language, str]
    advice: Mapping[Language, str] | None = None
    message: str = ""


NOTHING_OWED: Mapping[Language, str] = {
    "en": "You owe them nothing more.",
    "de": "Sie schulden der Person nichts mehr.",
}
ASK_FIRST: Mapping[Language, str] = {
    "en": "They may have completed it and withdrawn. Ask them before you reject the submission.",
    "de": "Vielleicht hat sie die Studie abgeschlossen und ihre Daten löschen lassen. Fragen Sie nach, bevor Sie die "
    "Einreichung ablehnen.",
}

REASONS: Mapping[Why, Reason] = {
    Why.ACCEPTED: Reason({"en": "The study accepted them.", "de": "Die Studie hat die Person akzeptiert."}),
    Why.ACCEPTED_OTHER_CODE: Reason(
        {
            "en": "The study accepted them, although they entered a different code.",
            "de": "Die Studie hat die Person akzeptiert, obwohl sie einen anderen Code eingegeben hat.",
        }
    ),
    Why.TWICE: Reason(
        {
            "en": "The study accepted them, and another submission of theirs is paid.",
            "de": "Die Studie hat die Person akzeptiert, und eine andere Einreichung von ihr wird bezahlt.",
        },
        advice=NOTHING_OWED,
        message="You took part once, and another submission of yours is paid",
    ),
    Why.ACCEPTED_BUT_GONE: Reason(
        {
            "en": "The study accepted them, but the submission timed out or was returned.",
            "de": "Die Studie hat die Person akzeptiert, aber die Einreichung ist abgelaufen oder wurde zurückgegeben.",
        },
        advice={
            "en": "Pay a bonus, unless you have already paid it.",
            "de": "Zahlen Sie einen Bonus, falls noch nicht geschehen.",
        },
    ),
    Why.ACCEPTED_BUT_PART_PAID: Reason(
        {
            "en": "The study accepted them, but they were paid only in part.",
            "de": "Die Studie hat die Person akzeptiert, aber sie wurde nur teilweise bezahlt.",
        },
        advice={
            "en": "Pay the rest as a bonus, unless you have already paid it.",
            "de": "Zahlen Sie den Rest als Bonus, falls noch nicht geschehen.",
        },
    ),
    Why.ACCEPTED_BUT_REJECTED: Reason(
        {
            "en": "The study accepted them, but you rejected the submission.",
            "de": "Die Studie hat die Person akzeptiert, aber Sie haben die Einreichung abgelehnt.",
        },
        advice={
            "en": "Approve the submission after all, or pay a bonus.",
            "de": "Nehmen Sie die Einreichung nachträglich an, oder zahlen Sie einen Bonus.",
        },
    ),
    Why.ACCEPTED_BUT_RUNNING: Reason(
        {
            "en": "The study accepted them, but the submission is still open.",
            "de": "Die Studie hat die Person akzeptiert, aber die Einreichung ist noch offen.",
        }
    ),
    Why.ACCEPTED_BUT_UNKNOWN: Reason(
        {
            "en": "The study accepted them, but the list has no submission of theirs.",
            "de": "Die Studie hat die Person akzeptiert, aber die Liste enthält keine Einreichung von ihr.",
        },
        advice={
            "en": "Download the list again after the last submission. If they are still missing, look up their ID at "
            "the recruiter, and pay them there.",
            "de": "Laden Sie die Liste nach der letzten Einreichung erneut herunter. Fehlt die Person weiterhin, "
            "suchen Sie ihre Kennung auf der Rekrutierungsplattform und bezahlen Sie sie dort.",
        },
    ),
    Why.NOT_ACCEPTED: Reason(
        {
            "en": "They completed the study, but broke rules that exclude payment.",
            "de": "Die Person hat die Studie abgeschlossen, aber gegen Regeln verstoßen, die eine Bezahlung "
            "ausschließen.",
        },
        message="Your answers did not pass all checks of this study",
    ),
    Why.NOT_SHOWN: Reason(
        {
            "en": "They completed the study, but too few videos could be shown.",
            "de": "Die Person hat die Studie abgeschlossen, aber es konnten zu wenige Videos gezeigt werden.",
        },
        message="Most videos could not be shown in your browser",
    ),
    Why.NOT_JUDGED: Reason(
        {
            "en": "They completed the study. Their answers have not been screened yet.",
            "de": "Die Person hat die Studie abgeschlossen. Ihre Antworten sind noch nicht geprüft.",
        }
    ),
    Why.CODE_WITHOUT_SESSION: Reason(
        {
            "en": "They entered the code of a completed study, but the study has no completed session of theirs.",
            "de": "Die Person hat den Code einer abgeschlossenen Studie eingegeben, aber die Studie hat keine "
            "abgeschlossene Sitzung von ihr.",
        },
        advice=ASK_FIRST,
        message="You submitted the completion code, but the study has no completed session for your ID",
    ),
    Why.CODE_OF_ANOTHER: Reason(
        {
            "en": "They entered the code of another participant, and the study has no completed session of theirs.",
            "de": "Die Person hat den Code einer anderen Person eingegeben, und die Studie hat keine abgeschlossene "
            "Sitzung von ihr.",
        },
        advice=ASK_FIRST,
        message="Your code belongs to another participant, and the study has no completed session for your ID",
    ),
    Why.NOT_COMPLETED: Reason(
        {
            "en": "They did not complete the study.",
            "de": "Die Person hat die Studie nicht abgeschlossen.",
        },
        message="The study has no completed session for your ID",
    ),
    Why.NOT_BEGUN: Reason(
        {
            "en": "They declined, or could not take part, and entered the code for that.",
            "de": "Die Person wollte oder konnte nicht teilnehmen und hat den Code dafür eingegeben.",
        },
        advice={
            "en": "You owe them nothing. Close the submission by the recruiter's rules.",
            "de": "Sie schulden der Person nichts. Schließen Sie die Einreichung nach den Regeln der "
            "Rekrutierungsplattform ab.",
        },
        message="You did not take part in the study",
    ),
    Why.UNKNOWN_PERSON: Reason(
        {
            "en": "The study does not know them: they declined, withdrew, or belong to another list.",
            "de": "Die Studie kennt die Person nicht: Sie wollte nicht teilnehmen, hat ihre Daten löschen lassen oder "
            "gehört zu einer anderen Liste.",
        },
        advice={
            "en": "Ask them to return the submission if they did not take part.",
            "de": "Bitten Sie die Person, die Einreichung zurückzugeben, wenn sie nicht teilgenommen hat.",
        },
    ),
    Why.PAID_BUT_NOT_ACCEPTED: Reason(
        {
            "en": "The submission is paid, but the study did not accept them.",
            "de": "Die Einreichung ist bezahlt, aber die Studie hat die Person nicht akzeptiert.",
        },
        advice=NOTHING_OWED,
    ),
    Why.SETTLED: Reason({"en": "Nothing is left to do.", "de": "Es ist nichts mehr zu tun."}),
}

# explanations for the participant of broken rules for which a study does not pay
RULES: Mapping[str, str] = {
    "R1": "a video was not played to its end",
    "R2": "a video stalled",
    "R3": "the page was hidden or another window was in front",
    "R4": "an answer came before anything was visible",
    "R5": "the study took too long",
    "R6": "control videos were answered wrongly",
    "R7": "control questions were answered wrongly",
    "R8": "a video was shown too small",
    "R9": "less time passed than the videos last",
}


def explanation(entry: Entry, language: Language) -> str:
    """The reason for an entry's action, with its rules, and with advice if the researcher must decide."""
    reason = REASONS[entry.why]
    sentences = [reason.text[language]]
    if entry.rules:
        sentences.append(f"({', '.join(entry.rules)})")
    if entry.action is Action.DECIDE and reason.advice is not None:
        sentences.append(reason.advice[language])
    return " ".join(sentences)


def message(entry: Entry) -> str:
    """The message for a participant whose submission is rejected or to be returned; otherwise empty."""
    if entry.action not in (Action.REJECT, Action.RETURN):
        return ""
    rules = f": {'; '.join(RULES.get(rule, rule) for rule in entry.rules)}" if entry.rules else ""
    return f"{REASONS[entry.why].message}{rules}."
