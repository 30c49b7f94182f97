"""Reads and writes the JSON objects of a campaign's store and checks them against their contracts."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from eyelevel.capture.blocks import keys
from eyelevel.errors import BadInputError
from eyelevel_core.contracts import ContractError, check, parse_json
from eyelevel_core.model.block_result import BlockResult, PreparedSite, SharedCampaign, SharedMachine
from eyelevel_core.model.record import Record
from eyelevel_core.model.take import FileEntry
from eyelevel_store import Store

R = TypeVar("R", bound=Record)

# requests are limited by the store, not by the processor
AT_ONCE = 16


@dataclass(frozen=True)
class CampaignStore:
    """The objects of one campaign. Methods raise StoreError, or BadInputError for an object that is not valid."""

    store: Store

    def campaign(self) -> SharedCampaign | None:
        return self._read(keys.CAMPAIGN, SharedCampaign)

    def begin(self, campaign: SharedCampaign, file: Path) -> SharedCampaign:
        """Store the campaign and its file unless another machine was first; returns the stored campaign."""
        self.keep_file(FileEntry(sha256=campaign.campaign_sha256, bytes=file.stat().st_size), file)
        self.store.put_new(keys.CAMPAIGN, _bytes(campaign))
        stored = self.campaign()
        if stored is None:
            raise BadInputError(f"{self.store.address} does not keep written files; give another store.")
        return stored

    def results(self, block: str | None = None) -> dict[str, list[BlockResult]]:
        """Returns the recorded attempts of one or all blocks, in order, by block."""
        prefix = keys.RESULTS if block is None else f"{keys.RESULTS}{block}/"
        results: dict[str, list[BlockResult]] = {}
        for result in self._all(prefix):
            results.setdefault(result.block, []).append(result)
        return results

    def apart(self) -> list[BlockResult]:
        """Returns late results, which do not count."""
        return list(self._all(keys.APART))

    def record(self, result: BlockResult) -> bool:
        """Record an attempt's result. If another machine was first, store it under `apart/` and return False."""
        data = _bytes(result)
        if self.store.put_new(keys.result(result.block, result.attempt), data):
            return True
        self.store.put(keys.apart(result.block, result.attempt, result.id), data)
        return False

    def site(self, name: str) -> PreparedSite | None:
        return self._read(keys.site(name), PreparedSite)

    def offer_site(self, name: str, prepared: PreparedSite) -> PreparedSite:
        """Store the preparation unless another machine was first; returns the stored one."""
        self.store.put_new(keys.site(name), _bytes(prepared))
        return self.site(name) or prepared

    def machine(self, fingerprint: str) -> SharedMachine | None:
        return self._read(keys.machine(fingerprint), SharedMachine)

    def machines(self) -> dict[str, SharedMachine]:
        """Returns all machines by fingerprint."""
        machines = {}
        for stored in self.store.list(keys.MACHINES):
            machine = self._read(stored.key, SharedMachine)
            if machine is not None:
                machines[machine.machine.fingerprint] = machine
        return machines

    def keep_machine(self, machine: SharedMachine) -> None:
        self.store.put(keys.machine(machine.machine.fingerprint), _bytes(machine))

    def has_sentinel(self, fingerprint: str, day: str) -> bool:
        return self.store.find(keys.sentinel(fingerprint, day)) is not None

    def record_sentinel(self, day: str, result: BlockResult) -> None:
        """Record the machine's sentinel runs of a day unless they are recorded."""
        self.store.put_new(keys.sentinel(result.machine.fingerprint, day), _bytes(result))

    def sentinels(self) -> dict[str, BlockResult]:
        """Returns sentinel results by FINGERPRINT-DAY."""
        sentinels = {}
        for stored in self.store.list(keys.SENTINELS):
            result = self._read(stored.key, BlockResult)
            if result is not None:
                sentinels[stored.key.removeprefix(keys.SENTINELS).removesuffix(".json")] = result
        return sentinels

    def keep_file(self, entry: FileEntry, data: Path) -> None:
        """Upload a file under its digest unless it exists."""
        stored = self.store.find(keys.file(entry.sha256))
        if stored is None or stored.bytes != entry.bytes:
            self.store.put(keys.file(entry.sha256), data)

    def _all(self, prefix: str) -> Iterator[BlockResult]:
        stored_keys = [stored.key for stored in self.store.list(prefix)]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for result in pool.map(lambda key: self._read(key, BlockResult), stored_keys):
                if result is not None:
                    yield result

    def _read(self, key: str, kind: type[R]) -> R | None:
        source = f"{self.store.address}/{key}"
        try:
            value = parse_json(self.store.read(key))
            check(value, _contract(kind), source=source)
        except FileNotFoundError:
            return None
        except (ValueError, ContractError) as error:
            message = str(error) if isinstance(error, ContractError) else f"{source} is not JSON: {error}."
            raise BadInputError(f"{message} Delete it if no campaign wrote it.") from error
        return kind.of(value)


def _contract(kind: type[Record]) -> str:
    """Returns the contract's file name, such as block-result.1."""
    return (kind.CONTRACT or "").removeprefix("eyelevel/").replace("/", ".")


def _bytes(record: Record) -> bytes:
    value = record.as_json()
    check(value, _contract(type(record)), source=str(record.CONTRACT))
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"
