"""Who used the processors while a page loaded: computed from two readings of the kernel's counters."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from eyelevel.capture.attempts.verdict import judge_pressure
from eyelevel.loads.inside.groups import Group, joining, own_group
from eyelevel.loads.inside.measuring.pressure import Reading, descendants_s, idle_share, pressure, reading
from eyelevel.loads.inside.request import Cause, VoidError
from eyelevel_core.model.take import Pressure

# two processors
BEFORE = Reading(
    100.0,
    2,
    idle_s=50.0,
    waiting_for_disk_s=3.0,
    interrupts_s=2.0,
    steal_s=1.0,
    capture_s=10.0,
    interrupts_apart=True,
)
# and two seconds later: four of processor time, of which 0.4 are nobody's
AFTER = Reading(102.0, 2, idle_s=51.0, waiting_for_disk_s=3.1, interrupts_s=2.1, steal_s=1.2, capture_s=12.2)
BURN = """
import os, sys, time
while sum(os.times()[:2]) < float(sys.argv[1]): pass
print(sum(os.times()[:2]))
"""
# packets to nobody but itself, for at most 20 s
SENDS = """
import socket, time
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
    own.bind(("127.0.0.1", 0))
    until = time.monotonic() + 20
    while time.monotonic() < until:
        own.sendto(bytes(1200), own.getsockname())
        own.recv(2000)
"""


def measured(after: Reading, before: Reading = BEFORE) -> Pressure:
    found = pressure(before, after)
    assert found is not None
    return found


def test_what_nobody_else_used_was_used_outside() -> None:
    found = measured(AFTER)
    assert (found.outside_share, found.steal_share, found.capture_share) == (0.1, 0.05, 0.55)
    assert idle_share(BEFORE, AFTER) == 0.25


def test_what_is_not_counted_apart_is_unknown() -> None:
    found = measured(AFTER)
    assert (found.run_share, found.prelaunched_share) == (None, None)
    assert (found.waiting_some_share, found.waiting_full_share) == (None, None)


def test_shares_of_the_run_and_of_those_prelaunched_beside_it() -> None:
    before = replace(BEFORE, run_s=1.0, prelaunched_s=4.0, some_waited_s=0.5, full_waited_s=0.0)
    found = measured(replace(AFTER, run_s=2.0, prelaunched_s=4.2, some_waited_s=1.1, full_waited_s=0.2), before)
    assert (found.run_share, found.prelaunched_share) == (0.25, 0.05)
    # of the time that passed, not of all processors'
    assert (found.waiting_some_share, found.waiting_full_share) == (0.3, 0.1)


def test_counters_that_miss_each_other_by_a_tick_make_no_negative_share() -> None:
    assert measured(replace(AFTER, idle_s=51.41)).outside_share == 0
    assert measured(replace(AFTER, capture_s=15.0)).outside_share == 0


@pytest.mark.parametrize(
    ("hardware_s", "capture_s"),
    [
        # no kernel of this kind has ever counted a hardware interrupt; the capture's time has all that interrupted it
        (0, 1.5),
        # of this kind: tasks have none of the 0.3 s
        (7, 1.2),
    ],
)
def test_interrupts_are_counted_once_whether_or_not_the_kernel_counts_them_as_the_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hardware_s: int, capture_s: float
) -> None:
    """Two processors, 2 s: 2.1 s idle, 1.2 s the capture's, 0.3 s of interrupts in it, 0.4 s of another program."""
    ticks = os.sysconf("SC_CLK_TCK")
    now_s = 100.0
    monkeypatch.setattr("eyelevel.loads.inside.measuring.pressure.monotonic", lambda: now_s)
    capture, run = Group(tmp_path / "eyelevel-1"), Group(tmp_path / "eyelevel-1" / "run-x")
    run.path.mkdir(parents=True)

    def counted(*, idle_s: float, softirq_s: float, used_s: float) -> Reading:
        numbers = [0, 0, 0, idle_s, 0, hardware_s, softirq_s, 0]
        machine = ["cpu  " + " ".join(str(round(ticks * n)) for n in numbers), "cpu0 0", "cpu1 0", "intr 5"]
        (tmp_path / "stat").write_text("\n".join(machine))
        for group in (capture, run):
            (group.path / "cpu.stat").write_text(f"usage_usec {round(used_s * 1e6)}\nuser_usec 5\n")
        return reading(capture, run, tmp_path)

    before = counted(idle_s=50, softirq_s=3, used_s=10)
    now_s += 2
    found = measured(counted(idle_s=52.1, softirq_s=3.3, used_s=10 + capture_s), before)
    assert (found.outside_share, found.capture_share) == (0.1, capture_s / 4)


def test_the_first_hardware_interrupt_that_is_ever_counted_subtracts_nothing_from_before() -> None:
    first = replace(AFTER, interrupts_s=9.0)
    assert measured(first, replace(BEFORE, interrupts_apart=False)).outside_share == 0.125


def test_no_time_no_shares() -> None:
    assert pressure(BEFORE, BEFORE) is None
    assert idle_share(BEFORE, BEFORE) is None


def test_the_rule_knows_others_and_the_hypervisor_alone() -> None:
    busy = Pressure(0.06, 0.041, 0.8, 0.8, 0.0, 1.0, 1.0)
    with pytest.raises(
        VoidError, match=r"10\.1% .*programs 6\.0%, hypervisor 4\.1%.*max_outside_share is 10\.0%"
    ) as caught:
        judge_pressure(busy, most_outside=0.1)
    assert caught.value.cause is Cause.MACHINE_BUSY
    judge_pressure(replace(busy, steal_share=0.04), most_outside=0.1)
    judge_pressure(replace(busy, outside_share=0.0, steal_share=0.0), most_outside=0.0)
    judge_pressure(replace(busy, outside_share=1.0, steal_share=0.0), most_outside=1.0)
    judge_pressure(None, most_outside=0.0)


def test_the_kernels_counters(tmp_path: Path) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    numbers = [10, 20, 30, 400, 50, 6, 7, 80, 9, 9]
    lines = ["cpu  " + " ".join(str(ticks * n) for n in numbers), "cpu0 0", "cpu1 0", "cpu2 0", "intr 5"]
    (tmp_path / "stat").write_text("\n".join(lines))
    found = reading(None, None, tmp_path)
    assert found.processors == 3
    assert (found.idle_s, found.waiting_for_disk_s, found.interrupts_s, found.steal_s) == (400, 50, 13, 80)
    assert found.interrupts_apart
    assert (found.capture_s, found.run_s, found.some_waited_s) == (0, None, None)


def test_descendants_count_with_those_that_have_ended(tmp_path: Path) -> None:
    ticks = os.sysconf("SC_CLK_TCK")
    # own user and system time, and that of children that were waited for
    for pid, name, parent, times in (
        (7, "worker", 1, (1, 2, 3, 4)),
        (8, "a) b (", 7, (5, 6, 0, 0)),
        (9, "x", 1, (9, 9, 9, 9)),
    ):
        (tmp_path / str(pid)).mkdir()
        spent = " ".join(str(ticks * n) for n in times)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) S {parent} 0 0 0 0 0 0 0 0 0 {spent} 20 0")
    assert descendants_s(7, tmp_path) == 1 + 2 + 3 + 4 + 5 + 6
    assert descendants_s(8, tmp_path) == 11


def test_a_child_of_this_process_is_counted_while_it_runs_and_after_its_end() -> None:
    before_s = descendants_s(os.getpid())
    burn(0.3)
    assert 0.29 <= descendants_s(os.getpid()) - before_s <= 2


def burn(seconds: float, *, joined: Group | None = None) -> float:
    """A child that uses so much processor time; returns how much it did use."""
    command = [*joining(joined), sys.executable, "-c", BURN, str(seconds)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.root
def test_a_group_counts_its_run_apart_and_is_gone_in_the_end() -> None:
    with own_group() as group:
        if group is None:
            pytest.skip("this kernel gives no control group that only counts")
        with group.inner() as run, group.inner() as prelaunched:
            before = reading(group, run)
            used_s, spare_s = burn(0.4, joined=run), burn(0.2, joined=prelaunched)
            after = reading(group, run)
        assert (before.run_s, before.prelaunched_s) == (0, 0)
        assert after.run_s == pytest.approx(used_s, abs=0.05)
        assert after.prelaunched_s == pytest.approx(spare_s, abs=0.05)
        assert after.capture_s - before.capture_s >= used_s + spare_s
        assert list(group.path.glob("*/")) == []
    assert not group.path.exists()
    assert group.path.name not in Path("/proc/self/cgroup").read_text()


@pytest.mark.root
def test_interrupts_of_the_capture_hide_nothing_that_another_program_used() -> None:
    """A capture that sends packets all the time; what it makes the kernel do is not subtracted from others' time."""
    with own_group() as group:
        if group is None:
            pytest.skip("this kernel gives no control group that only counts")
        with group.inner() as run:
            sending = subprocess.Popen([*joining(run), sys.executable, "-c", SENDS])
            try:
                before = reading(group, run)
                used_s = burn(1.0, joined=Group(group.path.parent))
                after = reading(group, run)
            finally:
                sending.kill()
                sending.wait()
    found = measured(after, before)
    assert found.outside_share * (after.at_s - before.at_s) * after.processors >= used_s - 0.03


@pytest.mark.root
def test_what_a_killed_worker_left_is_removed_by_the_next() -> None:
    with own_group() as group:
        if group is None:
            pytest.skip("this kernel gives no control group that only counts")
        ended = subprocess.Popen(["true"])
        ended.wait()
        left = Group(group.path.parent / f"eyelevel-{ended.pid}")
        (left.path / "run-x").mkdir(parents=True)
    with own_group() as again:
        assert again is not None
        assert not left.path.exists()


def test_a_kernel_without_control_groups_gives_none(tmp_path: Path) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("5:cpu:/\n")
    with own_group(tmp_path) as group:
        assert group is None


@pytest.mark.parametrize(("weighted", "used"), [(False, True), (True, False)])
def test_a_group_with_a_weight_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, weighted: bool, used: bool
) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("0::/slice\n")
    mounted = tmp_path / "mounted"
    (mounted / "slice").mkdir(parents=True)
    (tmp_path / "self" / "mountinfo").write_text(f"36 25 0:31 / {mounted} rw,relatime - cgroup2 cgroup2 rw\n")
    make = Path.mkdir

    def with_weight(path: Path) -> None:
        make(path)
        (path / "cpu.weight").write_text("100\n")

    if weighted:
        monkeypatch.setattr(Path, "mkdir", with_weight)
    with own_group(tmp_path) as group:
        assert (group is not None) is used
        members = mounted / "slice" / f"eyelevel-{os.getpid()}" / "cgroup.procs"
        assert members.exists() is used
