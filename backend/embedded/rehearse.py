"""`eyelevel rehearse`: takes a campaign and a study through all stages with simulated participants."""

import hashlib
import json
import math
import time
from pathlib import Path
from typing import Any

import click
import httpx

from embedded.data_folder import Layout
from embedded.export_file import download_export
from embedded.stages import (
    StageError,
    Steps,
    check_that_all_answers,
    refuse_second_start,
    run_stage,
    serve_until_interrupt,
    served,
    what_hinders_capture,
)
from eyelevel.errors import Exit

RESULTS_S = 1800.0
# of participants at once; `eyelevel simulate` takes no more
MOST_AT_ONCE = 200
# of the platform's interface
Answer = dict[str, Any]


@click.command()
@click.argument("campaign", metavar="CAMPAIGN.toml", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("study", metavar="STUDY.yaml", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for batch, platform data, export and report; created if missing, continued if it has some of them.",
)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of recordings that are not beside the campaign file.  [default: that of the campaign file]",
)
@click.option(
    "--training-site",
    metavar="SITE",
    help="Site of the campaign to practise with.  [default: that of the study, if the batch has it]",
)
@click.option(
    "--participants",
    default=20,
    show_default=True,
    type=click.IntRange(1, MOST_AT_ONCE),
    help="Number of simulated participants, all at the same time.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option("--exit-when-ready", is_flag=True, help="Stop everything and exit with 0 once the report is there.")
def rehearse(
    *,
    campaign: Path,
    study: Path,
    out: Path,
    recordings: Path | None,
    training_site: str | None,
    participants: int,
    port: int,
    exit_when_ready: bool,
) -> None:
    """Take a campaign and a study file through all stages, with simulated participants in real time.

    Captures the campaign, serves the platform, uploads the batch, publishes the study (fitted to the batch as by
    eyelevel study fit), lets simulated participants take part, closes the study, and downloads and analyses the export.
    Ends with the addresses of study and report, and serves the platform until Ctrl-C. Run it again to continue: what is
    done is not repeated. Needs root, as capture does.

    Example: eyelevel rehearse pipeline/campaigns/demo.toml fixtures/study-demo.yaml --out rehearsal
    """
    out = out.resolve()
    batch, fitted, report = out / "batch", out / "study.yaml", out / "report"
    layout, steps = Layout(out / "data"), Steps(7)
    if (obstacle := what_hinders_capture()) is not None:
        raise StageError(f"The campaign cannot be captured, since {obstacle}.")
    out.mkdir(parents=True, exist_ok=True)
    refuse_second_start(layout)
    steps.begin(f"Capture {campaign.name} and make the clips (what is already there is kept)")
    capture(campaign, batch, recordings)
    steps.begin("Start PostgreSQL, Valkey, web, workers and beat")
    with served(layout, port) as url:
        steps.begin("Send the batch to the platform")
        run_stage("push", str(batch), "--to", url, token=layout.secret("batches-token"))
        steps.begin(f"Fit {study.name} to the batch, and publish it")
        site = [] if training_site is None else ["--training-site", training_site]
        run_stage("study", "fit", str(study), "--batch", str(batch), "--out", str(fitted), *site)
        token = layout.secret("studies-token")
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=300) as client:
            published = publish(client, fitted, layout, url, participants=participants)
            desk = Desk(client, published["sha256"])
            slug = desk.open_link(published["fieldings"])
            check_that_all_answers(url, slug=slug)
            take_part(desk, url, slug, participants=participants, steps=steps, token=token)
            steps.begin("Close the study, wait for the results, and download the export")
            close(url, published["fieldings"], password=layout.secret("researcher-password"))
            desk.wait_for("/results", "fresh")
            desk.wait_for("/results/in-depth", "done")
            export = download_export(client, published["sha256"], origin="all", within_s=RESULTS_S)
            (out / "export.zip").write_bytes(export)
        steps.begin("Analyse the export")
        run_stage("analyse", str(out / "export.zip"), "--origin", "all", "--out", str(report))
        show_addresses(layout, url, slug=slug, sha256=published["sha256"], report=report, steps=steps)
        if not exit_when_ready:
            serve_until_interrupt()


def capture(campaign: Path, batch: Path, recordings: Path | None) -> None:
    """Capture, and go on with what there is where some runs have no take."""
    given = [] if recordings is None else ["--recordings", str(recordings)]
    try:
        run_stage("capture", str(campaign), "--out", str(batch), *given)
    except StageError as error:
        if error.status != Exit.FAILED or not (batch / "manifest.json").exists():
            raise
        click.echo("Some runs have no take, as the words above say; the study goes on without them.", err=True)


def publish(client: httpx.Client, fitted: Path, layout: Layout, url: str, *, participants: int) -> Answer:
    """The platform's answer to the study, which is kept: publishing again would open links that nobody needs."""
    kept, digest = layout.folder / "rehearsal.json", hashlib.sha256(fitted.read_bytes()).hexdigest()
    before = json.loads(kept.read_text()) if kept.exists() else {}
    if before.get("file_sha256") == digest:
        answer: Answer = before["answer"]
        if Desk(client, answer["sha256"]).simulated()[1] >= participants:
            return answer
    token = layout.secret("studies-token")
    answer = json.loads(run_stage("study", "publish", str(fitted), "--to", url, token=token, quiet=True))
    kept.write_text(json.dumps({"file_sha256": digest, "answer": answer}))
    return answer


class Desk:
    """What a researcher's program reads of one study."""

    def __init__(self, client: httpx.Client, sha256: str) -> None:
        self._client = client
        self._study = f"/api/research/studies/{sha256}"

    def read(self, path: str, **query: str | int) -> httpx.Response:
        """The answer to GET; StageError says what the platform said instead."""
        answer = self._client.get(self._study + path, params=query)
        if not answer.is_success:
            raise StageError(f"GET {answer.url.path} was answered with {answer.status_code}: {answer.text}")
        return answer

    def open_link(self, fieldings: list[Answer]) -> str:
        """The slug of the first group without a recruiter, whose id nobody has here."""
        for fielding in fieldings:
            slug = str(fielding["slug"])
            if self._client.get(f"/api/participate/{slug}").raise_for_status().json()["recruiter"] is None:
                return slug
        raise StageError("Every group of the study has a recruiter; add a group without one for the rehearsal.")

    def minutes(self, slug: str) -> int:
        """How long a participant takes, as the platform estimates it."""
        page = self._client.get(f"/api/participate/{slug}").raise_for_status().json()
        return math.ceil(float(page["seconds"]) / 60)

    def right_choices(self) -> list[str]:
        """As options of `eyelevel simulate`."""
        controls = self.read("").json()["study"]["study"]["controls"]
        return [f"--right={question['key']}={question['right']}" for question in controls["questions"]]

    def simulated(self) -> tuple[int, int]:
        """How many simulated sessions have begun, and how many are complete."""
        begun = complete = 0
        page = pages = 1
        while page <= pages:
            told = self.read("/conformance/sessions", origin="all", page=page).json()
            own = [row for row in told["sessions"] if row["origin"] == "simulated"]
            begun += len(own)
            complete += sum(row["state"] == "completed" for row in own)
            page, pages = page + 1, told["pages"]
        return begun, complete

    def wait_for(self, path: str, status: str) -> None:
        """Until results have this status: `fresh` where they contain every vote, `done` in depth."""
        end, part = time.monotonic() + RESULTS_S, ""
        while (found := self.read(path, origin="all").json())["status"] != status:
            if found["status"] == "failed" or time.monotonic() > end:
                says = f"{path} is {found['status']} and not {status} after {RESULTS_S:.0f} s at most"
                raise StageError(f"{says}; see the study's page, and the logs in the data folder.")
            if found.get("part", part) != part:
                part = found["part"]
                click.echo(f"  tables in depth, {found['parts_done'] + 1} of {found['parts']}: {part}", err=True)
            time.sleep(1)


def close(url: str, fieldings: list[Answer], *, password: str) -> None:
    """Close every link, which only a person may: until then a study has no answers."""
    with httpx.Client(base_url=url, timeout=60) as client:
        client.get("/api/auth/me")
        account = {"username": "researcher", "password": password}
        for path, body in [
            ("/api/auth/login", account),
            *((f"/api/research/fieldings/{one['slug']}/state", {"state": "closed"}) for one in fieldings),
        ]:
            # signing in changes the token
            headers = {"X-CSRFToken": client.cookies.get("csrftoken") or ""}
            answer = client.post(path, json=body, headers=headers)
            if not answer.is_success:
                raise StageError(f"POST {path} was answered with {answer.status_code}: {answer.text}")


def take_part(desk: Desk, url: str, slug: str, *, participants: int, steps: Steps, token: str) -> None:
    """Simulate the participants that are missing; those of an earlier start have other seeds."""
    begun, complete = desk.simulated()
    missing = max(0, participants - complete)
    there = f", {complete} are there" if complete else ""
    lasts = f"about {desk.minutes(slug)} minutes each, at the same time"
    steps.begin(f"{participants} simulated participants take part in real time ({lasts}{there})")
    if missing:
        people = ["--participants", str(missing), "--at-once", str(missing), "--seed", str(1 + begun)]
        run_stage("simulate", "--study", f"{url}/s/{slug}", "--real-time", *people, *desk.right_choices(), token=token)


def show_addresses(layout: Layout, url: str, *, slug: str, sha256: str, report: Path, steps: Steps) -> None:
    click.echo(
        f"""
The study is ready after {steps.seconds:.0f} s.

  Study         {url}/research/studies/{sha256}?origin=all
                user researcher, password {layout.secret("researcher-password")}
                (with simulated sessions; Preview shows what participants see)
  Participants  {url}/s/{slug}     (closed: else the study had no answers yet)
  Report        {report / "report.html"}
  Export        {report.parent / "export.zip"}
"""
    )
