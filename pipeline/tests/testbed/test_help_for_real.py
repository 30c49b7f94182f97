"""What the help of `testbed run` says to type works as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.loads.needs import needs_testbed

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
EYELEVEL = (sys.executable, "-m", "eyelevel")


@needs_testbed
@pytest.mark.root
@pytest.mark.browser
def test_the_example_with_chromium_makes_its_picture(tmp_path: Path) -> None:
    text = subprocess.run([*EYELEVEL, "testbed", "run", "--help"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^  eyelevel (testbed run .*? -- \\\n.*?)^  eyelevel ", text, re.DOTALL | re.MULTILINE)
    assert found is not None, text
    shutil.copy(FIXTURES / "teashop.warc.gz", tmp_path / "site.warc.gz")
    # the profile and all else of the browser in a place of its own
    done = subprocess.run(
        ["bash", "-c", f'"$0" -m eyelevel {found.group(1)}', sys.executable],
        cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG"), done.stderr
