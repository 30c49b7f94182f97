"""A wheel of the package validates a take, far from the repository: schemas are package data."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

PIPELINE = Path(__file__).resolve().parents[2]
TAKE = PIPELINE.parent / "fixtures" / "sample-batch" / "takes" / "garden" / "DSL" / "QUIC" / "run-01" / "take.json"
# what `pip wheel --no-deps --no-build-isolation` calls
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
VALIDATE = """
import json, sys
from pathlib import Path
import eyelevel_core
from eyelevel_core.contracts import ContractError, check
from eyelevel_core.model.take import Take
assert Path(eyelevel_core.__file__).is_relative_to(sys.argv[1]), eyelevel_core.__file__
value = json.loads(Path(sys.argv[2]).read_text())
check(value, "take.1", source="take.json")
try:
    check({**value, "outcome": "fine"}, "take.1", source="take.json")
except ContractError as error:
    print(Take.of(value).digest, error)
"""


def test_a_wheel_validates_a_take_outside_the_repository(tmp_path: Path) -> None:
    source, built, unpacked = (tmp_path / name for name in ("source", "built", "unpacked"))
    built.mkdir()
    skip = shutil.ignore_patterns("testbed", "tests", "campaigns", "build", "*.egg-info", "__pycache__")
    shutil.copytree(PIPELINE, source, ignore=skip)
    build = subprocess.run(
        [sys.executable, "-c", BUILD, str(built)], cwd=source, capture_output=True, text=True, check=False
    )
    assert build.returncode == 0, build.stderr
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    take = shutil.copy(TAKE, tmp_path)
    # -P and no PYTHONPATH: neither this folder nor an editable installation comes before the wheel
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, sys.argv[1]){VALIDATE}", str(unpacked), take],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    manifest = json.loads((PIPELINE.parent / "fixtures" / "sample-batch" / "manifest.json").read_text())
    digest, sentence = done.stdout.strip().split(" ", 1)
    assert digest in {listed["digest"] for listed in manifest["takes"]}
    assert sentence == 'take.json: outcome is "fine", but must be one of settled, unsettled.'
