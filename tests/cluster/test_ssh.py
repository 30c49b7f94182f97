"""A campaign on three machines, by the loop over ssh of the guide, with real servers of OpenSSH."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.field import BLOCKS, Field, block_of
from cluster.hosts import HUB, Host, hosts

pytestmark = [pytest.mark.root, pytest.mark.stores, pytest.mark.ssh]

MACHINES = ("capture-1", "capture-2", "capture-3")


@pytest.fixture
def field() -> Iterator[Field]:
    folder = Path(tempfile.mkdtemp(prefix="eyl-"))
    folder.chmod(0o755)
    try:
        with hosts(MACHINES) as made:
            found = Field(folder, made[HUB], logs=lambda: logs(folder), variables={})
            keys(folder)
            for name in MACHINES:
                serve(made[name], folder, found.variables)
            client(folder, found.work / "bin" / "ssh", {name: made[name].address for name in MACHINES})
            for name in MACHINES:
                wait_for(found, name)
            yield found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keys(folder: Path) -> None:
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    (folder / "authorized").write_bytes((folder / "user.pub").read_bytes())
    for name in ("host", "user", "authorized"):
        (folder / name).chmod(0o600)


def serve(host: Host, folder: Path, variables: dict[str, str]) -> None:
    """Sshd on one machine; what a login has set is what the campaign needs."""
    given = " ".join(f'{name}="{value}"' for name, value in variables.items())
    configuration = folder / f"{host.name}.conf"
    configuration.write_text(
        f"HostKey {folder / 'host'}\nAuthorizedKeysFile {folder / 'authorized'}\nStrictModes no\nUsePAM no\n"
        f"PermitRootLogin prohibit-password\nPidFile none\nSetEnv {given}\n"
    )
    Path("/run/sshd").mkdir(exist_ok=True)
    sshd = shutil.which("sshd") or "/usr/sbin/sshd"
    host.start(sshd, "-D", "-e", "-f", configuration, log=folder / f"{host.name}.out")


def client(folder: Path, program: Path, addresses: dict[str, str]) -> None:
    """`ssh` on the path, which knows the machines by name."""
    lines = [f"Host {name}\n  HostName {address}\n" for name, address in addresses.items()]
    options = f"  User root\n  IdentityFile {folder / 'user'}\n  StrictHostKeyChecking no\n  LogLevel ERROR\n"
    (folder / "ssh.conf").write_text("".join(lines) + f"Host *\n{options}  UserKnownHostsFile /dev/null\n")
    program.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder / "ssh.conf"} "$@"\n')
    program.chmod(0o755)


def wait_for(field: Field, name: str) -> None:
    end = time.monotonic() + 30
    while field.hub.run(field.work / "bin" / "ssh", name, "true", **field.variables).returncode != 0:
        assert time.monotonic() < end, field.logs()
        time.sleep(0.1)


def logs(folder: Path) -> str:
    return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in folder.glob("*.out"))


def test_the_loop_of_the_guide_films_every_block_once(field: Field) -> None:
    script = block_of("ssh").replace("STORE=s3://films/demo LAST=11", f"LAST={BLOCKS - 1}")
    # a login begins in its home, and the campaign of this test is elsewhere
    script = script.replace("campaign.toml", str(field.work / "campaign.toml"))
    output = field.sh(script)
    assert f"{BLOCKS} of {BLOCKS} blocks are done" in output
    assert {result["name"] for result in field.complete()} == set(MACHINES)
    field.assert_all_once()
