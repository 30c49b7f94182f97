"""A campaign's own networks: checked by its contract and by the testbed, each mistake named with its cure."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.built import find_testbed
from eyelevel.capture.command import capture
from eyelevel.capture.planning.campaign_file import CampaignFile, read_campaign
from eyelevel.capture.planning.networks import Network, networks
from eyelevel.capture.planning.runs import expand
from eyelevel.errors import BadInputError, ToolMissingError
from eyelevel_core.contracts import ContractError

LINES = """
contract = "eyelevel/campaign/1"
name = "trial"
seed = 3
stacks = ["TCP+", "QUIC"]
"""
SITE = '[[sites]]\nname = "garden"\nrecording = "garden.warc.gz"\n'
LAB = "[networks.lab]\nup_mbps = 4\ndown_mbps = 16\nrtt_ms = 30\nqueue_ms = 50\n"
DSL_DIGEST = "174da4b18f3b19c18e464c8d06c2a04d061a590d45dc3a6769631783baf10a7a"


def program() -> Path:
    try:
        return find_testbed()
    except ToolMissingError as missing:
        pytest.skip(str(missing))


def campaign(folder: Path, text: str) -> CampaignFile:
    (folder / "garden.warc.gz").write_bytes(b"warc")
    (folder / "bursts.trace").write_text("1\n1\n5\n6\n")
    path = folder / "campaign.toml"
    path.write_text(LINES + text + SITE)
    return read_campaign(path, None)


def known(folder: Path, text: str) -> Mapping[str, Network]:
    return networks(program(), campaign(folder, text), folder / "networks")


def test_the_networks_of_the_testbed_are_named_in_a_list_or_by_empty_tables(tmp_path: Path) -> None:
    listed = known(tmp_path, 'networks = ["DSL", "MSS"]\n')
    tables = known(tmp_path, "[networks.DSL]\n[networks.MSS]\n")
    assert listed == tables
    dsl = {"name": "DSL", "up_mbps": 5.0, "down_mbps": 25.0, "rtt_ms": 24.0, "loss": 0.0, "queue_ms": 12.0}
    assert listed["DSL"] == Network("DSL", DSL_DIGEST, None, dsl)
    assert listed["DSL"].arguments == ["--network", "DSL"]


def test_a_network_of_the_campaigns_own_is_written_with_its_trace(tmp_path: Path) -> None:
    definition = (
        '[networks.lab]\nup_mbps = "unlimited"\ndown_trace = "bursts.trace"\nrtt_ms = 30\nloss = 0.01\nqueue_ms = 50\n'
    )
    lab = known(tmp_path, definition)["lab"]
    assert lab.file is not None
    assert lab.arguments == ["--network-file", str(lab.file)]
    assert json.loads(lab.file.read_text())["down_trace"] == "lab.down_trace"
    assert (lab.file.parent / "lab.down_trace").read_text() == "1\n1\n5\n6\n"
    trial = campaign(tmp_path, definition)
    (tmp_path / "bursts.trace").write_text("1\n2\n5\n6\n")
    assert networks(program(), trial, tmp_path / "again")["lab"].digest != lab.digest


def test_delay_and_loss_may_be_in_one_direction_alone(tmp_path: Path) -> None:
    definition = (
        '[networks.far]\nup_mbps = "unlimited"\ndown_mbps = "unlimited"\ndelay_up_ms = 0\ndelay_down_ms = 300\n'
        "loss_up = 0\nloss_down = 0.014\n"
    )
    assert known(tmp_path, definition)["far"].definition == {
        "name": "far", "up_mbps": "unlimited", "down_mbps": "unlimited", "delay_up_ms": 0.0, "delay_down_ms": 300.0,
        "loss_up": 0.0, "loss_down": 0.014,
    }  # fmt: skip


def test_another_network_under_the_same_name_draws_other_losses(tmp_path: Path) -> None:
    digests = [known(tmp_path, LAB + more)["lab"].digest for more in ("", "loss = 0.01\n")]
    seeds = [
        {run.seed for run in expand(campaign(tmp_path, LAB).campaign, {"garden": "ab" * 32}, {"lab": digest})}
        for digest in digests
    ]
    assert seeds[0].isdisjoint(seeds[1])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LAB + "speed = 3\n", r"networks\.lab\.speed is not a known field"),
        (LAB + "loss = 1\n", r"networks\.lab\.loss is 1, but must be a number of at least 0 and below 1"),
        (LAB + 'jitter_ms = "some"\n', r'networks\.lab\.jitter_ms is "some", but must be a number'),
        ('networks = "DSL"\n', 'networks is "DSL", but must be'),
    ],
)
def test_what_the_contract_forbids_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ContractError, match=sentence):
        campaign(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('networks = ["ISDN"]\n', 'campaign.toml: unknown network "ISDN"; the networks are DSL'),
        ("[networks.ISDN]\n", 'unknown network "ISDN"'),
        (LAB.replace("queue_ms = 50", ""), "network lab: it has 0 of queue_ms, .*; give one of them"),
        (LAB.replace("rtt_ms = 30", ""), "network lab: it has neither rtt_ms nor a delay of a direction; give rtt_ms"),
        (LAB + "delay_up_ms = 9\n", "network lab: it has both rtt_ms and a delay of a direction; give rtt_ms"),
        (LAB.replace("rtt_ms", "delay_up_ms"), "one of delay_up_ms and delay_down_ms is missing; give both"),
        (LAB + "loss_up = 0.1\n", "one of loss_up and loss_down is missing; give both"),
        (LAB + 'up_trace = "bursts.trace"\n', "it has both up_mbps and up_trace; give one"),
        (LAB.replace("up_mbps = 4", 'up_trace = "none"'), r"networks\.lab\.up_trace names 'none', which is not at"),
        (LAB.replace("up_mbps = 4", 'up_trace = "garden.warc.gz"'), 'line 1 is "warc", but must be a whole number'),
    ],
)
def test_what_the_testbed_refuses_is_reported_in_its_words(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        known(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('networks = ["DSL", "MSS"]\n', []),
        (LAB, []),
        (LAB.replace("down_mbps = 16", "down_mbps = 300"), ["lab is 300 Mbit/s"]),
        (LAB.replace("down_mbps = 16", 'down_mbps = "unlimited"') + "[networks.DSL]\n", ["lab is unlimited"]),
        (LAB.replace("down_mbps = 16", 'down_trace = "bursts.trace"'), []),
    ],
)
def test_capture_warns_of_networks_above_the_fastest_one_with_parity(
    tmp_path: Path, text: str, named: list[str]
) -> None:
    source = campaign(tmp_path, text)
    program()
    result = CliRunner().invoke(capture, [str(source.path), "--out", str(tmp_path / "batch"), "--dry-run"])
    assert result.exit_code == 0, result.stderr
    warnings = [line for line in result.stderr.splitlines() if "parity" in line]
    assert len(warnings) == len(named)
    for line, words in zip(warnings, named, strict=True):
        assert line.startswith(f"warning: The downlink of {words}, ")
