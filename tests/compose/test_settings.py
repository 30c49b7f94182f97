"""The containers get every setting that is documented, and nginx's limits follow those that it shares."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from docs.settings_page import retention_variables

from eyelevel_core.variables import PLATFORM, STORES

REPOSITORY = Path(__file__).resolve().parents[2]
BACKEND = REPOSITORY / "backend"
SERVICES = ("web", "worker", "in-depth", "beat")
# never set in the field, or decided by the container
NOT_PASSED = {"EYELEVEL_DEBUG"}
# a secret comes by one of two variables: NAME or NAME_FILE
FILE = "_FILE"
NAME = r"EYELEVEL_[A-Z0-9_]+"


def documented() -> set[str]:
    """The variables of the platform, in docs/reference/settings.md."""
    return {name for variable in (*PLATFORM, *retention_variables(), *STORES) for name in variable.names}


def secrets() -> set[str]:
    """The variables that the platform reads as secrets, from the environment or from a file."""
    text = "".join(
        (BACKEND / f"{file}.py").read_text() for file in ("config/settings", "config/environment", "lib/secret_values")
    )
    return set(re.findall(rf'secret\(\w+, "({NAME})"\)', text))


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())["services"]
    return loaded


def test_what_is_read_as_a_secret_is_declared_as_one() -> None:
    assert len(documented()) > 30
    assert secrets() == {variable.name for variable in PLATFORM if variable.is_secret}


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_gets_every_documented_variable(service: str) -> None:
    of_image = set(re.findall(rf"({NAME})=", (BACKEND / "Dockerfile").read_text()))
    passed = set(compose()[service]["environment"])
    either = {name.removesuffix(FILE) for name in passed}
    assert {name for name in documented() - of_image if name.removesuffix(FILE) not in either} == NOT_PASSED


def test_an_operators_value_reaches_the_services_unless_the_containers_decide_it() -> None:
    for name, value in compose()["web"]["environment"].items():
        if name.startswith("EYELEVEL_") and "$" in value:
            assert value.startswith(f"${{{name}:-"), f"{name} is {value}"


@pytest.mark.parametrize(("files", "limit"), [(None, 17), ("", 17), ("20000", 17), ("145000", 112)])
def test_nginx_takes_the_manifest_of_as_many_files_as_the_platform(
    tmp_path: Path, files: str | None, limit: int
) -> None:
    done = start(tmp_path, files)
    assert done.returncode == 0, done.stderr
    found = re.search(r"location = /api/batches \{[^}]*client_max_body_size (\d+)m;", done.stdout)
    assert found is not None
    assert int(found[1]) == limit
    # the platform's limit is 800 bytes for each file; what is a little longer gets its message
    assert int(found[1]) << 20 > 800 * int(files or 20_000)


@pytest.mark.parametrize("files", ["many", "-1", "0", "1e5"])
def test_nginx_does_not_start_with_a_number_of_files_that_is_none(tmp_path: Path, files: str) -> None:
    done = start(tmp_path, files)
    assert done.returncode == 2
    assert done.stderr == f"EYELEVEL_MAX_BATCH_FILES is '{files}', but must be a whole number above 0.\n"


def start(folder: Path, files: str | None) -> subprocess.CompletedProcess[str]:
    """Run the proxy's command with an nginx that prints its configuration."""
    program = folder / "nginx"
    program.write_text('#!/bin/sh\n[ "$1" = -c ] && cat "$2"\n')
    program.chmod(0o755)
    variables = {} if files is None else {"EYELEVEL_MAX_BATCH_FILES": files}
    env = {"PATH": f"{folder}:{os.defpath}", "TMPDIR": str(folder)} | variables
    return subprocess.run([BACKEND / "proxy" / "start"], env=env, capture_output=True, text=True, check=False)
