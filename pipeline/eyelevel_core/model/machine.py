"""A capture machine, as takes and results name it."""

from dataclasses import dataclass

from eyelevel_core.model.record import Record


@dataclass(frozen=True)
class Machine(Record):
    """`fingerprint` identifies the machine without naming it: the start of a digest of name and hardware.

    `processors` counts those that the kernel may use; `memory_bytes` is the memory of the whole machine.
    """

    fingerprint: str
    processor: str | None
    processors: int
    memory_bytes: int
