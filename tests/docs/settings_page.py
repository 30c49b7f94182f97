"""Makes docs/reference/settings.md from the declared variables, and from what serve and compose do with them."""

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

import yaml
from docs.markdown import REPOSITORY
from docs.tables import page, paragraph, table

from embedded.data_folder import Layout
from embedded.platform import Platform
from eyelevel_core.variables import COMMANDS, CONTAINERS, IN_THE_TESTBED, INTERNAL, PLATFORM, STORES, Variable
from lib.kept import KINDS

COMPOSE = ("docker-compose.yml", "docker-compose.tls.yml")
# where programs of containers that are not ours read theirs, with the defaults that stand there
OTHERS = ("backend/proxy/start", "deploy/Caddyfile")
GIVEN = re.compile(r"\$\{(\w+):-([^}]*)\}|\{\$(\w+):([^}]+)\}")
YES = "yes"
NO = "no"
BUCKET = "s3://bucket/prefix"


def retention_variables() -> list[Variable]:
    """The variables by which an operator changes how long data are kept."""
    return [
        Variable(kind.setting, f"days until the platform deletes {kind.due}", str(kind.days))
        for kind in KINDS
        if kind.setting
    ]


def settings_page() -> str:
    served, composed = passed_by_serve(), composed_settings()
    platform = [
        (
            _names(variable),
            _default(variable),
            variable.meaning,
            served.get(variable.name, NO),
            composed.get(variable.name, NO),
        )
        for variable in (*PLATFORM, *retention_variables(), *STORES)
    ]
    defaults = defaults_of_containers()
    return page(
        "# Settings",
        paragraph(
            "Every environment variable that Eyelevel reads. This page is generated from "
            "`pipeline/eyelevel_core/variables.py` by `make reference`; do not edit it."
        ),
        paragraph(
            "An empty variable counts as unset. Flags are 1 (`true`, `yes`, `on`) or 0 (`false`, `no`, `off`). With an "
            "invalid value, the program does not start, and the message names the variable. A secret can be in a file: "
            "set `NAME_FILE` to the path instead of `NAME` to the value."
        ),
        "## Platform",
        paragraph(
            "Set these in the environment of `eyelevel serve`, in `.env` beside `docker-compose.yml`, or in the "
            "environment of each service ([several hosts](../guides/several-hosts.md)). The last two columns say "
            "whether you can set a variable in that form, or to what the form sets it. "
            "[Privacy](../reference/privacy.md) explains for how long data are kept."
        ),
        table(("variable", "default", "meaning", "`eyelevel serve`", "containers"), platform),
        "## Containers",
        paragraph("Set these in `.env`. [Run the platform in containers](../guides/containers.md) explains them."),
        paragraph(f"`EYELEVEL_DOMAIN` also sets these: {', '.join(f'`{name}`' for name in set_with_tls())}."),
        table(
            ("variable", "default", "meaning"),
            [
                (f"`{variable.name}`", _code(defaults.get(variable.name, "")), variable.meaning)
                for variable in CONTAINERS
            ],
        ),
        "## Commands",
        paragraph("Set these in the environment of the command. [Commands](commands.md) lists all options."),
        table(
            ("variable", "default", "meaning"),
            [(f"`{variable.name}`", _default(variable), variable.meaning) for variable in COMMANDS],
        ),
        "## In the testbed",
        paragraph("[`eyelevel testbed run`](testbed-commands.md#eyelevel-testbed-run) sets these for its command."),
        table(("variable", "meaning"), [(f"`{variable.name}`", variable.meaning) for variable in IN_THE_TESTBED]),
        "## Internal",
        paragraph("Commands set these for processes that they start. Do not set them."),
        table(("variable", "meaning"), [(f"`{variable.name}`", variable.meaning) for variable in INTERNAL]),
    )


def _names(variable: Variable) -> str:
    return ", ".join(f"`{name}`" for name in variable.names)


def _default(variable: Variable) -> str:
    return variable.unset or _code(variable.default)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def passed_by_serve() -> dict[str, str]:
    """Whether `eyelevel serve` passes on what is set, or to what it sets a variable."""
    every = (*PLATFORM, *retention_variables(), *STORES)
    unset = _environment({})
    found = {}
    for variable, given in zip(every, map(_environment, ({variable.name: "1.5"} for variable in every)), strict=True):
        default = unset.get(variable.name, variable.default)
        shown = YES if default == variable.default else f"yes; default {_code(default)}"
        if given[variable.name] == "1.5":
            found[variable.name] = shown
        else:
            bucket = _environment({variable.name: BUCKET})[variable.name] == BUCKET
            found[variable.name] = "yes, if it names a bucket" if bucket else "set by it"
    return found


def _environment(given: dict[str, str]) -> dict[str, str]:
    """What `eyelevel serve` gives its services, where only `given` is set."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, given, clear=True):
        return Platform(Layout(Path(folder)), "127.0.0.1", 8000, None).environment()


def composed_settings() -> dict[str, str]:
    """Whether the containers get what is set in .env, or to what docker-compose.yml sets a variable."""
    web: dict[str, str | None] = _services(COMPOSE[0])["web"]["environment"]
    found = {}
    for name, value in web.items():
        given = GIVEN.fullmatch(value or "")
        if value is None or (given and not given[2]):
            shown = YES
        elif given:
            shown = f"yes; default {_code(given[2])}"
        else:
            shown = f"set to {_code(value)}"
        found[name.removesuffix("_FILE")] = shown
    image = re.findall(r"(EYELEVEL_\w+)=(\S+)", (REPOSITORY / "backend/Dockerfile").read_text())
    return found | {name: f"set to {_code(value)}" for name, value in image}


def set_with_tls() -> list[str]:
    """Settings that docker-compose.tls.yml makes from the public name."""
    return list(_services(COMPOSE[1])["web"]["environment"])


def _services(file: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((REPOSITORY / file).read_text())["services"]
    return loaded


def defaults_of_containers() -> dict[str, str]:
    """Defaults that stand where docker compose, nginx's start and Caddy read a variable."""
    texts: Iterable[str] = ((REPOSITORY / file).read_text() for file in (*COMPOSE, *OTHERS))
    found = [match for text in texts for match in GIVEN.finditer(text)]
    return {match[1] or match[3]: match[2] or match[4] or "" for match in found}
