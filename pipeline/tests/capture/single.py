"""One run of a fixture site, ready to be attempted without the command around it."""

from pathlib import Path

from eyelevel.built import find_testbed
from eyelevel.capture.attempts.attempt import CaptureContext
from eyelevel.capture.command import WATCH
from eyelevel.capture.planning.campaign_file import read_campaign
from eyelevel.capture.planning.networks import networks
from eyelevel.capture.planning.runs import expand
from eyelevel.loads.worker import CaptureWorker
from eyelevel.stacks import stacks
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.model.run import Run

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
CAMPAIGN = f"""
contract = "eyelevel/campaign/1"
name = "busy"
seed = 3
networks = ["DSL"]
stacks = ["TCP+"]
quiet_ms = 400
viewport = {{ width_px = 640, height_px = 360 }}
[[sites]]
name = "garden"
recording = "{FIXTURES / "garden.warc.gz"}"
"""


def prepared(folder: Path) -> tuple[CaptureContext, Run]:
    file = folder / "campaign.toml"
    file.write_text(CAMPAIGN)
    source, testbed = read_campaign(file, None), find_testbed()
    (site,) = source.sites
    known = networks(testbed, source, folder / "networks")
    digests = {name: network.digest for name, network in known.items()}
    context = CaptureContext(
        batch=BatchFolder(folder / "batch"),
        campaign=source.campaign,
        sites=source.sites,
        testbed=testbed,
        worker=CaptureWorker(folder / "batch" / ".attempts", watch=WATCH),
        networks=known,
        stacks=stacks(testbed),
    )
    (run, *_) = expand(source.campaign, {site.name: site.digest}, digests)
    return context, run
