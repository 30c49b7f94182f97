"""Checks that all machines of a campaign film the same: plan, testbed, browser, fonts."""

from collections.abc import Iterator, Mapping, Sequence

from eyelevel.errors import BadInputError
from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.block_result import SharedCampaign
from eyelevel_core.model.run import Run


def plan_sha256(runs: Sequence[Run], networks: Mapping[str, str], stacks: Mapping[str, str]) -> str:
    """Returns the digest of all inputs of the runs; `networks` and `stacks` map names to digests of definitions."""
    inputs = [[run.path, run.recording, run.seed, run.page_seed] for run in runs]
    return sha256_of_json([inputs, dict(networks), dict(stacks)])


def demand_same(began: SharedCampaign, here: SharedCampaign, *, address: str) -> None:
    """Raises BadInputError with the first difference and its remedy if this machine differs."""
    for sentence in _differences(began, here, address):
        raise BadInputError(sentence)


def _differences(began: SharedCampaign, here: SharedCampaign, address: str) -> Iterator[str]:
    if began.campaign_sha256 != here.campaign_sha256:
        yield (
            f"{address} has another campaign: its campaign.toml differs from the given file. Give another store, or "
            "that file."
        )
    if began.plan_sha256 != here.plan_sha256:
        yield (
            f"The recordings, networks or stacks on this machine differ from those of {address}; give all machines "
            "the same recordings and the same version of Eyelevel."
        )
    if began.testbed_sha256 != here.testbed_sha256:
        yield (
            f"{address} was started with another build of the testbed ({began.testbed_sha256[:12]}, here "
            f"{here.testbed_sha256[:12]}), and two builds may behave differently; copy that program to this machine "
            "and set EYELEVEL_TESTBED to its path."
        )
    if began.chromium != here.chromium:
        yield (
            f"{address} was started with Chromium {began.chromium}, but this machine has {here.chromium}. A campaign "
            "needs the same browser on all machines; install that version."
        )
    if began.fonts_digest != here.fonts_digest:
        yield (
            f"The fonts on this machine differ from those with which {address} was started, so pages look different; "
            "install the same font packages (fc-list lists the fonts)."
        )
