"""The plan of a campaign: everything that determines its runs, before anything is filmed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from eyelevel.built import find_testbed
from eyelevel.capture.planning.campaign_file import CampaignFile, read_campaign
from eyelevel.capture.planning.networks import Network, networks
from eyelevel.capture.planning.runs import expand, skipped
from eyelevel.stacks import Stack, chosen, stacks
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.run import Run


@dataclass(frozen=True)
class Plan:
    """The plan; `runs` are all runs in their order, `skipped` has the stacks without runs by cache mode."""

    source: CampaignFile
    testbed: Path
    stacks: Mapping[str, Stack]
    networks: Mapping[str, Network]
    runs: Sequence[Run]
    skipped: Mapping[str, Sequence[str]]

    @property
    def campaign(self) -> Campaign:
        return self.source.campaign


def plan(campaign_file: Path, recordings: Path | None) -> Plan:
    """Reads the campaign file, and gets networks and stacks from the testbed; raises BadInputError for wrong values."""
    source, testbed = read_campaign(campaign_file, recordings), find_testbed()
    campaign = source.campaign
    arms = chosen(stacks(testbed), campaign.stacks, source=campaign_file, caches=campaign.caches)
    with TemporaryDirectory() as scratch:
        known = networks(testbed, source, Path(scratch))
    digests = {name: network.digest for name, network in known.items()}
    recorded = {site.name: site.digest for site in source.sites}
    chance = {site.name: site.chance_seed for site in source.sites}
    discovering = [name for name, arm in arms.items() if arm.discovers]
    return Plan(
        source=source,
        testbed=testbed,
        stacks=arms,
        networks=known,
        runs=expand(campaign, recorded, digests, chance, discovering=discovering),
        skipped=skipped(campaign, discovering),
    )
