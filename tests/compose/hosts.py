"""Two web servers and two workers in containers, each killed once while people vote: no vote is lost or doubled."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import s3_stores
from bench.faults import stored
from bench.faults.ledger import Ledger, judge
from cluster.voting import GIVEN, Crowd, Receipts, study_text, until, vote
from compose.containers import compose, eyelevel, wait_until, wait_until_healthy
from compose.walk import SAMPLE, make_accounts

PEOPLE = 200
# slow enough for four containers to come back one after the other
THINK_S = 30.0
SCALE = ("--scale", "web=2", "--scale", "worker=2")
BUCKET = {
    "EYELEVEL_STORE": f"s3://{s3_stores.BUCKET}/platform",
    "AWS_ENDPOINT_URL": "http://store:7070",
    "AWS_ACCESS_KEY_ID": s3_stores.KEY,
    "AWS_SECRET_ACCESS_KEY": s3_stores.SECRET,
    "AWS_DEFAULT_REGION": s3_stores.REGION,
}


def containers(service: str) -> list[str]:
    return compose("ps", "-q", service).split()


def docker(*words: str) -> str:
    return subprocess.run(["docker", *words], capture_output=True, text=True, check=True).stdout.strip()


def is_healthy(container: str) -> bool:
    return docker("inspect", "-f", "{{.State.Health.Status}}", container) == "healthy"


def demand_own_volumes() -> None:
    """No two containers of the platform have a volume in common."""
    mounts = [
        mount["Name"]
        for service in ("web", "worker", "in-depth", "beat", "proxy")
        for container in containers(service)
        for mount in json.loads(docker("inspect", "-f", "{{json .Mounts}}", container))
        if mount["Type"] == "volume"
    ]
    if len(mounts) != len(set(mounts)) or len(containers("web")) != 2 or len(containers("worker")) != 2:
        raise SystemExit(f"Expected two web servers and two workers with separate volumes, but found: {sorted(mounts)}")


async def kill(receipts: Receipts) -> None:
    """A web server, a worker, and the other ones, each while people vote."""
    given = PEOPLE * GIVEN
    kills = [container for pair in zip(containers("web"), containers("worker"), strict=True) for container in pair]
    for number, container in enumerate(kills, start=1):
        await until(receipts, number * given // (len(kills) + 2))
        await asyncio.to_thread(docker, "kill", container)
        await asyncio.to_thread(docker, "start", container)
        await asyncio.to_thread(wait_until, lambda name=container: is_healthy(name), f"{container} is healthy")
        print(f"killed and back: {container[:12]} after {receipts()} votes", flush=True)
    if receipts() >= given:
        raise SystemExit("People had voted before all containers were killed.")


def main() -> None:
    url = sys.argv[1]
    os.environ |= BUCKET
    compose("up", "-d", *SCALE)
    wait_until_healthy(url)
    demand_own_volumes()
    tokens = make_accounts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "study.yaml").write_text(study_text(PEOPLE), encoding="utf-8")
        eyelevel("push", SAMPLE, "--to", url, token=tokens["batches"])
        study = json.loads(eyelevel("study", "publish", folder / "study.yaml", "--to", url, token=tokens["studies"]))
        ledger = Ledger(folder / "ledger.jsonl")
        crowd = Crowd(url, study["fieldings"][0]["slug"], PEOPLE, THINK_S)
        unfinished = asyncio.run(vote(crowd, ledger, kill))
    votes, receipts = ledger.deeds["vote"], ledger.receipts["vote"]
    with stored.researcher(url, tokens["studies"]) as client:
        verdict = judge(votes, receipts, stored.exported(client, study["sha256"], votes=len(votes)))
    query = "SELECT count(*), count(DISTINCT id) FROM ratings_vote"
    rows = compose("exec", "-T", "postgres", "psql", "-U", "eyelevel", "-AtF", " ", "-c", query).split()
    if unfinished or not verdict.ok or rows != 2 * [str(PEOPLE * GIVEN)]:
        raise SystemExit(f"{unfinished[:5]} did not finish; {verdict}; in the database {rows}")
    print(f"{len(votes)} votes: none lost, none doubled; every web server and worker was killed once")


if __name__ == "__main__":
    main()
