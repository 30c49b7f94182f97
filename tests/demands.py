"""What a test needs of the machine: skipped with a reason where it is missing, failed where it is demanded.

`EYELEVEL_REQUIRE` lists what must be there: `root`, `browser`, `services`, `stores`, `slurm`, `ssh`, or `all`. With it,
a skip is a failure; only the folder of shared recordings and oracles may be absent.
"""

import importlib
import os
import shutil
from collections.abc import Callable, Generator
from typing import Any

import pytest
import s3_stores

ALL = ("root", "browser", "services", "stores", "slurm", "ssh")
SLURM = ("munged", "slurmctld", "slurmd", "sbatch")
MAY_BE_ABSENT = "EYELEVEL_SHARED"


def demanded() -> frozenset[str]:
    named = {part for part in os.environ.get("EYELEVEL_REQUIRE", "").replace(",", " ").split() if part}
    unknown = named - {*ALL, "all"}
    if unknown:
        raise pytest.UsageError(
            f"EYELEVEL_REQUIRE names {', '.join(sorted(unknown))}; it knows {', '.join(ALL)} and all."
        )
    return frozenset(ALL if "all" in named else named)


def _no_root() -> str | None:
    return None if os.geteuid() == 0 else "needs root for network namespaces"


def _no_browser() -> str | None:
    missing = [tool for tool in ("chromium", "ffmpeg", "Xvfb") if shutil.which(tool) is None]
    return f"needs {', '.join(missing)}" if missing else None


def _no_services() -> str | None:
    # the platform may not be installed on a capture machine
    missing: list[str] = importlib.import_module("embedded.servers").missing_servers()
    return f"needs {', '.join(missing)}" if missing else None


def _no_stores() -> str | None:
    missing = [name for name in s3_stores.SERVERS if s3_stores.program(name) is None]
    return f"needs {', '.join(missing)}" if missing else None


def _no_slurm() -> str | None:
    missing = [name for name in SLURM if shutil.which(name) is None]
    return f"needs {', '.join(missing)}" if missing else None


def _no_ssh() -> str | None:
    missing = [name for name in ("sshd", "ssh", "ssh-keygen") if shutil.which(name) is None]
    return f"needs {', '.join(missing)}" if missing else None


CHECKS: dict[str, Callable[[], str | None]] = {
    "root": _no_root,
    "browser": _no_browser,
    "services": _no_services,
    "stores": _no_stores,
    "slurm": _no_slurm,
    "ssh": _no_ssh,
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    for need, check in CHECKS.items():
        if item.get_closest_marker(need) is None:
            continue
        reason = check()
        if reason is not None and need in demanded():
            pytest.fail(f"{reason}, and EYELEVEL_REQUIRE demands it", pytrace=False)
        if reason is not None:
            pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, Any]:
    report = yield
    if report.skipped and demanded() == frozenset(ALL) and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if MAY_BE_ABSENT not in reason:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} was skipped ({reason}), but EYELEVEL_REQUIRE demands everything"
    return report
