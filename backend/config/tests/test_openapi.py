"""The checked-in description of the API is what the code says."""

import io
from pathlib import Path

from django.core.management import call_command

FILE = Path(__file__).parents[3] / "docs" / "contracts" / "openapi.json"


def test_the_file_is_current() -> None:
    output = io.StringIO()
    call_command("openapi", stdout=output)
    hint = "run: python backend/manage.py openapi > docs/contracts/openapi.json"
    assert output.getvalue() == FILE.read_text(), hint
