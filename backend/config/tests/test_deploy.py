"""The settings of a public platform, as docker-compose.yml sets them, each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
PUBLIC = {
    "EYELEVEL_ALLOWED_HOSTS": "study.example.org",
    "EYELEVEL_PUBLIC_URL": "https://study.example.org",
    "EYELEVEL_SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz-of-nobody-at-all",
    "EYELEVEL_TRUSTED_PROXY": "1",
}
NAMES = (
    *("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS"),
    *("SECURE_SSL_REDIRECT", "DEBUG"),
)


def settings(**changes: str) -> dict[str, Any]:
    program = (
        "import json, django; django.setup(); from django.conf import settings; from ratings.cookies import PREFIX;"
        f"print(json.dumps({{name: getattr(settings, name) for name in {NAMES!r}}} | {{'COOKIE': PREFIX}}))"
    )
    values: dict[str, Any] = json.loads(run("-c", program, **PUBLIC | changes).stdout)
    return values


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("EYELEVEL_")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=REPOSITORY / "backend",
        env=inherited | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def check_deploy(*operator: str) -> subprocess.CompletedProcess[str]:
    return run(str(REPOSITORY / ".ci" / "check-deploy"), *operator)


def test_djangos_own_check_finds_nothing_in_a_public_platform() -> None:
    done = check_deploy()
    assert (done.returncode, done.stdout) == (0, "System check identified no issues (1 silenced).\n"), done.stderr


@pytest.mark.parametrize(
    ("setting", "finding"),
    [
        ("EYELEVEL_SECURE_COOKIES=0", "security.W012"),
        ("EYELEVEL_SECRET_KEY=short", "security.W009"),
        ("EYELEVEL_SECRET_KEY=only-for-loopback", "EYELEVEL_SECRET_KEY is a publicly known value"),
        ("EYELEVEL_DATABASE_PASSWORD=postgres", "EYELEVEL_DATABASE_PASSWORD is a publicly known value"),
        ("EYELEVEL_MAX_BATCH_FILES=x", "EYELEVEL_MAX_BATCH_FILES is 'x'"),
        ("EYELEVEL_DEBUG=1", ""),
    ],
)
def test_the_check_does_find(setting: str, finding: str) -> None:
    done = check_deploy(setting)
    # docker-compose.yml passes no EYELEVEL_DEBUG on, whatever an operator writes
    assert (done.returncode != 0) == bool(finding)
    assert finding in done.stderr


def test_a_public_platform_has_cookies_of_its_host_and_https_alone() -> None:
    assert settings() == {
        "SESSION_COOKIE_NAME": "__Host-sessionid",
        "CSRF_COOKIE_NAME": "__Host-csrftoken",
        "COOKIE": "__Host-eyelevel_session_",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_HSTS_SECONDS": 365 * 24 * 3600,
        "SECURE_SSL_REDIRECT": True,
        "DEBUG": False,
    }


def test_on_loopback_http_goes_on_to_work() -> None:
    values = settings(EYELEVEL_ALLOWED_HOSTS="localhost", EYELEVEL_TRUSTED_PROXY="0")
    assert (values["COOKIE"], values["SECURE_SSL_REDIRECT"], values["SECURE_HSTS_SECONDS"]) == (
        "eyelevel_session_",
        False,
        0,
    )


def test_debug_pages_are_refused_to_the_world() -> None:
    done = run("-c", "import django; django.setup()", **PUBLIC, EYELEVEL_DEBUG="1")
    assert "EYELEVEL_DEBUG is 1, which shows settings to visitors" in done.stderr


@pytest.mark.parametrize(
    "exposed", [{"EYELEVEL_ALLOWED_HOSTS": "study.example.org"}, {"EYELEVEL_BIND": "0.0.0.0:8000"}]
)
def test_without_a_secret_the_platform_starts_on_loopback_alone(exposed: dict[str, str]) -> None:
    program = "import django; django.setup()"
    assert run("-c", program, EYELEVEL_BIND="127.0.0.1:8000").returncode == 0
    done = run("-c", program, **exposed)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "EYELEVEL_SECRET_KEY is missing, but other machines can reach this platform; run deploy/make-secrets."
    )


@pytest.mark.parametrize(("store", "sent_by_nginx"), [("/data", True), ("s3://films/eyelevel", False)])
def test_nginx_sends_files_of_the_blob_folder_and_none_of_a_bucket(store: str, sent_by_nginx: bool) -> None:
    program = "import django; django.setup(); from django.conf import settings; print(settings.X_ACCEL)"
    done = run("-c", program, **PUBLIC, EYELEVEL_X_ACCEL="1", EYELEVEL_STORE=store)
    assert done.stdout == f"{sent_by_nginx}\n", done.stderr
