"""Studies with votes whose tables in depth tests ask for."""

import json
from datetime import UTC, datetime
from typing import Any

from django.test import Client, TestCase

from analysis import tasks
from analysis.models import AnalysisState, Result
from studies.lifecycle import change_state
from studies.models import Fielding, FieldingState, forget_designs
from testing.votes import Field

NOW = datetime(2026, 1, 1, tzinfo=UTC)
H1 = {
    "key": "H1",
    "says": "QUIC is rated higher.",
    "kind": "rate",
    "pair": ["TCP+", "QUIC"],
    "networks": "each",
    "over": ["DSL"],
    "expects": "higher",
}
H2 = {"key": "H2", "says": "SI agrees best with people.", "kind": "metrics", "metric": "SI"}


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def planned(*hypotheses: dict[str, Any]) -> Field:
    """A study with these hypotheses and votes of four people for QUIC."""
    field = Field()
    frozen = json.loads(field.study.frozen_text)
    frozen["study"]["plan"]["hypotheses"] = list(hypotheses)
    field.study.frozen_text = json.dumps(frozen)
    field.study.save()
    # a process keeps designs by their digest, which this study shares with those of other tests
    forget_designs()
    for slow, fast in [(3, 5), (4, 5), (3, 5), (3, 5)]:
        session = field.session()
        field.rate("TCP+", slow, by=session)
        field.rate("QUIC", fast, by=session)
    return field


def analysed(field: Field) -> Result:
    AnalysisState.objects.update(not_before=None)
    tasks.votes_arrived(field.study.sha256)
    result = AnalysisState.objects.select_related("result__snapshot").get(study=field.study).result
    assert result is not None
    return result


def close(field: Field, fielding: Fielding | None = None) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        change_state(fielding or field.fielding, FieldingState.CLOSED)


def closed(*hypotheses: dict[str, Any]) -> tuple[Field, Result]:
    field = planned(*hypotheses)
    result = analysed(field)
    close(field)
    return field, result


def ask_api(client: Client, field: Field, **query: str) -> Any:
    answer = client.get(f"/api/research/studies/{field.study.sha256}/results/in-depth", query)
    assert answer.status_code == 200
    return answer.json()
