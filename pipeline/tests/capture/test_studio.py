"""The studio is asked for one film at a time, and started again after it has died; stand-ins for it, no films."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from eyelevel.capture.inside.request import Job
from eyelevel.capture.studio import Studio

# answers each film with the number that its job's folder is named; keeps what it was told
HONEST = """
import json, sys
from pathlib import Path
for line in sys.stdin:
    with (Path(sys.argv[1]) / "told").open("a") as told:
        told.write(line)
    asked = json.loads(line)
    if "film" in asked:
        print(json.dumps({"status": int(Path(asked["film"]["folder"]).name)}), flush=True)
"""
DYING = "import sys; sys.stdin.readline(); sys.exit(9)"
SILENT = "import sys\nfor line in sys.stdin: pass"


def job(number: int) -> Job:
    return Job(Path(f"/attempts/{number}"), ("testbed",))


@pytest.fixture
def honest(tmp_path: Path) -> Iterator[Studio]:
    with closing(Studio(tmp_path / "bench", command=[sys.executable, "-c", HONEST])) as studio:
        yield studio


def told(studio: Studio) -> list[dict[str, object]]:
    studio.close()
    return [json.loads(line) for line in (studio.bench / "told").read_text().splitlines()]


def test_each_film_has_its_answer_and_one_process_gives_them_all(honest: Studio) -> None:
    assert [honest.film(job(number), [job(number + 1)], limit_s=30) for number in (7, 8)] == [7, 8]
    assert honest.spares == [job(9)]
    assert [line["next"] for line in told(honest)] == [
        [{"folder": f"/attempts/{number}", "testbed": ["testbed"]}] for number in (8, 9)
    ]


def test_what_was_made_ready_is_given_up_once_and_only_where_there_is_some(honest: Studio) -> None:
    honest.drop()
    honest.film(job(1), [job(2)], limit_s=30)
    honest.drop()
    honest.drop()
    assert honest.spares == ()
    honest.film(job(3), [], limit_s=30)
    assert ["drop" in line for line in told(honest)] == [False, True, False]


def test_one_that_dies_gives_its_status_and_another_is_started(tmp_path: Path) -> None:
    with closing(Studio(tmp_path / "bench", command=[sys.executable, "-c", DYING])) as studio:
        assert [studio.film(job(1), [job(2)], limit_s=30) for _ in range(2)] == [9, 9]
        assert studio.spares == ()


def test_one_that_gives_no_answer_in_time_is_stopped(tmp_path: Path) -> None:
    with closing(Studio(tmp_path / "bench", command=[sys.executable, "-c", SILENT])) as studio:
        assert studio.film(job(1), [], limit_s=0.5) == 124
    assert not [line for path in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path) in (line := _line(path))]


def _line(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""
