"""The tables of a report and its dictionary are those that were written before, byte for byte but for rounding."""

from pathlib import Path

from eyelevel.compare.write import report_files

from .conftest import Compared
from .made import Plan, void
from .pinned import check_golden, text_of

GOLDEN = Path(__file__).parent / "golden"
# a row in every table but that of the spread
EVERYTHING = Plan(
    sites=("wikipedia", "beta", "gamma", "delta"), stacks=("TCP", "TCP+", "QUIC"), runs=4, seed=7,
    log_gain={"QUIC": -0.2, "TCP+": -0.05}, run_sd=0.05, site_sd=0.03, servers={"wikipedia": 1}, lacking=("gamma",),
    unsettled=frozenset({"takes/beta/DSL/QUIC/run-02"}), without_si=frozenset({"takes/beta/DSL/TCP+/run-03"}),
    served_otherwise=("takes/wikipedia/DSL/QUIC/run-04",), unlike=("takes/delta/DSL/TCP+/run-01",),
    network_failed=("takes/beta/DSL/QUIC/run-01",), zero_error_ms={"TCP+": 60.0},
    paint_unknown=("takes/beta/DSL/TCP/",), waiting_share={"QUIC": 0.3, "TCP+": 0.1, "TCP": 0.1},
    films={"QUIC": [{"lost_changes": 1, "unquiet_frames": 0, "late_ms": 9.0}]},
    motion={"takes/wikipedia/DSL/QUIC": (((1, 2), (3, 4)), (1,)), "takes/beta": ((), (0,))},
    over_h3={"QUIC": 4}, down_mbps={"DSL": 25},
)  # fmt: skip
ATTEMPTS = [void("takes/beta/DSL/QUIC/run-01")]
PAIRED = Plan(sites=("alpha",), runs=5, paired=True, block_sd=0.2, machine_sd=0.2, servers={"alpha": 1}, seed=3)


def test_every_table(compared: Compared, tmp_path: Path) -> None:
    files = report_files(compared(EVERYTHING, attempts=ATTEMPTS))
    check_golden(text_of(files), GOLDEN / "everything.txt", tmp_path)


def test_paired_runs_of_which_the_processor_time_is_known(compared: Compared, tmp_path: Path) -> None:
    files = report_files(compared(PAIRED))
    check_golden(text_of(files), GOLDEN / "paired.txt", tmp_path)


def test_the_page_about_the_command_names_every_table() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "compare.md").read_text(encoding="utf-8")
    lines = (GOLDEN / "everything.txt").read_text(encoding="utf-8").splitlines()
    names = [Path(line.removeprefix("== ")).name for line in lines if line.startswith("== ")]
    assert [name for name in names if f"`{name}`" not in page] == []
