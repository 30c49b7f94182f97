"""Files of deploy/serve, for `eyelevel serve` on a server: what they name exists, and the programs accept them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from docs import markdown, named

from eyelevel_core import variables

FOLDER = markdown.REPOSITORY / "deploy" / "serve"
UNITS = sorted(FOLDER.glob("*.service")) + sorted(FOLDER.glob("*.timer"))
VARIABLE = re.compile(r"\bEYELEVEL_\w+")
COMMAND = re.compile(r"^Exec\w+=(.*)", re.MULTILINE)
PROGRAM = "/opt/eyelevel/.venv/bin/eyelevel"


def commands(unit: Path) -> list[str]:
    return COMMAND.findall(unit.read_text())


def test_each_command_has_the_options_that_units_give_it() -> None:
    every = [command for unit in UNITS for command in commands(unit)]
    assert sum(PROGRAM in command for command in every) == 2
    text = "\n\n".join(f"    {command}" for command in every)
    assert named.faults(text, named.product()) == []


def test_each_variable_is_one_of_the_product() -> None:
    known = {name for variable in variables.PLATFORM for name in variable.names} | {"EYELEVEL_USER"}
    files = [path for path in FOLDER.iterdir() if path.is_file()]
    found = {name for path in files for name in VARIABLE.findall(path.read_text())}
    assert found - known == set()
    assert "EYELEVEL_REQUIRE_SECOND_FACTOR" in found


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace(PROGRAM, "/bin/true"))
    said = run("systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit.name) for unit in UNITS))
    # an unknown key is only a warning
    assert str(tmp_path) not in said


@pytest.mark.skipif(shutil.which("caddy") is None, reason="needs caddy, e.g. Debian's package")
def test_caddy_accepts_the_caddyfile() -> None:
    run("caddy", "validate", "--adapter", "caddyfile", "--config", str(FOLDER / "Caddyfile"))


@pytest.mark.skipif(None in (shutil.which("nginx"), shutil.which("openssl")), reason="needs nginx and openssl")
def test_nginx_accepts_the_server_blocks(tmp_path: Path) -> None:
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    new = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    run(*new, "-subj", "/CN=study.example.org", "-keyout", str(key), "-out", str(certificate))
    blocks = (FOLDER / "nginx.conf").read_text().replace("/etc/letsencrypt/live/study.example.org", str(tmp_path))
    # ports that an ordinary user may bind
    blocks = re.sub(r"(listen (?:\[::\]:)?)(80|443)\b", r"\g<1>18\2", blocks)
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\n{blocks}}}\n")
    run("nginx", "-t", "-q", "-c", str(whole))


def test_the_setup_of_a_server_builds_nothing_for_capture() -> None:
    command = ["make", "--no-print-directory", "--dry-run", "setup-server"]
    done = subprocess.run(command, cwd=markdown.REPOSITORY, capture_output=True, text=True, check=True)
    assert "cargo" not in done.stdout
    assert done.stdout.endswith('echo "Setup is complete. Next: . .venv/bin/activate && eyelevel serve"\n')


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr
