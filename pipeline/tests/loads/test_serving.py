"""How a campaign says that servers are to serve reaches the testbed."""

from pathlib import Path

import pytest

from eyelevel.loads.testbed_run import arguments, serving
from eyelevel_core.contracts import ContractError, check
from tests.capture.fake import campaign, context, runs


def served(tmp_path: Path, **changes: str) -> list[str]:
    run = runs(**changes)[0]
    site = next(site for site in context(tmp_path).sites if site.name == run.site)
    options = ["--network", run.network, *serving(campaign(**changes))]
    return arguments(Path("testbed"), run, site, options, report=None, command=["true"])


def after(command: list[str], option: str) -> str:
    return command[command.index(option) + 1]


def test_servers_go_by_priorities_and_recorded_addresses_unless_a_campaign_says_otherwise(tmp_path: Path) -> None:
    command = served(tmp_path)
    options = [after(command, option) for option in ("--scheduler", "--priority-updates", "--group-by")]
    assert options == ["rfc9218", "count", "address"]


def test_a_campaign_chooses_scheduler_priority_updates_and_grouping(tmp_path: Path) -> None:
    command = served(tmp_path, scheduler="round-robin", priority_updates="act", group_by="one")
    options = [after(command, option) for option in ("--scheduler", "--priority-updates", "--group-by")]
    assert options == ["round-robin", "act", "one"]
    assert command.index("--group-by") < command.index("--")


@pytest.mark.parametrize("field", ["scheduler", "priority_updates", "group_by"])
def test_a_campaign_that_names_no_known_way_is_refused(field: str) -> None:
    value = {
        "contract": "eyelevel/campaign/1", "name": "x", "seed": 1, "networks": ["DSL"], "stacks": ["QUIC"],
        "sites": [{"name": "garden", "recording": "garden.warc.gz"}],
    }  # fmt: skip
    check(value, "campaign.1", source="campaign.toml")
    with pytest.raises(ContractError, match=field):
        check({**value, field: "by-chance"}, "campaign.1", source="campaign.toml")
