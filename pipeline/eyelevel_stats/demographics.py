"""Answers about the person, counted per group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eyelevel_core.study.design import Question
from eyelevel_core.tables import Table, column

# smaller counts are not shown: few people with an answer could be recognised by others who know that they took part
LEAST_SHOWN = 5
NO_ANSWER = ""


@dataclass(frozen=True)
class DemographicRow:
    """The number of used sessions of a group with an answer; None where the count is not shown."""

    group: str = column("key of the group in the study", "Schlüssel der Gruppe der Studie", shown="group")
    question: str = column("key of the demographic question", "Schlüssel der Frage zur Person", head_de="Frage")
    choice: str = column(
        "key of the choice; empty for participants without an answer",
        "Schlüssel der Antwort; leer bei Personen ohne Antwort",
        head="answer",
        head_de="Antwort",
        words={NO_ANSWER: ("no answer", "keine Angabe")},
    )
    sessions: int | None = column("number of used sessions with this answer", "verwendete Sitzungen mit dieser Antwort")
    share: float | None = column(
        "sessions / number of used sessions of the group",
        "sessions / verwendete Sitzungen der Gruppe",
        shown="share",
    )


DEMOGRAPHICS = Table("demographics", "Answers about the person", "Angaben zur Person", DemographicRow)


def demographics(
    questions: Sequence[Question], people: Iterable[tuple[str, Mapping[str, str]]]
) -> tuple[DemographicRow, ...]:
    """Counts answers per group, question and choice, with groups by name, the others in the study's order.

    `people` has the group of each used session and its answers by the question's key. A row for missing answers exists
    if there are any.
    """
    answers: dict[str, list[Mapping[str, str]]] = {}
    for group, answers_given in people:
        answers.setdefault(group, []).append(answers_given)
    rows: list[DemographicRow] = []
    for group, given in sorted(answers.items()):
        for question in questions:
            counts = Counter(answers_given.get(question.key, NO_ANSWER) for answers_given in given)
            choices = [choice.key for choice in question.choices] + ([NO_ANSWER] if counts[NO_ANSWER] else [])
            rows += [
                DemographicRow(group, question.key, choice, counts[choice], counts[choice] / len(given))
                for choice in choices
            ]
    return tuple(rows)


def without_few(rows: Iterable[DemographicRow], *, least: int = LEAST_SHOWN) -> tuple[DemographicRow, ...]:
    """Removes counts below `least` from the rows, 0 included.

    The sum of the removed counts of a question follows from the others and the size of the group. While it is below
    `least`, the smallest remaining count is removed as well, so that neither a removed count nor a share reveals few
    people (complementary suppression: L. Willenborg, T. de Waal, Elements of Statistical Disclosure Control,
    2001).
    """
    of_question: dict[tuple[str, str], list[DemographicRow]] = {}
    for row in rows:
        of_question.setdefault((row.group, row.question), []).append(row)
    return tuple(row for question_rows in of_question.values() for row in _safe(question_rows, least))


def _safe(rows: Sequence[DemographicRow], least: int) -> list[DemographicRow]:
    by_count = sorted(rows, key=lambda row: row.sessions or 0)
    hidden = sum((row.sessions or 0) < least for row in by_count)
    while 0 < hidden < len(rows) and sum(row.sessions or 0 for row in by_count[:hidden]) < least:
        hidden += 1
    return [replace(row, sessions=None, share=None) if row in by_count[:hidden] else row for row in rows]
