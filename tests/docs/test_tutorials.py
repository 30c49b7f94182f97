"""The tutorials in small: targets of make, labels of pages (also in guides), and the report that everybody gets."""

import re
from pathlib import Path

import pytest
import yaml
from docs.markdown import REPOSITORY
from tutorial import NAMES, Shell, command_blocks, like_a_clone, make_targets, outputs, says, text_of

from embedded.data_folder import Layout
from embedded.demo import show_addresses
from embedded.stages import Steps

CATALOGUES = REPOSITORY / "frontend" / "src" / "locales"
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"
GUIDES = [
    path for folder in ("guides", "reference", "tutorials") for path in (REPOSITORY / "docs" / folder).glob("*.md")
]
# a page, a button or a section of a page by its name
NAMED = re.compile(r"\b(?:pages?|buttons?|press(?:es)?|chooses?|under)\s+\*{1,2}([^*]+)\*", re.IGNORECASE)
IN_OTHER_PROGRAMS = {"Panel integration"}


def labels() -> set[str]:
    """Texts of the pages in English, and titles of the studies that the tutorials are about."""
    catalogues = [path.read_text(encoding="utf-8") for path in CATALOGUES.glob("*/en.po")]
    found = {
        re.sub(r"</?\d+/?>", "", text)
        for catalogue in catalogues
        for text in re.findall(r'^msgid "(.+)"$', catalogue, re.M)
    }
    (first_study,) = re.findall(
        r"cat > tutorial/study.yaml <<'EOF'\n(.*?)^EOF$", text_of("first-study.md"), re.M | re.S
    )
    return found | {yaml.safe_load(study)["title"]["en"] for study in (first_study, DEMO.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", NAMES)
def test_bold_words_are_labels_of_pages(name: str) -> None:
    # but for those with which an item of a list begins
    text = re.sub(r"^\d+\. \*\*.+?\*\*", "", text_of(name), flags=re.MULTILINE)
    bold = re.findall(r"\*\*(.+?)\*\*", text)
    assert [label for label in bold if label not in labels()] == []


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_guides_name_pages_and_buttons_as_the_pages_do(path: Path) -> None:
    known = {plain(label) for label in labels()} | IN_OTHER_PROGRAMS
    assert [name for name in NAMED.findall(path.read_text(encoding="utf-8")) if plain(name) not in known] == []


def plain(label: str) -> str:
    """The label on one line with straight quotes; a number in it is N, M or the name of a value."""
    return re.sub(r"\{\w+\}|\b[NM]\b", "#", " ".join(label.replace("’", "'").split()))


@pytest.mark.parametrize("text", [text_of(name) for name in NAMES] + [(REPOSITORY / "README.md").read_text()])
def test_make_has_the_targets(text: str) -> None:
    declared = set(re.findall(r"^([a-z0-9-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE))
    assert make_targets(text) - declared == set()


def test_the_demo_prints_addresses_as_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show_addresses(Layout(tmp_path), "http://127.0.0.1:8000", slug="2tsqj72h74", steps=Steps(4))
    printed = capsys.readouterr().out
    for name, role in (("researcher", "gZynuHgyx7La"), ("admin", "lq794ESNfbOa")):
        printed = printed.replace((tmp_path / "secrets" / f"{name}-password").read_text(), role)
    assert says(f"{printed}Stop everything with Ctrl-C.", outputs("demo.md")[0])


def test_everybody_gets_the_report_that_is_read(tmp_path: Path) -> None:
    (command,), (expected,) = command_blocks("read-a-result.md"), outputs("read-a-result.md")
    with Shell(like_a_clone(tmp_path, tmp_path, tmp_path), replacements={}) as shell:
        assert says(shell.run(command), expected, exactly=True)
    page = (tmp_path / "tutorial" / "sample" / "report.html").read_text(encoding="utf-8")
    figures = re.findall(r"[−+]?[\d.]*\d(?= ms| %|, but)", text_of("read-a-result.md").partition("## 3")[0])
    assert len(figures) > 12
    assert [figure for figure in figures if figure not in page and figure not in ("13", "0")] == []
