"""Generated pages are those of the product, and every environment variable that is read is declared."""

import ast
import re
from collections.abc import Iterator

import pytest
from docs import commands_page, settings_page, testbed_page
from docs.generated import FOLDER, PAGES
from docs.markdown import REPOSITORY, tracked

from eyelevel.built import TESTBED
from eyelevel.errors import Exit
from eyelevel_core.variables import BY_NAME, GROUPS, PLATFORM, Variable

NAME = re.compile(r"EYELEVEL_[A-Z0-9_]*[A-Z0-9]")
# read by tests alone
OF_TESTS = {"EYELEVEL_REQUIRE", "EYELEVEL_TEST_FAULT", "EYELEVEL_SHARED"}
PRODUCT = ("backend/*.py", "pipeline/eyelevel*/*.py", ":!*/tests/*", ":!backend/testing", ":!backend/conftest.py")
SHELL = ("backend/entrypoint", "backend/proxy/start", "deploy/Caddyfile", "docker-compose*.yml")
needs_testbed = pytest.mark.skipif(not TESTBED.built.exists(), reason="the testbed is not built: run make testbed")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_testbed if name == "testbed-commands.md" else ()) for name in PAGES]
)
def test_a_page_is_current(name: str) -> None:
    assert (FOLDER / name).read_text() == PAGES[name](), "write it again: make reference"


def in_python(text: str) -> Iterator[str]:
    """Names of variables that a program has as a whole string."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAME.fullmatch(node.value):
            yield node.value


def in_shell(text: str) -> Iterator[str]:
    """Names in ${NAME...} of a shell or of docker compose, and in {$NAME...} of Caddy."""
    for match in re.finditer(rf"(?:\$\{{|\{{\$)({NAME.pattern})", text):
        yield match[1]


def read() -> set[str]:
    python = {name for file in tracked(*PRODUCT) for name in in_python((REPOSITORY / file).read_text())}
    shell = {name for file in tracked(*SHELL) for name in in_shell((REPOSITORY / file).read_text())}
    return {name.removesuffix("_FILE") if name.removesuffix("_FILE") in BY_NAME else name for name in python | shell}


def test_every_variable_that_is_read_is_declared() -> None:
    kept = {variable.name for variable in settings_page.retention_variables()}
    assert read() - OF_TESTS - BY_NAME.keys() - kept == set()


def test_every_declared_variable_is_read() -> None:
    # made from a role's name; set by the testbed's program; read by boto3, a scheduler or a desktop
    elsewhere = {"EYELEVEL_DEMO_RESEARCHER_PASSWORD", "EYELEVEL_DEMO_ADMIN_PASSWORD"}
    elsewhere |= {"EYELEVEL_STACK", "EYELEVEL_NETWORK", "EYELEVEL_HOSTS"}
    ours = {name for name in BY_NAME if name.startswith("EYELEVEL_")}
    assert ours - elsewhere - read() == set()
    text = "".join((REPOSITORY / file).read_text() for file in (*tracked(*PRODUCT), "docker-compose.yml"))
    assert [name for name in BY_NAME if name not in ours and name not in text] == []


def test_a_variable_that_is_not_declared_is_found() -> None:
    assert list(in_python('os.environ["EYELEVEL_NEW"]; print("set EYELEVEL_OLD")')) == ["EYELEVEL_NEW"]
    assert list(in_shell('"${EYELEVEL_A:-1}" {$EYELEVEL_B:c} EYELEVEL_C')) == ["EYELEVEL_A", "EYELEVEL_B"]


def test_each_variable_is_declared_once() -> None:
    assert len(BY_NAME) == sum(map(len, GROUPS))


def test_defaults_in_the_shell_are_the_declared_ones() -> None:
    given = {
        match[1]: match[2]
        for file in ("backend/entrypoint", "backend/proxy/start")
        for match in re.finditer(rf"\$\{{({NAME.pattern}):-([^}}]*)\}}", (REPOSITORY / file).read_text())
    }
    of_platform = {variable.name: variable.default for variable in PLATFORM if variable.name in given}
    assert len(of_platform) == 4
    assert {name: given[name] for name in of_platform} == of_platform


def test_settings_tell_what_each_form_does_with_a_variable() -> None:
    page = (FOLDER / "settings.md").read_text()
    assert re.search(r"^\| `EYELEVEL_BIND` \| .* \| set by it \| set to `0\.0\.0\.0:8000` \|$", page, re.MULTILINE)
    assert re.search(r"^\| `EYELEVEL_WORKERS` \| `2` \| .* \| yes; default `1` \| yes \|$", page, re.MULTILINE)
    assert re.search(r"^\| `EYELEVEL_DEBUG` \| `0` \| .* \| yes \| no \|$", page, re.MULTILINE)
    assert "| `EYELEVEL_PORT` | `8000` |" in page


def test_a_secret_has_two_names() -> None:
    assert Variable("KEY", "opens", is_secret=True).names == ("KEY", "KEY_FILE")


@pytest.mark.parametrize(
    ("written", "shown"),
    [("1<=x<=9", "1 to 9"), ("x>=0", "at least 0"), ("0<=x<1", "0 to below 1"), ("0<x<=1", "above 0 to 1")],
)
def test_ranges_are_words(written: str, shown: str) -> None:
    assert commands_page._range(written) == shown


def test_commands_have_options_defaults_values_and_statuses() -> None:
    page = (FOLDER / "commands.md").read_text()
    assert "| `-o`, `--out X.warc.gz` | File of the recording; its folder must exist. | required |  |" in page
    assert "| `--device` | " in page
    assert "| desktop | `desktop`, `phone` |" in page
    assert "| `--participants INTEGER` | Number of simulated participants. | 1 | 1 to 100000 |" in page
    assert [f"| {int(status)} | {status.meaning} |" in page for status in Exit] == [True] * len(Exit)


def test_help_becomes_markdown() -> None:
    shown = commands_page.marked("All *.csv; see docs/reference/compare.md, or give --out or `--a*`.")
    assert shown == "All \\*.csv; see [docs/reference/compare.md](compare.md), or give `--out` or `--a*`."


def test_both_layouts_of_the_testbed_are_read() -> None:
    long = "      --seed <N>\n          Seed of losses; default: a random one\n\n      --json\n          Print JSON\n"
    short = "      --seed <N>  Seed of losses [default: 0]\n  -h, --help      Print help\n"
    assert testbed_page._rows(long, "run") == [
        ("`--seed <N>`", "Seed of losses", "a random one"),
        ("`--json`", "Print JSON", ""),
    ]
    assert testbed_page._rows(short, "run") == [("`--seed <N>`", "Seed of losses", "0")]
    assert testbed_page._rows("      --to <URL>  Where\n", "run --to <URL>") == [("`--to <URL>`", "Where", "required")]
