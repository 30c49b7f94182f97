"""Whether the kernel can hold a session back is told from its switch and from the groups that we are in."""

from pathlib import Path

import pytest

from eyelevel.loads.inside.autogroup import can_hold_back


@pytest.mark.parametrize(
    ("switch", "groups", "weighted", "can"),
    [
        ("1", "5:cpu,cpuacct:/\n0::/\n", None, True),
        ("1", "0::/init.scope\n", None, True),
        ("0", "0::/\n", None, False),
        ("1", "5:cpu,cpuacct:/docker/1\n", None, False),
        ("1", "5:cpuset:/docker/1\n", None, True),
        ("1", "0::/\n", "", False),
        ("1", "0::/system.slice\n", "system.slice", False),
    ],
)
def test_sessions_count_where_the_switch_is_on_and_no_group_comes_before(
    tmp_path: Path, *, switch: str, groups: str, weighted: str | None, can: bool
) -> None:
    (tmp_path / "proc" / "self").mkdir(parents=True)
    (tmp_path / "proc" / "self" / "cgroup").write_text(groups)
    (tmp_path / "switch").write_text(f"{switch}\n")
    if weighted is not None:
        (tmp_path / "cgroups" / weighted).mkdir(parents=True)
        (tmp_path / "cgroups" / weighted / "cpu.weight").write_text("100\n")
    assert can_hold_back(tmp_path / "switch", tmp_path / "cgroups", tmp_path / "proc") is can


def test_a_kernel_without_the_switch_cannot(tmp_path: Path) -> None:
    assert not can_hold_back(tmp_path / "none")
