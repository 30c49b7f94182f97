"""`eyelevel demo`: captures a small campaign, serves the platform, and publishes a study with it."""

import json
from pathlib import Path

import click

from embedded.data_folder import REPOSITORY, Layout
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

CAMPAIGN = REPOSITORY / "pipeline" / "campaigns" / "demo.toml"
SAMPLE = REPOSITORY / "fixtures" / "sample-batch"
STUDY = REPOSITORY / "fixtures" / "study-demo.yaml"


@click.command()
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=REPOSITORY / "data",
    help="Folder of all data.  [default: data/ in the clone]",
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port to listen on.")
@click.option("--exit-when-ready", is_flag=True, help="Stop everything and exit with 0 once all services answer.")
def demo(data: Path, port: int, exit_when_ready: bool) -> None:
    """Capture a small campaign, serve the platform, publish a study with it, and print three addresses.

    Example: eyelevel demo --port 8080
    """
    layout = Layout(data.resolve())
    steps = Steps(4)
    refuse_second_start(layout)
    batch = film(layout, steps)
    steps.begin("Start PostgreSQL, Valkey, web, workers and beat")
    with served(layout, port) as url:
        steps.begin("Send the batch to the platform")
        run_stage("push", str(batch), "--to", url, token=layout.secret("batches-token"))
        steps.begin("Publish the demo study")
        study = run_stage("study", "publish", str(STUDY), "--to", url, token=layout.secret("studies-token"), quiet=True)
        check_that_all_answers(url, slug=json.loads(study)["fieldings"][0]["slug"])
        show_addresses(layout, url, slug=json.loads(study)["fieldings"][0]["slug"], steps=steps)
        if not exit_when_ready:
            serve_until_interrupt()


def film(layout: Layout, steps: Steps) -> Path:
    """Capture a batch if this machine can, or else use the sample batch; returns its folder."""
    obstacle = what_hinders_capture()
    if obstacle is not None:
        steps.begin(f"Use the sample batch in fixtures/, since {obstacle}")
        return SAMPLE
    steps.begin(f"Capture {CAMPAIGN.relative_to(REPOSITORY)} (existing takes are kept)")
    batch = layout.folder / "demo-batch"
    batch.parent.mkdir(parents=True, exist_ok=True)
    try:
        run_stage("capture", str(CAMPAIGN), "--out", str(batch))
    except StageError:
        click.echo("Some runs have no take (see the messages above); using the sample batch in fixtures/ instead.")
        return SAMPLE
    return batch


def show_addresses(layout: Layout, url: str, *, slug: str, steps: Steps) -> None:
    researcher, admin = layout.secret("researcher-password"), layout.secret("admin-password")
    click.echo(
        f"""
Eyelevel is ready after {steps.seconds:.0f} s.

  Participant   {url}/s/{slug}
  Researcher    {url}/research     user researcher, password {researcher}
  Admin         {url}/admin        user admin, password {admin}
"""
    )
