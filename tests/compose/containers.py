"""The containers of docker-compose.yml as the checks reach them, and the commands of the guides as people type them."""

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

REPOSITORY = Path(__file__).resolve().parents[2]
GUIDES = REPOSITORY / "docs" / "guides"
SERVICES = ("postgres", "redis", "web", "worker", "in-depth", "beat", "proxy", "caddy")
READY_S = 240.0
COMPOSE = os.environ.get("COMPOSE", "docker compose")


def compose(*arguments: str) -> str:
    """Run docker compose; its standard output, or SystemExit with all that it said."""
    done = subprocess.run([*shlex.split(COMPOSE), *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        said = (done.stdout[-1500:] + done.stderr[-3000:]).decode(errors="replace")
        raise SystemExit(f"docker compose {shlex.join(arguments)} ended with {done.returncode}: {said}")
    return done.stdout.decode(errors="replace")


def demand_refused(*arguments: str, words: str, stdin: Path | None = None, **env: str) -> None:
    """Run docker compose, which must fail with these words; raise SystemExit where it does not."""
    done = subprocess.run(
        [*shlex.split(COMPOSE), *arguments],
        stdin=stdin.open("rb") if stdin else subprocess.DEVNULL,
        env={**os.environ, **env}, capture_output=True, check=False,
    )  # fmt: skip
    said = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode == 0 or words not in said:
        raise SystemExit(f"docker compose {shlex.join(arguments)} was not refused with {words!r}: {said[-3000:]}")
    print(f"refused: {words}")


def follow(guide: str, words: str, *, folder: Path, env: dict[str, str] | None = None) -> str:
    """Run the command for containers of a guide that has these words, as a person types it; what it printed."""
    text = (GUIDES / guide).read_text()
    lines = re.findall(r"^ {4}(?:\w+=\S+ )*docker compose .*$|`docker compose [^`]*`", text, re.MULTILINE)
    found = [line for line in dict.fromkeys(line.strip(" `") for line in lines) if words in line]
    exact = [line for line in found if line.endswith(f"docker compose {words}")] or found
    if len(exact) != 1:
        raise SystemExit(f"{guide} has {len(exact)} commands of docker compose with {words!r}, not one: {exact}")
    # the check has a project, files and a folder of its own; the rest is the guide's
    command = exact[0].replace("docker compose", COMPOSE)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"`{exact[0]}` of {guide} ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    print(f"{guide}: {exact[0]}")
    return done.stdout + done.stderr


def inspect(service: str) -> dict[str, object]:
    container = compose("ps", "-q", service).split()[0]
    output = subprocess.run(["docker", "inspect", container], capture_output=True, text=True, check=True).stdout
    facts: dict[str, object] = json.loads(output)[0]
    return facts


def health(service: str) -> str:
    state = inspect(service)["State"]
    assert isinstance(state, dict)
    return str(state["Health"]["Status"])


def wait_until(holds: Callable[[], bool], what: str, *, within_s: float = READY_S) -> None:
    end = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {within_s:.0f} s.")
        time.sleep(1)


def wait_until_healthy(url: str) -> None:
    def answers() -> bool:
        try:
            return httpx.get(f"{url}/api/health", timeout=5).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    wait_until(answers, f"{url}/api/health answers 200")


def eyelevel(*arguments: str | Path, token: str = "", env: dict[str, str] | None = None) -> str:
    """Run a command of `eyelevel` on this machine; its standard output."""
    command = [sys.executable, "-m", "eyelevel", *map(str, arguments)]
    environment = {**os.environ, "EYELEVEL_TOKEN": token, **(env or {})}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
