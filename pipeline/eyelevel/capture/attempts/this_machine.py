"""The machine that films: its name, its hardware, and when it was started."""

import os
import platform
import re
from functools import cache
from pathlib import Path

from eyelevel_core.contracts import sha256_of_json
from eyelevel_core.model.machine import Machine

NAMED_BY = "EYELEVEL_MACHINE"
BOOT = Path("/proc/sys/kernel/random/boot_id")
GIB = 1 << 30


def machine_name() -> str:
    """The host name, or what EYELEVEL_MACHINE says: a container's own name is another one each time."""
    return os.environ.get(NAMED_BY) or platform.node() or "unnamed"


@cache
def this_machine() -> Machine:
    """The fingerprint changes with the name, the processors and the memory, and with nothing else."""
    processor, memory = _processor(), _memory_bytes()
    processors = len(os.sched_getaffinity(0))
    # the kernel keeps some memory for itself, and not always the same
    seen = [machine_name(), processor, processors, round(memory / GIB)]
    return Machine(
        fingerprint=sha256_of_json(seen)[:16], processor=processor, processors=processors, memory_bytes=memory
    )


def boot() -> str:
    """The kernel's id of this boot."""
    return BOOT.read_text().strip()


def _processor() -> str | None:
    found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return found.group(1).strip() if found else None


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
