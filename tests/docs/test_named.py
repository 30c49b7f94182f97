"""Commands, options, make targets and paths in the code of the documentation exist in the product."""

import pytest
from docs import markdown, named
from docs.generated import handwritten

# a changelog also names what is gone
HISTORY = "CHANGELOG.md"
PAGES = [
    path
    for path in markdown.files()
    if path.is_relative_to(markdown.REPOSITORY / "docs") or path.parent == markdown.REPOSITORY
    if path.name != HISTORY
]
KNOWN = named.Known(
    commands={
        "eyelevel": frozenset(),
        "eyelevel study": frozenset(),
        "eyelevel study check": frozenset({"--batch", "--json"}),
        "eyelevel manage": frozenset({"--data"}),
        "eyelevel testbed run": frozenset({"--seed"}),
        "eyelevel testbed": frozenset(),
    },
    management={"reset_account": frozenset({"--second-factor-off"})},
    targets=frozenset({"demo", "docs"}),
    paths=frozenset(
        {
            "docs",
            "docs/README.md",
            "pipeline/eyelevel/cli.py",
            "tests/bench/run.py",
            "fixtures/a.csv",
            "pipeline/testbed/tests/it/a.rs",
        }
    ),
    options=frozenset({"--batch"}),
    groups=frozenset({"eyelevel", "eyelevel study", "eyelevel testbed"}),
)
# words of docs/ without generated pages
MOST_WORDS = 60_000


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(markdown.REPOSITORY).as_posix())
def test_what_a_page_names_in_code_exists(path: markdown.Path) -> None:
    assert named.faults(path.read_text(), named.product()) == []


def test_the_pages_name_much() -> None:
    text = "\n\n".join(path.read_text() for path in PAGES)
    code = "\n".join(code for _, code in (*markdown.spans(text), *markdown.blocks(text)))
    assert len(named.EYELEVEL.findall(code)) > 150
    assert len(named.MAKE.findall(code)) > 30
    assert len(list(named.paths(code))) > 150


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Run `eyelevel publish`.", "1: eyelevel publish: no such command"),
        ("`eyelevel study chekc s.yaml`", "1: eyelevel study chekc: no such command"),
        ("a\n\n    eyelevel study check s \\\n      --batches b", "3: eyelevel study check has no option --batches"),
        ("1. Do:\n\n       .venv/bin/eyelevel study --all", "3: eyelevel study has no option --all"),
        ("`eyelevel testbed run --sed 1 -- bash --login`", "1: eyelevel testbed run has no option --sed"),
        ("`eyelevel manage --data /srv forget anna`", "1: forget: no such management command"),
        ("`manage.py reset_account a --off`", "1: reset_account has no option --off"),
        ("```\nOUT=x make demos\n```", "2: make demos: no such target"),
        ("with `--batches`", "1: --batches: no command has this option"),
        ("the file `docs/gone.md`", "1: docs/gone.md: no such path"),
        ("a span `over\ntests/bench/gone.py lines`", "1: tests/bench/gone.py: no such path"),
        ("in `eyelevel/gone`", "1: eyelevel/gone: no such path"),
        ("`fixtures/*.json`", "1: fixtures/*.json: no such path"),
    ],
)
def test_a_name_that_the_product_lacks_is_found(text: str, fault: str) -> None:
    assert named.faults(text, KNOWN) == [fault]


@pytest.mark.parametrize(
    "text",
    [
        "`eyelevel study check s.yaml --json | jq`, `eyelevel COMMAND --help`, `eyelevel --version`",
        "`eyelevel manage --data /srv/eyelevel reset_account anna --second-factor-off`",
        "`eyelevel testbed run --seed 1 -- bash --login`",
        "`make demo docs`, `docs/`, `docs/README.md#top`, `fixtures/*.csv`, `docs/NAME.md`, `eyelevel/cli.py`",
        "(commit 493d1de, `tests/bench/gone`), `tests/it/a.rs`, `fixtures/N.csv`",
        "eyelevel publish and make demos are no code here, nor is docs/gone.md",
        "`https://example.org/docs/gone.md`, `eyelevel/batch/1`, `frontend/dist/index.html`, `--batch`",
    ],
)
def test_what_exists_is_no_fault(text: str) -> None:
    assert named.faults(text, KNOWN) == []


def test_the_documentation_stays_short() -> None:
    counts = {path.relative_to(markdown.REPOSITORY).as_posix(): words(path.read_text()) for path in handwritten()}
    total = sum(counts.values())
    longest = ", ".join(f"{name} {counts[name]}" for name in sorted(counts, key=counts.__getitem__)[-8:])
    assert total <= MOST_WORDS, f"docs/ has {total} words without generated pages, {MOST_WORDS} are allowed: {longest}"


def words(text: str) -> int:
    """Tokens with a letter or a digit."""
    return sum(any(letter.isalnum() for letter in token) for token in text.split())


def test_words_have_a_letter_or_digit() -> None:
    assert words("| a | --- | 1.5 %, `b c` |") == 4


def test_generated_pages_are_not_counted() -> None:
    names = {path.relative_to(markdown.REPOSITORY / "docs").as_posix() for path in handwritten()}
    assert {"README.md", "contracts/README.md", "contracts/api.md"} <= names
    assert not {"contracts/take.1.md", "reference/commands.md", "reference/settings.md"} & names
