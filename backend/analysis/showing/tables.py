"""Tables of results in the form of the API, and a table per question about the person."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eyelevel_core.study.design import Design, Text
from eyelevel_core.tables import Language
from eyelevel_stats.demographics import DEMOGRAPHICS, DemographicRow, without_few
from eyelevel_stats.tables import TABLES
from lib.tables import rows_out

# their rows are sent with the hypotheses that they are about
OF_PLAN = ("hypotheses", "effects")


def result_tables(stored: Mapping[str, Any], language: Language) -> list[dict[str, object]]:
    """The tables of stored results that have rows, in their order."""
    return [
        rows_out(table, (table.row(**row) for row in stored[name]), language)
        for name, table in TABLES.items()
        if name not in OF_PLAN and stored.get(name)
    ]


def question_tables(design: Design, rows: Sequence[DemographicRow], language: Language) -> list[dict[str, object]]:
    """Answers, with the study's labels of its choices and without small counts; empty if nobody was asked."""
    shown = without_few(rows)
    return [
        rows_out(
            replace(
                DEMOGRAPHICS.without("question"),
                name=f"{DEMOGRAPHICS.name}-{question.key}",
                title=_text_in(question.label, "en"),
                title_de=_text_in(question.label, "de"),
            ),
            (row for row in shown if row.question == question.key),
            language,
            words={"choice": {choice.key: _text_in(choice.label, language) for choice in question.choices}},
        )
        for question in (design.questions if shown else ())
    ]


def _text_in(text: Text, language: Language) -> str:
    return text.get(language) or text.get("en") or next(iter(text.values()))
