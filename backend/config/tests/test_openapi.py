"""The checked-in description of the API is what the code says."""

import io
from pathlib import Path

from django.core.management import call_command

FILE = Path(__file__).parents[3] / "docs" / "contracts" / "openapi.json"


def test_the_file_is_current() -> None:
    told = io.StringIO()
    call_command("openapi", stdout=told)
    hint = "run: python backend/manage.py openapi > docs/contracts/openapi.json"
    assert told.getvalue() == FILE.read_text(), hint
