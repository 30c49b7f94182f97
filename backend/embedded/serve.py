"""`eyelevel serve`: runs the entire platform on this machine without installation or configuration."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path

import click

from embedded import mount_namespace
from embedded.data_folder import REPOSITORY, Layout, Running
from embedded.platform import Platform
from embedded.processes import ServerError, unprivileged_user
from embedded.supervisor import Supervisor
from eyelevel.errors import EyelevelError
from eyelevel_core.variables import default_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ServeError(EyelevelError):
    """The platform cannot be served; the message says what to do."""


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=REPOSITORY / "data",
    help="Folder of all data.  [default: data/ in the clone]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; the defaults are safe on loopback only.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--demo-accounts", is_flag=True, help="Create the accounts researcher and admin with stored random passwords."
)
def serve(data: Path, host: str, port: int, demo_accounts: bool) -> None:
    """Serve the platform: PostgreSQL, Valkey, web, two workers and beat under one supervisor, until Ctrl-C.

    Example: eyelevel serve --data /srv/eyelevel --port 8080
    """
    try:
        run(Layout(data.resolve()), host=host, port=port, demo_accounts=demo_accounts)
    except ServerError as error:
        raise ServeError(str(error)) from error


def run(layout: Layout, *, host: str, port: int, demo_accounts: bool) -> None:
    """Serve until a signal requests a stop."""
    if host not in LOOPBACK and not os.environ.get("EYELEVEL_ALLOWED_HOSTS"):
        raise ServerError(
            f"With --host {host}, other machines can reach the platform; set EYELEVEL_ALLOWED_HOSTS to its host names."
        )
    if (warning := exposure(host, os.environ)) is not None:
        click.echo(warning, err=True)
    user = unprivileged_user(os.environ.get("EYELEVEL_USER", default_of("EYELEVEL_USER")))
    layout.folder.mkdir(parents=True, exist_ok=True)
    mount_namespace.enter(needed=mount_namespace.needed_by_python(REPOSITORY, layout.folder), user=user)
    with layout.held():
        platform = Platform(layout, host, free_port(host, port), user)
        platform.make_folders()
        supervisor = Supervisor(
            platform.services(), say=lambda line: click.echo(f"  {line}", err=True), note=layout.note_services
        )
        supervisor.start()
        try:
            if demo_accounts:
                make_demo_accounts(platform)
            layout.note_running(Running(platform.url, os.getpid()))
            click.echo(f"Eyelevel runs at {platform.url}  (data in {layout.folder}; stop it with Ctrl-C)", err=True)
            supervisor.watch()
        finally:
            layout.running.unlink(missing_ok=True)
            supervisor.stop()
            layout.services.unlink(missing_ok=True)
        click.echo("All services have stopped.", err=True)


def exposure(host: str, env: Mapping[str, str]) -> str | None:
    """A warning if other machines can reach the platform, but no setting states that a proxy encrypts; else None."""
    names = [name.strip() for name in env.get("EYELEVEL_ALLOWED_HOSTS", "").split(",")]
    is_public = not all(name.strip("[]") in ("", *LOOPBACK) for name in names)
    is_encrypted = env.get("EYELEVEL_TRUSTED_PROXY", "").strip().lower() in ("1", "true", "yes", "on")
    if host in LOOPBACK or (is_public and is_encrypted):
        return None
    return (
        f"Warning: with --host {host}, other machines can reach the platform without encryption. Run it behind a proxy "
        "with TLS, and set EYELEVEL_ALLOWED_HOSTS to its public name and EYELEVEL_TRUSTED_PROXY=1 (see SECURITY.md)."
    )


def make_demo_accounts(platform: Platform) -> None:
    """Create accounts with stored passwords, and new tokens: secrets/researcher-password, secrets/batches-token etc."""
    layout = platform.layout
    passwords = {
        f"EYELEVEL_DEMO_{role.upper()}_PASSWORD": layout.secret(f"{role}-password", length_bytes=9)
        for role in ("researcher", "admin")
    }
    output = platform.manage("ensure_accounts", EYELEVEL_DEMO_ACCOUNTS="1", **passwords)
    for scope, token in json.loads(output)["tokens"].items():
        layout.keep_secret(f"{scope}-token", token)


def free_port(host: str, port: int) -> int:
    """`port` if it can be bound, or any free one for 0; raises ServerError if it is in use."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ServerError(
                f"Port {port} of {host} cannot be used ({error.strerror}); choose another with --port."
            ) from None
        bound: int = probe.getsockname()[1]
        return bound
