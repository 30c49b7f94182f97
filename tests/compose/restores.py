"""Follows the guides to backup, restore, upgrade and operation with the containers that run."""

import json
import sys
import tempfile
from pathlib import Path

from compose.containers import compose, demand_refused, follow, wait_until_healthy

BACKUP, UPGRADE, OPERATE = "back-up-and-restore.md", "upgrade.md", "operate.md"


def votes() -> int:
    return int(compose("exec", "-T", "postgres", "psql", "-U", "eyelevel", "-Atc", "SELECT count(*) FROM ratings_vote"))


def state() -> dict[str, object]:
    """What `status` says; it fails where something needs attention."""
    status: dict[str, object] = json.loads(compose("exec", "-T", "web", "./entrypoint", "status", "--json"))
    return status


def check_restores(url: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = votes()
        follow(BACKUP, "entrypoint backup", folder=folder)
        file = folder / "eyelevel.backup"
        if file.stat().st_size < 1 << 20:
            raise SystemExit(f"The backup has {file.stat().st_size} bytes.")
        drilled = follow(BACKUP, "restore --drill", folder=folder)
        _demand(drilled, "can log in")
        compose("exec", "-T", "postgres", "psql", "-U", "eyelevel", "-c", "UPDATE studies_study SET name = 'changed'")
        follow(BACKUP, "stop worker", folder=folder)
        restored = follow(BACKUP, "restore - --replace", folder=folder)
        _demand(restored, f"Restored: {before:,} votes")
        follow(BACKUP, "up -d", folder=folder)
        wait_until_healthy(url)
        _demand_name(changed=False)
        follow(BACKUP, "restore --undo", folder=folder)
        _demand_name(changed=True)
        follow(UPGRADE, "restore --undo", folder=folder)
        _demand_name(changed=False)
        (folder / "cut").write_bytes(file.read_bytes()[:-200_000])
        restore = ("exec", "-T", "web", "./entrypoint", "restore", "-", "--replace")
        demand_refused(*restore, words="The backup is truncated", stdin=folder / "cut")
        output = follow(OPERATE, "entrypoint status", folder=folder)
        _demand(output, "PostgreSQL")
    found = state()
    if found["warnings"]:
        raise SystemExit(f"status has warnings: {found['warnings']}")
    print(f"backup, restore, undo and drill of {before} votes in the containers")


def _demand(text: str, words: str) -> None:
    if words not in text:
        raise SystemExit(f"{words!r} is missing in: {text[-2000:]}")


def _demand_name(*, changed: bool) -> None:
    found = compose("exec", "-T", "postgres", "psql", "-U", "eyelevel", "-Atc", "SELECT name FROM studies_study")
    if ("changed" in found) != changed:
        raise SystemExit(f"The study is called {found.strip()!r}, though changed is {changed}.")


if __name__ == "__main__":
    check_restores(sys.argv[1])
