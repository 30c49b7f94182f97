"""The generated pages of docs/reference, and which pages of docs/ are generated.

`python tests/docs/generated.py` writes them (make reference).
"""

import sys
from collections.abc import Callable
from pathlib import Path

from docs.api_page import api_page
from docs.commands_page import commands_page
from docs.markdown import REPOSITORY, files
from docs.settings_page import settings_page
from docs.testbed_page import testbed_page

from eyelevel.built import find_testbed

FOLDER = REPOSITORY / "docs" / "reference"


def testbed() -> str:
    return testbed_page(find_testbed())


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "testbed-commands.md": testbed,
    "settings.md": settings_page,
    "api-bodies.md": api_page,
}


def is_generated(page: Path) -> bool:
    """Whether a page says so in its beginning, as the generated ones do."""
    beginning = " ".join(page.read_text()[:1500].split())
    return " generated from " in beginning and "do not edit it" in beginning


def handwritten() -> list[Path]:
    return [path for path in files() if path.is_relative_to(REPOSITORY / "docs") and not is_generated(path)]


if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page())
        sys.stdout.write(f"docs/reference/{name}\n")
