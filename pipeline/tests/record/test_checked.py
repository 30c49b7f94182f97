"""A recording of our own passes its replay check: exactly answered, and like the screenshot that it keeps."""

import sys
from pathlib import Path

import pytest

from eyelevel_core.batch_folder.checks import read_check
from eyelevel_core.comparability.visible import LEAST_SIMILARITY, reason
from eyelevel_core.model.replay_check import Match
from tests.loads.needs import needs_testbed
from tests.record.test_town import has_warcprox, in_town, record

pytestmark = [
    needs_testbed,
    pytest.mark.root,
    pytest.mark.browser,
    pytest.mark.realtime,
    pytest.mark.skipif(not has_warcprox(), reason="warcprox is not installed (make record-tools)"),
]


def test_a_page_that_draws_everything_by_chance_passes_all_gates_as_it_was_recorded(tmp_path: Path) -> None:
    recording = tmp_path / "garden.warc.gz"
    done = record(tmp_path, "https://www.garden.example/", "-o", str(recording), "--seed", "7")
    assert done.returncode == 0, done.stderr
    for command in (
        ["learn", str(recording)],
        ["check", str(recording), "--stack", "TCP+", "-o", str(tmp_path / "out")],
    ):
        done = in_town(tmp_path, sys.executable, "-m", "eyelevel", "replay", *command)
        assert done.returncode == 0, done.stderr
    found = read_check(tmp_path / "out" / "check.json")
    assert (found.page_seed, reason(found)) == (7, None)
    (load,) = found.loads
    # a date in milliseconds is another in each load: it was learned to be volatile
    assert [(request.match, request.url.partition("=")[0]) for request in load.requests] == [
        (Match.EQUIVALENT, "https://ads.example/frame?ord")
    ]
    assert load.exact > 10
    assert load.similarity is not None
    assert load.similarity > LEAST_SIMILARITY
    assert "Difference: red pixels differ" in (tmp_path / "out" / "check.html").read_text()
