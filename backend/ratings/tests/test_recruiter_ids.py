"""An id that a recruiter did not fill in identifies nobody; pages decide by the same cases (recruit.test.ts)."""

import json
from pathlib import Path

import pytest
from django.http import QueryDict

from ratings.recruitment import usable_id

CASES = json.loads((Path(__file__).parents[3] / "fixtures" / "recruiter-ids.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["query"]))
def test_only_an_id_that_identifies_somebody_counts(case: dict[str, str | None]) -> None:
    query = QueryDict(str(case["query"]).removeprefix("?"))
    assert usable_id(query.getlist("PID")) == case["id"]
