"""docker-compose.yml: limits and rights of each container, and secrets that no file of the repository has."""

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = ("docker-compose.yml", "docker-compose.tls.yml")
SECRETS = {"secret-key", "database-password", "redis-password"}
RANDOM = "/proc/sys/kernel/random/uuid"
LOADED = {name: yaml.safe_load((REPOSITORY / name).read_text()) for name in FILES}
# those of the second file that only add settings to the first have no image
SERVICES = {
    name: service for loaded in LOADED.values() for name, service in loaded["services"].items() if "image" in service
}


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_has_no_more_than_it_needs(service: str) -> None:
    settings = SERVICES[service]
    assert settings["read_only"] is True
    assert settings["cap_drop"] == ["ALL"]
    assert "cap_add" not in settings
    assert settings["security_opt"] == ["no-new-privileges:true"]
    assert settings["pids_limit"] > 0
    assert settings["mem_limit"].startswith("${EYELEVEL_")
    assert settings["logging"] == {"driver": "json-file", "options": {"max-size": "10m", "max-file": "3"}}
    assert settings["healthcheck"]["test"][0].startswith("CMD")


@pytest.mark.parametrize("service", SERVICES)
def test_a_container_runs_without_root(service: str) -> None:
    settings: dict[str, Any] = SERVICES[service]
    if "build" in settings:
        text = (REPOSITORY / settings["build"]["dockerfile"]).read_text()
        user = text.rpartition("\nUSER ")[2].split()[0]
    else:
        user = settings["user"]
    assert user not in ("", "0", "root", "0:0")


def test_the_platforms_role_is_no_superuser() -> None:
    """`tests/compose/rights.py` asks the running server."""
    script = (REPOSITORY / "deploy" / "make-role.sh").read_text()
    assert "CREATE ROLE eyelevel LOGIN CREATEDB PASSWORD" in script
    assert "SUPERUSER" not in script
    assert "./deploy/make-role.sh:/docker-entrypoint-initdb.d/make-role.sh:ro" in SERVICES["postgres"]["volumes"]


def test_only_tls_listens_beyond_loopback() -> None:
    beyond = {
        name
        for name, settings in SERVICES.items()
        for port in settings.get("ports", ())
        if not port.startswith("127.0.0.1:")
    }
    assert beyond == {"caddy"}


def test_no_secret_stands_in_a_file() -> None:
    for settings in SERVICES.values():
        for name, value in settings.get("environment", {}).items():
            if any(word in name for word in ("PASSWORD", "SECRET", "TOKEN")):
                assert value is None or value.startswith(("/run/secrets/", RANDOM)) or value == f"${{{name}:-}}", name
    files = {name: settings["file"] for name, settings in LOADED["docker-compose.yml"]["secrets"].items()}
    assert files == {name: f"${{EYELEVEL_SECRETS:-./deploy/secrets}}/{name}" for name in SECRETS}


def test_secrets_history_and_tests_stay_out_of_images() -> None:
    left_out = set((REPOSITORY / ".dockerignore").read_text().split())
    assert {".git", ".env", "deploy/secrets", "data", "var"} <= left_out
    assert {"backend/*/tests", "backend/testing", "pipeline/tests"} <= left_out


def make_secrets(folder: Path) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "EYELEVEL_SECRETS": str(folder)}
    return subprocess.run(
        [REPOSITORY / "deploy" / "make-secrets"], env=env, capture_output=True, text=True, check=False
    )


def test_secrets_are_random_and_stay(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    # as Docker leaves it where a file is missing
    (folder / "secret-key").mkdir(parents=True)
    assert make_secrets(folder).returncode == 0
    secrets = {file.name: file.read_text() for file in folder.iterdir()}
    assert secrets.keys() == SECRETS
    assert len(set(secrets.values())) == len(SECRETS)
    assert all(len(value) == 60 and value.isalnum() for value in secrets.values())
    # nobody else enters the folder; the containers' users read the files
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o444}
    (folder / "redis-password").unlink()
    output = make_secrets(folder).stdout
    assert [line.rpartition("/")[2] for line in output.splitlines()] == [
        "secret-key stays", "database-password stays", "redis-password made",
    ]  # fmt: skip
    assert (folder / "secret-key").read_text() == secrets["secret-key"]


def test_a_folder_with_contents_in_place_of_a_secret_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret-key").mkdir()
    (tmp_path / "secret-key" / "mine").touch()
    done = make_secrets(tmp_path)
    assert done.returncode == 1
    assert f"{tmp_path}/secret-key is a folder; move it away, and run this again.\n" in done.stderr
