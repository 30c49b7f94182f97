"""Identifies the capture machine: its name, hardware and boot."""

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
    """Returns EYELEVEL_MACHINE or the host name. A container needs the variable, because its host name changes."""
    return os.environ.get(NAMED_BY) or platform.node() or "unnamed"


@cache
def this_machine() -> Machine:
    """Returns the machine. Its fingerprint depends only on name, processors and memory."""
    processor, memory = _processor(), _memory_bytes()
    processors = len(os.sched_getaffinity(0))
    # rounded, because the kernel reserves a varying amount
    seen = [machine_name(), processor, processors, round(memory / GIB)]
    return Machine(
        fingerprint=sha256_of_json(seen)[:16], processor=processor, processors=processors, memory_bytes=memory
    )


def boot() -> str:
    """Returns the kernel's id of this boot."""
    return BOOT.read_text().strip()


def _processor() -> str | None:
    match = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return match.group(1).strip() if match else None


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
