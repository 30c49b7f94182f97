"""The prose linter finds each kind of word that it is for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
VALE = Path(sys.prefix) / "bin" / "vale"
PLANTED = {
    "Whoever votes is a participant.": "Eyelevel.Idioms",
    "The report tells which stack is faster.": "Eyelevel.Idioms",
    "It has a page of its own.": "Eyelevel.Idioms",
    "Exports contain the plays, too.": "Eyelevel.TooAtEnd",
    "You can simply restart it.": "Eyelevel.Ease",
    "The the clip is loaded.": "Vale.Repetition",
}


@pytest.mark.skipif(not VALE.exists(), reason="Vale is not installed (make lint-prose)")
def test_planted_words_are_found_and_plain_ones_pass(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("\n\n".join(["# Title", *PLANTED, "The report states which stack is faster."]) + "\n")
    command = [VALE, "--config", REPOSITORY / ".vale.ini", "--output", "JSON", page]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (found,) = json.loads(done.stdout).values()
    assert [(one["Line"], one["Check"]) for one in sorted(found, key=lambda one: one["Line"])] == [
        (2 * number + 3, rule) for number, rule in enumerate(PLANTED.values())
    ]
