"""Builds the documentation site into var/docs/site, and checks it: `make docs`.

Fails for a page that is missing from the nav of mkdocs.yml, for warnings of the build, and for addresses without a
target in the built pages, images included.
"""

import re
import shutil
import subprocess
import sys
from pathlib import PurePosixPath
from typing import Any

import yaml
from docs import site_links
from docs.markdown import REPOSITORY, tracked
from docs.site_pages import DeadLinkError, assemble, place

CONFIG = REPOSITORY / "mkdocs.yml"
FOLDER = REPOSITORY / "var" / "docs"
ZENSICAL = REPOSITORY / ".venv-docs" / "bin" / "zensical"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def main() -> int:
    faults = nav_faults(config()["nav"])
    if not faults:
        try:
            assemble(FOLDER / "docs", pages_of_top(config()["nav"]))
        except DeadLinkError as error:
            faults = [str(error)]
    faults = faults or build()
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if not faults:
        pages = len(list((FOLDER / "site").rglob("*.html")))
        sys.stdout.write(f"{pages} pages in {FOLDER / 'site'}, no dead link\n")
    return 1 if faults else 0


def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(CONFIG.read_text())
    return loaded


def build() -> list[str]:
    """What is wrong with the site that this builds; an empty list where nothing is."""
    shutil.rmtree(FOLDER / "site", ignore_errors=True)
    shutil.copyfile(CONFIG, FOLDER / CONFIG.name)
    command = [str(ZENSICAL), "build", "--strict", "--clean", "--config-file", str(FOLDER / CONFIG.name)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said, _, _ = COLOURS.sub("", done.stdout + done.stderr).partition("Traceback")
        return [said.strip() or f"zensical ended with exit status {done.returncode}"]
    return site_links.faults(FOLDER / "site")


def entries(nav: Any) -> list[str]:
    """Pages of a nav, in its order."""
    if isinstance(nav, str):
        return [nav]
    return [page for part in (nav.values() if isinstance(nav, dict) else nav) for page in entries(part)]


def nav_faults(nav: Any) -> list[str]:
    """Pages of docs/ that are not in the nav or twice in it, and entries without a page."""
    listed = entries(nav)
    twice = sorted({page for page in listed if listed.count(page) > 1})
    pages = {str(place(PurePosixPath(name))) for name in tracked("docs/*.md")}
    at_top = {str(place(PurePosixPath(name))) for name in tracked(":(glob)*.md")}
    return [
        *(f"docs/{page} is not in the nav of mkdocs.yml" for page in sorted(pages - set(listed))),
        *(f"mkdocs.yml: there is no page {page}" for page in listed if page not in pages | at_top),
        *(f"mkdocs.yml: {page} is in the nav twice" for page in twice),
    ]


def pages_of_top(nav: Any) -> list[str]:
    """Files of the repository's top that are in the nav."""
    return [name for name in tracked(":(glob)*.md") if str(place(PurePosixPath(name))) in entries(nav)]


if __name__ == "__main__":
    sys.exit(main())
