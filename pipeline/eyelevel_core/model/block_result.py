"""The JSON objects in the store of a shared campaign: contracts shared-campaign.1, shared-machine.1, and so on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from eyelevel_core.model.attempt import Attempt
from eyelevel_core.model.machine import Machine
from eyelevel_core.model.record import Record
from eyelevel_core.model.take import FileEntry


@dataclass(frozen=True)
class SharedCampaign(Record):
    """The data that must be identical on all machines of a campaign."""

    CONTRACT: ClassVar[str] = "eyelevel/shared-campaign/1"

    campaign_sha256: str
    plan_sha256: str
    testbed_sha256: str
    chromium: str | None
    fonts_digest: str
    blocks: int


@dataclass(frozen=True)
class SharedMachine(Record):
    """A machine, and its newest calibration, which was made since the boot `boot`."""

    CONTRACT: ClassVar[str] = "eyelevel/shared-machine/1"

    name: str
    machine: Machine
    boot: str
    calibration: FileEntry | None
    calibrated_at: str | None


@dataclass(frozen=True)
class PreparedSite(Record):
    """Files by their path in a batch folder: motion mask, volatile parameters and replay check of one site."""

    CONTRACT: ClassVar[str] = "eyelevel/prepared-site/1"

    files: Mapping[str, FileEntry]
    by: Machine


@dataclass(frozen=True)
class BlockResult(Record):
    """The result of one attempt at a block.

    `id` is random, so that no two machines write the same bytes. `attempts` has a line per run that was tried, `takes`
    the files of each take by its run's path; empty if the attempt is void.
    """

    CONTRACT: ClassVar[str] = "eyelevel/block-result/1"

    id: str
    block: str
    attempt: int
    name: str
    machine: Machine
    ended_at: str
    attempts: tuple[Attempt, ...]
    takes: Mapping[str, Mapping[str, FileEntry]]
    calibration: FileEntry | None

    @property
    def complete(self) -> bool:
        """Whether the result has the takes of all runs."""
        return bool(self.takes)
