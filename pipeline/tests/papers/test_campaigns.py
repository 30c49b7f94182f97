"""The campaigns of two papers have the networks, stacks and cache modes that their reports look for."""

import shutil
import tomllib
from math import prod
from pathlib import Path

import pytest
from click.testing import CliRunner

from eyelevel.built import find_testbed
from eyelevel.capture.command import capture
from eyelevel.capture.planning.campaign_file import read_campaign
from eyelevel.compare.model import Pair
from eyelevel.stacks import stacks
from eyelevel_core.model.take import Definition
from eyelevel_papers.nepomuceno2018.grid import DOWN_ONLY, EACH_WAY, configurations, directions, pairs_of
from eyelevel_papers.nepomuceno2018.published import CACHES
from eyelevel_papers.saif2020.points import Impairment, split
from tests.loads.needs import needs_testbed

ROOT = Path(__file__).resolve().parents[3]
CAMPAIGNS = ROOT / "pipeline" / "campaigns"
NEPOMUCENO = ("nepomuceno2018", "nepomuceno2018-downlink")


def planned(campaign: Path, folder: Path) -> tuple[list[str], str]:
    """The runs of a dry run, a line each, and what it prints beside."""
    result = CliRunner().invoke(capture, [str(campaign), "--out", str(folder / "batch"), "--dry-run"])
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines(), result.stderr


def defined(campaign: Path) -> dict[str, Definition]:
    found = read_campaign(campaign, None).campaign.own_networks
    return {name: Definition(name, "ab" * 32, table) for name, table in found.items()}


@needs_testbed
@pytest.mark.parametrize("name", NEPOMUCENO)
def test_nepomuceno_2018_is_planned_in_full(tmp_path: Path, name: str) -> None:
    runs, said = planned(CAMPAIGNS / f"{name}.toml", tmp_path)
    # sites, networks, stacks, cache modes, runs
    assert len(runs) == prod((3, 12, 3, 2, 30)) == 6480
    assert "216 conditions, 6480 runs, 0 taken; 6480 to go: about " in said
    assert " h and " in said


@pytest.mark.parametrize(("name", "direction"), [(NEPOMUCENO[0], EACH_WAY), (NEPOMUCENO[1], DOWN_ONLY)])
def test_the_networks_of_nepomuceno_2018_are_c01_to_c12_in_their_order(name: str, direction: str) -> None:
    networks = defined(CAMPAIGNS / f"{name}.toml")
    assert {network: found.name for network, found in configurations(networks).items()} == {
        network: network for network in networks
    }
    assert list(networks) == [f"C{number:02d}" for number in range(1, 13)]
    assert directions(networks.values()) == [direction]
    assert {network.definition["up_mbps"] for network in networks.values()} == {"unlimited"}


@needs_testbed
def test_nepomuceno_2018_compares_discovered_quic_with_stock_http_1_with_and_without_cache() -> None:
    campaign = read_campaign(CAMPAIGNS / "nepomuceno2018.toml", None).campaign
    known = stacks(find_testbed())
    taken = {name: Definition(name, known[name].digest, known[name].definition) for name in campaign.stacks}
    reference = "TCP-H1-STOCK"
    assert pairs_of(taken) == [Pair("QUIC+ALTSVC-STOCK", reference), Pair("QUIC", reference)]
    assert set(campaign.caches) == set(CACHES)


@pytest.fixture
def saif(tmp_path: Path) -> Path:
    """The campaign beside stand-ins for its recordings."""
    folder = tmp_path / "pipeline" / "campaigns"
    folder.mkdir(parents=True)
    (tmp_path / "fixtures").mkdir()
    for variant in ("alike", "large"):
        shutil.copy(ROOT / "fixtures" / "garden.warc.gz", tmp_path / "fixtures" / f"saif2020-{variant}.warc.gz")
    return Path(shutil.copy(CAMPAIGNS / "saif2020.toml", folder))


@needs_testbed
def test_saif_2020_is_planned_in_full(tmp_path: Path, saif: Path) -> None:
    runs, said = planned(saif, tmp_path)
    # sites, networks, stacks with their cache modes, audits: altsvc has runs of one stack only
    assert len(runs) == prod((2, 51, 3 + 1, 5)) == 2040
    assert {line.split("\t")[2] for line in runs if "\taltsvc-" in line} == {"QUIC+ALTSVC-STOCK"}
    assert "Cache mode altsvc equals cold for TCP, QUIC, so it has no runs there.\n" in said
    assert "408 conditions, 2040 runs, 0 taken; 2040 to go: about " in said


def test_saif_2020_delays_and_loses_what_the_server_sends_at_the_points_of_its_sweeps(saif: Path) -> None:
    links: dict[str, list[Impairment]] = {}
    for network in defined(saif).values():
        assert network.definition.get("loss_up", 0) == 0
        link, at = split(network.definition)
        links.setdefault(link, []).append(at)
    delays = (0, 25, 50, *range(100, 300, 50), *range(300, 1001, 100), 2000)
    sweep = [*(Impairment(ms, 0) for ms in delays), *(Impairment(300, n / 1000) for n in range(2, 15, 2))]
    reduced = [*(Impairment(ms, 0) for ms in (0, 100, 300, 1000)), *(Impairment(300, n / 1000) for n in (4, 8, 14))]
    assert links == {
        "unlimited": sweep,
        "10 Mbit/s down, 10 Mbit/s up": reduced,
        "16 Mbit/s down, 16 Mbit/s up": reduced,
        "100 Mbit/s down, 100 Mbit/s up": reduced,
        "52.95 Mbit/s down, 7.83 Mbit/s up, 20 ms": reduced,
    }


@pytest.mark.parametrize(
    ("name", "networks", "runs"),
    [
        ("nepomuceno2018", {"C01", "C04", "C09", "C12"}, 5),
        (
            "saif2020",
            {"delay-0", "delay-100", "delay-300", "delay-500", "delay-1000"}
            | {f"delay-300-loss-{percent}" for percent in ("0.4", "0.8", "1.4")},
            5,
        ),
    ],
)
def test_a_part_is_a_part_of_the_whole_campaign(name: str, networks: set[str], runs: int) -> None:
    whole, part = (tomllib.loads((CAMPAIGNS / f"{name}{end}.toml").read_text()) for end in ("", "-part"))
    differing = ("name", "networks", "runs", "sites")
    assert {key: value for key, value in part.items() if key not in differing} == {
        key: value for key, value in whole.items() if key not in differing
    }
    assert part["networks"] == {key: whole["networks"][key] for key in networks}
    assert part["runs"] == runs <= whole["runs"]
