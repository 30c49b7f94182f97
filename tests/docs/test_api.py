"""docs/contracts/api.md explains every call of the API, and no other."""

import re

from docs import markdown
from docs.api_page import calls

PAGE = markdown.REPOSITORY / "docs" / "contracts" / "api.md"
CALL = re.compile(r"(GET|POST|PUT|DELETE) (/[\w./{}-]+)")
# served beside the API
BESIDE = {"GET /clips/{}", "GET /metrics"}


def explained(text: str) -> list[str]:
    """Calls in the first column of tables, with empty braces for what their paths name."""
    rows = [line.split("`")[1] for _, line in markdown.prose(text) if line.startswith("| `")]
    return [f"{found[1]} {re.sub(r'{.*?}', '{}', found[2])}" for row in rows if (found := CALL.match(row))]


def test_every_call_is_explained_once() -> None:
    existing = {f"{method} {re.sub(r'{.*?}', '{}', path)}" for method, path, _ in calls()} | BESIDE
    named = explained(PAGE.read_text())
    assert len(existing) > 70
    assert sorted(named) == sorted(existing)


def test_calls_are_read_from_rows() -> None:
    assert explained("| `PUT /api/a/{b}/c?d=1` | x |\n\n`GET /api/e`\n") == ["PUT /api/a/{}/c"]
