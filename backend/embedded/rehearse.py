"""`eyelevel rehearse`: runs a campaign and a study through all stages with simulated participants."""

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
# maximum of participants at once; `eyelevel simulate` accepts no more
MOST_AT_ONCE = 200
# a JSON object from the platform's API
Answer = dict[str, Any]


@click.command()
@click.argument("campaign", metavar="CAMPAIGN.toml", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("study", metavar="STUDY.yaml", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for batch, platform data, export and report; created if missing, reused if it has some of them.",
)
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of the recordings.  [default: folder of the campaign file]",
)
@click.option(
    "--training-site",
    metavar="SITE",
    help="Site of the campaign for training trials.  [default: the study's, if the batch has it]",
)
@click.option(
    "--participants",
    default=20,
    show_default=True,
    type=click.IntRange(1, MOST_AT_ONCE),
    help="Number of simulated participants, who take part at the same time.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option("--exit-when-ready", is_flag=True, help="Stop everything and exit with 0 once the report is complete.")
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
    """Run a campaign and a study file through all stages, with simulated participants in real time.

    Captures the campaign, serves the platform, uploads the batch, publishes the study (fitted to the batch as by
    eyelevel study fit), simulates participants, closes the study, and downloads and analyses the export. Then prints
    the addresses of study and report, and serves the platform until Ctrl-C. To continue after an interruption, run the
    command again: completed steps are not repeated. Requires root, as capture does.

    Example: eyelevel rehearse pipeline/campaigns/demo.toml fixtures/study-demo.yaml --out rehearsal
    """
    out = out.resolve()
    batch, fitted, report = out / "batch", out / "study.yaml", out / "report"
    layout, steps = Layout(out / "data"), Steps(7)
    if (obstacle := what_hinders_capture()) is not None:
        raise StageError(f"The campaign cannot be captured, since {obstacle}.")
    out.mkdir(parents=True, exist_ok=True)
    refuse_second_start(layout)
    steps.begin(f"Capture {campaign.name} and make the clips (existing takes are kept)")
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
    """Capture the campaign; continues if some runs have no take."""
    given = [] if recordings is None else ["--recordings", str(recordings)]
    try:
        run_stage("capture", str(campaign), "--out", str(batch), *given)
    except StageError as error:
        if error.status != Exit.FAILED or not (batch / "manifest.json").exists():
            raise
        click.echo("Some runs have no take (see the messages above); the study continues without them.", err=True)


def publish(client: httpx.Client, fitted: Path, layout: Layout, url: str, *, participants: int) -> Answer:
    """Publish the study; returns the platform's answer, which is stored, because publishing again opens new links."""
    record, digest = layout.folder / "rehearsal.json", hashlib.sha256(fitted.read_bytes()).hexdigest()
    before = json.loads(record.read_text()) if record.exists() else {}
    if before.get("file_sha256") == digest:
        answer: Answer = before["answer"]
        if Desk(client, answer["sha256"]).simulated()[1] >= participants:
            return answer
    token = layout.secret("studies-token")
    answer = json.loads(run_stage("study", "publish", str(fitted), "--to", url, token=token, quiet=True))
    record.write_text(json.dumps({"file_sha256": digest, "answer": answer}))
    return answer


class Desk:
    """Client of the researcher's API for one study."""

    def __init__(self, client: httpx.Client, sha256: str) -> None:
        self._client = client
        self._study = f"/api/research/studies/{sha256}"

    def read(self, path: str, **query: str | int) -> httpx.Response:
        """The response to GET; raises StageError with the platform's message if it fails."""
        answer = self._client.get(self._study + path, params=query)
        if not answer.is_success:
            raise StageError(f"GET {answer.url.path} returned status {answer.status_code}: {answer.text}")
        return answer

    def open_link(self, fieldings: list[Answer]) -> str:
        """The slug of the first group without a recruiter, because simulated participants have no recruiter's id."""
        for fielding in fieldings:
            slug = str(fielding["slug"])
            if self._client.get(f"/api/participate/{slug}").raise_for_status().json()["recruiter"] is None:
                return slug
        raise StageError("Every group of the study has a recruiter; add a group without one for the rehearsal.")

    def minutes(self, slug: str) -> int:
        """The platform's estimate of a session's duration."""
        page = self._client.get(f"/api/participate/{slug}").raise_for_status().json()
        return math.ceil(float(page["seconds"]) / 60)

    def right_choices(self) -> list[str]:
        """The right answers of control questions, as options of `eyelevel simulate`."""
        controls = self.read("").json()["study"]["study"]["controls"]
        return [f"--right={question['key']}={question['right']}" for question in controls["questions"]]

    def simulated(self) -> tuple[int, int]:
        """The numbers of simulated sessions that have begun and that are complete."""
        begun = complete = 0
        page = pages = 1
        while page <= pages:
            body = self.read("/conformance/sessions", origin="all", page=page).json()
            rows = [row for row in body["sessions"] if row["origin"] == "simulated"]
            begun += len(rows)
            complete += sum(row["state"] == "completed" for row in rows)
            page, pages = page + 1, body["pages"]
        return begun, complete

    def wait_for(self, path: str, status: str) -> None:
        """Wait until results have this status: `fresh` if they contain every vote, `done` for tables in depth."""
        end, part = time.monotonic() + RESULTS_S, ""
        while (body := self.read(path, origin="all").json())["status"] != status:
            if body["status"] == "failed" or time.monotonic() > end:
                state = f"{path} has the status {body['status']}, and did not reach {status} within {RESULTS_S:.0f} s"
                raise StageError(f"{state}; see the study's page, and the logs in the data folder.")
            if body.get("part", part) != part:
                part = body["part"]
                click.echo(f"  tables in depth, {body['parts_done'] + 1} of {body['parts']}: {part}", err=True)
            time.sleep(1)


def close(url: str, fieldings: list[Answer], *, password: str) -> None:
    """Close every link with a person's account, which is required; before that, hypotheses have no answers."""
    with httpx.Client(base_url=url, timeout=60) as client:
        client.get("/api/auth/me")
        account = {"username": "researcher", "password": password}
        for path, body in [
            ("/api/auth/login", account),
            *((f"/api/research/fieldings/{fielding['slug']}/state", {"state": "closed"}) for fielding in fieldings),
        ]:
            # the sign-in changes the token
            headers = {"X-CSRFToken": client.cookies.get("csrftoken") or ""}
            answer = client.post(path, json=body, headers=headers)
            if not answer.is_success:
                raise StageError(f"POST {path} returned status {answer.status_code}: {answer.text}")


def take_part(desk: Desk, url: str, slug: str, *, participants: int, steps: Steps, token: str) -> None:
    """Simulate the missing participants, with seeds that no earlier run has used."""
    begun, complete = desk.simulated()
    missing = max(0, participants - complete)
    already = f", {complete} already completed" if complete else ""
    lasts = f"about {desk.minutes(slug)} minutes each, at the same time"
    steps.begin(f"{participants} simulated participants take part in real time ({lasts}{already})")
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
  Participants  {url}/s/{slug}     (closed, because hypotheses are answered only then)
  Report        {report / "report.html"}
  Export        {report.parent / "export.zip"}
"""
    )
