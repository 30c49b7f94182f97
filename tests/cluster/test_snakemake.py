"""The rule of the guide, run by Snakemake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import planted_capture
import pytest

from cluster.field import block_of

pytestmark = pytest.mark.soak

LOCK = Path(__file__).with_name("snakemake.lock")
# those of the rule
BLOCKS = 12


def test_the_rule_of_the_guide_films_every_block_once(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    install = ["install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", LOCK]
    subprocess.run([venv / "bin" / "pip", *install], check=True)
    (tmp_path / "campaign.toml").write_text(planted_capture.campaign_text(sites=3, runs=4))
    (tmp_path / "Snakefile").write_text(block_of("snakemake").replace("s3://films/demo", str(tmp_path / "store")))
    program = tmp_path / "bin" / "eyelevel"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nshift\nexec {sys.executable} {planted_capture.__file__} "$@"\n')
    program.chmod(0o755)
    command = [venv / "bin" / "snakemake", "--cores", "1", "--resources", "film=1"]
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(command, cwd=tmp_path, env=os.environ | {"PATH": path}, check=True)
    found = [json.loads(result.read_text()) for result in (tmp_path / "store" / "results").rglob("*.json")]
    assert len({result["block"] for result in found if result["takes"]}) == BLOCKS
