"""Checks that takes of a batch were captured under the same conditions: campaign, browser and testbed."""

from collections.abc import Mapping

from eyelevel.errors import BadInputError
from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import ContractError
from eyelevel_core.model.campaign import Campaign
from eyelevel_core.model.device import device_of
from eyelevel_core.model.run import Run
from eyelevel_core.model.take import Take

# options that affect a take but are not recorded in take.json
RULES = ("limit_s", "limits_s", "quiet_ms", "group_by", "priority_updates", "max_outside_share")


def belongs(take: Take, run: Run, campaign: Campaign) -> bool:
    """Returns whether the campaign would capture this run with the options that the take records."""
    return (
        (take.seed, take.recording) == (run.seed, run.recording)
        and take.viewport == campaign.viewport_of(run.site)
        and device_of(take.device) == campaign.site(run.site).device
        and take.provenance.scheduler == campaign.scheduler
    )


def check_rules(batch: BatchFolder, campaign: Campaign) -> None:
    """Raises BadInputError if the takes were captured with other values of options that take.json does not record."""
    path = batch.campaign_file
    if not path.is_file():
        return
    try:
        before = batch.campaign()
    except ContractError as error:
        raise BadInputError(f"{error} Restore the campaign file with which the takes were captured.") from error
    for name in RULES:
        if getattr(before, name) != getattr(campaign, name):
            raise BadInputError(
                f"The takes in {batch.root} were captured with {name} = {getattr(before, name)}, but the campaign now "
                f"has {getattr(campaign, name)}; set it back, or give another --out."
            )
    pages = {site.name: site.start_url for site in before.sites}
    for site in campaign.sites:
        if pages.get(site.name, site.start_url) != site.start_url:
            raise BadInputError(
                f"The takes of {site.name} in {batch.root} were captured with start_url = {pages[site.name]}, but the "
                f"campaign now has {site.start_url}; set it back, or give another --out."
            )


def check_browser(takes: Mapping[str, Take], version: str | None) -> None:
    """Raises BadInputError if a take was captured with another Chromium; takes without a version are not checked."""
    for path, take in takes.items():
        made_by = take.provenance.tools.get("chromium")
        if version is not None and made_by not in (None, version):
            raise BadInputError(
                f"{path} was captured with Chromium {made_by}, but this machine has {version}. A campaign needs one "
                "version; give another --out, or install that version."
            )


def check_testbed(takes: Mapping[str, Take], sha256: str) -> None:
    """Raises BadInputError if a take was captured with another build of the testbed; takes without one are skipped."""
    for path, take in takes.items():
        made_by = take.provenance.tools.get("testbed_sha256") or sha256
        if made_by != sha256:
            raise BadInputError(
                f"{path} was captured with another build of the testbed ({made_by[:12]}, now {sha256[:12]}), so new "
                "runs could differ; give another --out, or set EYELEVEL_TESTBED to the path of that build."
            )
