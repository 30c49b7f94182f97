"""The worker is asked for one film at a time, and started again after it has died; stand-ins for it, no films."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from eyelevel.loads.inside.request import Job
from eyelevel.loads.worker import CaptureWorker

# answers each film with the number that its job's folder is named; keeps what it was told
HONEST = """
import json, sys
from pathlib import Path
for line in sys.stdin:
    with (Path(sys.argv[1]) / "told").open("a") as told:
        told.write(line)
    asked = json.loads(line)
    print(json.dumps({"status": int(Path(asked["film"]["folder"]).name) if "film" in asked else 0}), flush=True)
"""
DYING = "import sys; sys.stdin.readline(); print('for good', file=sys.stderr); sys.exit(9)"
BABBLING = "import sys; sys.stdin.readline(); print('well', flush=True); sys.stdin.read(); sys.exit(9)"
SILENT = "import sys\nfor line in sys.stdin: pass"


@pytest.fixture
def job(tmp_path: Path) -> Callable[[int], Job]:
    """A job with a folder of that name."""

    def make_job(number: int) -> Job:
        folder = tmp_path / "attempts" / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        return Job(folder, ("testbed",))

    return make_job


@pytest.fixture
def honest(tmp_path: Path) -> Iterator[CaptureWorker]:
    with closing(CaptureWorker(tmp_path / "scratch", command=[sys.executable, "-c", HONEST])) as worker:
        yield worker


def orders_received(worker: CaptureWorker) -> list[dict[str, object]]:
    worker.close()
    return [json.loads(line) for line in (worker.scratch / "told").read_text().splitlines()]


MakeJob = Callable[[int], Job]


def test_each_film_has_its_answer_and_one_process_gives_them_all(honest: CaptureWorker, job: MakeJob) -> None:
    assert honest.film(job(0), [job(7)], limit_s=30) == 0
    assert list(honest.spares) == [job(7)]
    assert honest.film(job(7), [job(8)], limit_s=30) == 7
    assert list(honest.spares) == []  # what comes after a run that is void is not what was thought
    assert [line["next"] for line in orders_received(honest)] == [
        [{"folder": str(job(number).folder), "testbed": ["testbed"]}] for number in (7, 8)
    ]


def test_what_was_made_ready_is_given_up_and_nothing_is_started_for_that(honest: CaptureWorker, job: MakeJob) -> None:
    honest.drop()
    assert not (honest.scratch / "told").exists()
    honest.film(job(0), [job(2)], limit_s=30)
    honest.drop()
    assert list(honest.spares) == []
    honest.film(job(0), [], limit_s=30)
    assert ["drop" in line for line in orders_received(honest)] == [False, True, False]


@pytest.mark.parametrize(("command", "status", "words"), [(DYING, 9, "for good"), (BABBLING, 124, "")])
def test_one_that_dies_or_babbles_is_ended_with_its_last_words_and_another_is_started(
    tmp_path: Path, job: MakeJob, command: str, status: int, words: str
) -> None:
    with closing(CaptureWorker(tmp_path / "scratch", command=[sys.executable, "-c", command])) as worker:
        assert [worker.film(job(number), [job(3)], limit_s=30) for number in (1, 2)] == [status, status]
        assert list(worker.spares) == []
    assert (job(2).folder / "talk.log").read_text().strip() == words


def test_one_that_gives_no_answer_in_time_is_stopped(tmp_path: Path, job: MakeJob) -> None:
    with closing(CaptureWorker(tmp_path / "scratch", command=[sys.executable, "-c", SILENT])) as worker:
        assert worker.film(job(1), [], limit_s=0.5) == 124
    assert not [
        line for path in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path / "scratch") in (line := _line(path))
    ]


def _line(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""
