"""A campaign file is read strictly; whatever is wrong is named before anything runs."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.capture.planning.campaign_file import read_campaign
from eyelevel.capture.planning.runs import expand
from eyelevel.errors import BadInputError
from eyelevel_core.contracts import ContractError, sha256_of_bytes
from eyelevel_core.model.device import PHONE, Viewport

LINES = """
contract = "eyelevel/campaign/1"
name = "trial"
seed = 3
networks = ["DSL"]
stacks = ["TCP+", "QUIC"]
"""
BOTH = 'devices = ["desktop", "phone"]\n'
SIZE = "viewport = { width_px = 1024, height_px = 768 }\n"
SITE = '[[sites]]\nname = "garden"\nrecording = "garden.warc.gz"\n'


def written(folder: Path, text: str = LINES + SITE) -> Path:
    path = folder / "campaign.toml"
    path.write_text(text)
    return path


def test_defaults_come_from_the_contract(tmp_path: Path) -> None:
    (tmp_path / "garden.warc.gz").write_bytes(b"warc")
    campaign = read_campaign(written(tmp_path), None).campaign
    assert (campaign.runs, campaign.limit_s) == (1, 60)
    assert campaign.viewport == Viewport(1280, 720)


def test_every_site_is_captured_on_each_device_by_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "garden.warc.gz").write_bytes(b"warc")
    both = read_campaign(written(tmp_path, LINES + BOTH + SIZE + "processor_slowdown = 6\n" + SITE), None)
    assert [(site.name, site.device.name) for site in both.sites] == [("garden", "desktop"), ("garden-phone", "phone")]
    assert both.sites[1].device == replace(PHONE, processor_slowdown=6)
    assert both.campaign.viewport_of("garden") == Viewport(1024, 768)
    assert both.campaign.viewport_of("garden-phone") == Viewport(412, 823)
    alone = read_campaign(written(tmp_path, LINES + 'devices = ["phone"]\n' + SITE), None).campaign
    assert [(site.name, site.device) for site in alone.sites] == [("garden-phone", PHONE)]
    assert [device.name for device in both.campaign.devices] == ["desktop", "phone"]


def test_a_recording_is_found_beside_the_file_or_in_the_given_folder(tmp_path: Path) -> None:
    elsewhere = tmp_path / "recordings"
    elsewhere.mkdir()
    (elsewhere / "garden.warc.gz").write_bytes(b"there")
    path = written(tmp_path)
    assert read_campaign(path, elsewhere).sites[0].digest == sha256_of_bytes(b"there")
    (tmp_path / "garden.warc.gz").write_bytes(b"here")
    assert read_campaign(path, elsewhere).sites[0].digest == sha256_of_bytes(b"here")


def test_a_missing_recording_is_named_with_its_site_and_the_cure(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"'garden\.warc\.gz' of site 'garden' is not at .*--recordings"):
        read_campaign(written(tmp_path), None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (LINES + SITE + SITE, "two sites are named 'garden'"),
        (LINES + 'pairs = [["TCP+", "BBR"]]\n' + SITE, "pairs names the stack 'BBR'"),
        (LINES + "limits_s = { MSS = 120 }\n" + SITE, "limits_s names the network 'MSS'"),
        (LINES + "limits_s = { MSS = 60 }\n" + SITE, "limits_s names the network 'MSS'"),
        (LINES + f"processor_slowdown = 2\n{SITE}", "processor_slowdown applies to phones, but devices names none"),
        (LINES + f'devices = ["tablet"]\n{SITE}', "devices"),
        (LINES + f"{BOTH}{SITE}{SITE.replace('garden', 'garden-phone')}", "two sites are named 'garden-phone'"),
        (LINES + f"{BOTH}{SITE.replace('garden', 'g' * 60)}", "g-phone', which is longer than 64 characters; shorten"),
        (LINES + f'devices = ["phone"]\n{SIZE}{SITE}', "viewport is the size of a page on a desktop, which devices"),
        ("name = ", "cannot be read as a campaign"),
        ("seed = 1" + "0" * 5000, "cannot be read as a campaign"),
    ],
)
def test_what_no_schema_can_see_is_named_too(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "garden.warc.gz").write_bytes(b"warc")
    with pytest.raises((BadInputError, ContractError), match=sentence):
        read_campaign(written(tmp_path, text), None)


def test_a_field_the_contract_does_not_know_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="speed is not a known field"):
        read_campaign(written(tmp_path, LINES + "speed = 3\n" + SITE), None)


def test_the_paper_s_campaign_is_whole_and_says_what_it_lacks(tmp_path: Path) -> None:
    path = Path(__file__).resolve().parents[2] / "campaigns" / "wolsing2019.toml"
    with pytest.raises(BadInputError, match=r"'academia\.edu\.warc\.gz'.* and 37 other recordings are also missing"):
        read_campaign(path, None)
    names = [site["name"] for site in tomllib.loads(path.read_text())["sites"]]
    for name in names:
        (tmp_path / f"{name}.warc.gz").write_bytes(b"warc")
    campaign = read_campaign(path, tmp_path).campaign
    runs = expand(campaign, dict.fromkeys(names, "ab" * 32), dict.fromkeys(campaign.networks, "cd" * 32))
    assert len({(run.site, run.network, run.stack) for run in runs}) == 760
    assert len(runs) == 760 * 31
