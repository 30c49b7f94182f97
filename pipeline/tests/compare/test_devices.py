"""Takes on two device profiles are never compared together."""

import json
from pathlib import Path

import pytest

from eyelevel.errors import BadInputError

from .made import Plan, write
from .test_merging import part, run

DEVICES = 'devices = ["desktop", "phone"]\nprocessor_slowdown = {}\n'
PLAN = Plan(sites=("alpha", "alpha-phone"), runs=3)


def captured(folder: Path, *, slowdown: float = 4) -> Path:
    """A batch with takes of the site alpha on a desktop and on a phone."""
    write(PLAN, folder)
    text, sites, _ = (folder / "campaign.toml").read_text().split("[[sites]]")
    (folder / "campaign.toml").write_text(f"{DEVICES.format(slowdown)}{text}[[sites]]{sites}")
    for path in folder.glob("takes/alpha-phone/*/*/*/take.json"):
        device = {"name": "phone", "pixel_ratio": 1.75, "processor_slowdown": slowdown}
        size = {"width_px": 412, "height_px": 823}
        path.write_text(json.dumps(json.loads(path.read_text()) | {"viewport": size, "device": device}))
    return folder


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    return captured(tmp_path / "both")


def test_a_batch_on_two_devices_is_compared_on_one_of_them_alone(batch: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="both has takes on desktop and phone, which are not compared together; "):
        run(batch, "--out", tmp_path / "report")
    for device, site in (("desktop", "alpha"), ("phone", "alpha-phone")):
        out = tmp_path / device
        run(batch, "--out", out, "--device", device)
        rows = (out / "tables" / "takes.csv").read_text().splitlines()[1:]
        assert {row.split(",")[0] for row in rows} == {site}
        report = (out / "report.html").read_text()
        assert ("processor slowed by 4" in report) is (device == "phone")
        assert ("cost in the detection floors was measured on a desktop" in report) is (device == "phone")
    run(batch, "--out", tmp_path / "given", "--device", "phone", "--film-cost", "1")
    assert "was measured on a desktop" not in (tmp_path / "given" / "report.html").read_text()


def test_a_batch_without_takes_on_a_device_has_nothing_to_compare_there(batch: Path, tmp_path: Path) -> None:
    desktop = part(batch, tmp_path / "desktop", lambda path: "phone" not in path)
    with pytest.raises(BadInputError, match="has takes on desktop and none on phone; give another --device"):
        run(desktop, "--out", tmp_path / "report", "--device", "phone")
    run(desktop, "--out", tmp_path / "report")


def test_batches_on_two_devices_are_not_compared_as_one(batch: Path, tmp_path: Path) -> None:
    desktop = part(batch, tmp_path / "desktop", lambda path: "phone" not in path)
    phone = part(batch, tmp_path / "phone", lambda path: "phone" in path)
    with pytest.raises(BadInputError, match=r"phone was captured on phone: 1.75 device .* but .*desktop on desktop; "):
        run(desktop, phone, "--out", tmp_path / "report")


def test_phones_of_two_speeds_are_two_devices(batch: Path, tmp_path: Path) -> None:
    slower = captured(tmp_path / "slower", slowdown=6)
    first_run = part(batch, tmp_path / "one", lambda path: path.endswith("run-01"))
    with pytest.raises(BadInputError, match=r"slowed by 4, but .* slowed by 6; takes of two device profiles"):
        run(slower, first_run, "--out", tmp_path / "report", "--device", "phone")
