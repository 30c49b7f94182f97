"""A campaign: what to capture and how, with every default applied. Contract campaign.1, written as TOML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from eyelevel_core.contracts import ContractError, check, schema
from eyelevel_core.contracts.defaults import with_defaults
from eyelevel_core.model.device import DESKTOP, DEVICES, Device, Viewport

CONTRACT = "campaign.1"
# of a site, as the contracts have it
LONGEST_NAME = 64


@dataclass(frozen=True)
class CampaignSite:
    """`recording` is the path of the WARC as the campaign file gives it; `start_url` None: the recording's own."""

    name: str
    recording: str
    start_url: str | None = None
    device: Device = DESKTOP

    def on(self, device: Device) -> "CampaignSite":
        """Returns the site on that device: under its name on a desktop, else as NAME-DEVICE."""
        return replace(self, name=_name_on(self.name, device.name), device=device)


@dataclass(frozen=True)
class ClipRules:
    """Rules for making clips: the runs shown, the length of the lead-in, and the end. The table `[clips]`.

    `quantiles` are sorted. `identical`: whether there are A/A pairs. `control_delay_ms`: how long control clips delay a
    load; 0 for no control clips. `paired`: all stacks show the same runs, as the runs of a block share their seed.
    """

    quantiles: tuple[float, ...]
    still_ms: float
    tail_ms: float
    cap_ms: float
    researcher: bool
    identical: bool = False
    control_delay_ms: float = 0
    paired: bool = False

    @property
    def runs(self) -> int:
        """The number of shown runs of a stack, site and network, if there are as many: medoid and quantiles."""
        return 1 + len(self.quantiles)


@dataclass(frozen=True)
class Sentinel:
    """Runs that each machine films once a day, of one site over the first network and stack. The table `[sentinel]`."""

    site: str
    runs: int


@dataclass(frozen=True)
class Campaign:
    """Fields as in the contract, in its units, with its defaults.

    `caches` is the contract's `cache`. `networks` are names in the file's order; `own_networks` has the tables of those
    that the file itself defines. A pair is (reference, new). `runs_of` returns the number of runs of a network. `sites`
    has each site of the file once for each device. `viewport` is that of pages on a desktop.
    """

    name: str
    seed: int
    runs: int
    caches: tuple[str, ...]
    skip_without_effect: bool
    paired: bool
    prelaunch: bool
    max_attempts: int
    max_outside_share: float
    scheduler: str
    priority_updates: str
    group_by: str
    limit_s: float
    limits_s: Mapping[str, float]
    quiet_ms: float
    viewport: Viewport
    networks: tuple[str, ...]
    stacks: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    sites: tuple[CampaignSite, ...]
    clips: ClipRules
    own_networks: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    runs_on: Mapping[str, int] = field(default_factory=dict)
    max_machine_share: float = 1.0
    sentinel: Sentinel | None = None

    @classmethod
    def of(cls, value: Mapping[str, Any], *, source: str) -> "Campaign":
        """Parses a campaign file. Raise ContractError with a sentence that names `source` and the fault."""
        check(value, CONTRACT, source=source)
        for sentence in _contradictions(value):
            raise ContractError(f"{source}: {sentence}")
        whole = with_defaults(value, schema(CONTRACT))
        networks, clips, slowdown = value["networks"], whole["clips"], whole["processor_slowdown"]
        devices = [_slowed(DEVICES[name], slowdown) for name in whole["devices"]]
        defined = {name: table for name, table in networks.items() if table} if isinstance(networks, Mapping) else {}
        same = (
            *("name", "seed", "runs", "runs_on", "paired", "max_attempts", "max_outside_share", "max_machine_share"),
            "scheduler",
        )
        rates = (
            "skip_without_effect",
            "prelaunch",
            "priority_updates",
            "group_by",
            "limit_s",
            "limits_s",
            "quiet_ms",
        )
        return cls(
            **{name: whole[name] for name in (*same, *rates)},
            caches=tuple(whole["cache"]),
            viewport=Viewport.of(whole["viewport"]),
            networks=tuple(networks),
            stacks=tuple(whole["stacks"]),
            pairs=tuple((pair[0], pair[1]) for pair in whole["pairs"]),
            sites=tuple(CampaignSite(**site).on(device) for site in whole["sites"] for device in devices),
            clips=ClipRules(**{**clips, "quantiles": tuple(sorted(clips["quantiles"]))}, paired=whole["paired"]),
            own_networks=defined,
            sentinel=Sentinel(**whole["sentinel"]) if "sentinel" in value else None,
        )

    def site(self, name: str) -> CampaignSite:
        return next(site for site in self.sites if site.name == name)

    def viewport_of(self, site: str) -> Viewport:
        """Returns the size of that site's page."""
        return self.site(site).device.page(self.viewport)

    @property
    def devices(self) -> tuple[Device, ...]:
        return tuple({site.device.name: site.device for site in self.sites}.values())

    def skips(self, cache: str, *, discovers: bool) -> bool:
        """Whether a stack has no runs in that cache mode, which equals `cold` for it (see skip_without_effect).

        `discovers`: the stack discovers QUIC. Other stacks have no alternative services to remember.
        """
        return self.skip_without_effect and cache == "altsvc" and not discovers

    def runs_of(self, network: str) -> int:
        """Returns the number of runs of each site, stack and cache mode over that network."""
        return self.runs_on.get(network, self.runs)

    @property
    def most_runs(self) -> int:
        """The number of runs of a site, stack and cache mode over the network that has most."""
        return max(self.runs_of(network) for network in self.networks)

    def limit_s_of(self, network: str) -> float:
        """Returns the length limit of takes over that network; a page that has not settled by then is censored."""
        return float(self.limits_s.get(network, self.limit_s))

    @property
    def limits_ms(self) -> Mapping[str, float]:
        """The length limits of takes in ms, by network."""
        return {network: self.limit_s_of(network) * 1000 for network in self.networks}


def _name_on(site: str, device: str) -> str:
    return site if device == DESKTOP.name else f"{site}-{device}"


def _slowed(device: Device, slowdown: float) -> Device:
    return device if device == DESKTOP else replace(device, processor_slowdown=slowdown)


def _contradictions(value: Mapping[str, Any]) -> Iterator[str]:
    """Yields contradictions that a schema cannot express."""
    devices = value.get("devices", [DESKTOP.name])
    names = [_name_on(site["name"], device) for site in value["sites"] for device in devices]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two sites are named {name!r}; names must differ."
    for name in (name for name in names if len(name) > LONGEST_NAME):
        yield f"the site's name on its device is {name!r}, which is longer than {LONGEST_NAME} characters; shorten it."
    sentinel = value.get("sentinel", {}).get("site")
    if sentinel is not None and sentinel not in names:
        yield f"sentinel names the site {sentinel!r}, but the campaign's sites are {', '.join(names)}."
    if "processor_slowdown" in value and devices == [DESKTOP.name]:
        yield "processor_slowdown applies to phones, but devices names none; remove it, or set devices = ['phone']."
    if "viewport" in value and DESKTOP.name not in devices:
        yield "viewport is the size of a page on a desktop, which devices does not name; remove it."
    if value.get("skip_without_effect") and "cold" not in value.get("cache", ["cold"]):
        yield "skip_without_effect needs the cache mode cold, whose runs replace the skipped ones; add it to cache."
    for stack in sorted({stack for pair in value.get("pairs", []) for stack in pair} - set(value["stacks"])):
        yield f"pairs names the stack {stack!r}, which is not among the campaign's stacks."
    for table in ("runs_on", "limits_s"):
        for network in sorted(set(value.get(table, {})) - set(value["networks"])):
            yield f"{table} names the network {network!r}, which is not among the campaign's."
