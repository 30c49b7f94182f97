"""Made batches with known answers: planted gains, planted nulls, planted faults; in memory or as a folder."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from eyelevel_core.batch_folder import BatchFolder
from eyelevel_core.contracts import sha256_of_bytes, sha256_of_json
from tests.core.made import replay_check

METRICS = ("fvc", "si", "vc85", "lvc", "plt")
# about what a page of the fixtures takes, by metric
TYPICAL_MS = {"fvc": 600.0, "si": 1000.0, "vc85": 1300.0, "lvc": 2200.0, "plt": 2000.0}
REQUEST = {
    "url": "https://ads.example/",
    "method": "GET",
    "kind": "exact",
    "matched_url": "https://ads.example/",
    "status": 200,
    "body_bytes": 10,
}
ANSWER = {"matched_url": "https://ads.example/banner.js?slot=1", "status": 200, "body_bytes": 7000}
HOW = "scheduler is rfc9218 with QUIC and round-robin with TCP+, which their definitions do not say"
NO_LOSSES: Sequence[Mapping[str, float | None]] = [{"lost_changes": 0, "unquiet_frames": 0, "late_ms": 2.5}]
RTT_MS = {"DSL": 24.0, "LTE": 74.0, "DA2GC": 262.0, "MSS": 760.0}


@dataclass(frozen=True)
class Plan:
    """`log_gain` by stack is planted in every metric, alike for all sites but for `site_sd`; runs vary by `run_sd`."""

    sites: Sequence[str] = ("alpha", "beta", "gamma")
    networks: Sequence[str] = ("DSL",)
    stacks: Sequence[str] = ("TCP+", "QUIC")
    runs: int = 5
    log_gain: Mapping[str, float] = field(default_factory=dict)
    site_sd: float = 0.0
    run_sd: float = 0.1
    block_sd: float = 0.0
    seed: int = 1
    paired: bool = False
    # beginnings of the paths of runs that have no take
    without: tuple[str, ...] = ()
    toml: str = ""
    # paths of runs that never settled, and of runs whose Speed Index is unknown
    unsettled: frozenset[str] = frozenset()
    without_si: frozenset[str] = frozenset()
    # by site: exact, inexact and missed of every take
    fidelity: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    servers: Mapping[str, int] = field(default_factory=dict)
    # sites whose replay check missed a style sheet, and sites that were not checked; the others pass
    lacking: Sequence[str] = ()
    unchecked: Sequence[str] = ()
    # paths of takes that lack an answer, and of those whose settings on the wire contradict their scene
    served_otherwise: Sequence[str] = ()
    unlike: Sequence[str] = ()
    network_failed: Sequence[str] = ()
    zero_error_ms: Mapping[str, float | None] = field(default_factory=dict)
    # beginnings of the paths of takes whose first paint does not explain the film's first change
    paint_unknown: tuple[str, ...] = ()
    clock_known: bool = True
    # by stack: the share of time in which some task of the run waited for a processor
    waiting_share: Mapping[str, float] = field(default_factory=dict)
    # by how much the machine is slower in some runs than in others (standard deviation of its logarithm): so much more
    # processor time the same work takes, and so much longer all metrics are; None: nobody counts processor time
    machine_sd: float | None = None
    # logarithms by which several machines are slower, which film the blocks in turn; none: takes name no machine
    machines: Sequence[float] = ()
    # by stack, in turn from run to run: what a film lacks
    films: Mapping[str, Sequence[Mapping[str, float | None]]] = field(default_factory=dict)
    # by beginning of the path: tiles that moved outside the mask, and regions that never appeared; others have neither
    motion: Mapping[str, tuple[Sequence[tuple[int, int]], Sequence[int]]] | None = None
    # by network, beside the round trip; unknown where it is not given
    down_mbps: Mapping[str, float | str] = field(default_factory=dict)
    # whole definitions, where they matter: of networks, and of stacks
    networks_as: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    stacks_as: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # by stack: values of every take in place of made ones, responses over HTTP/3 of 4, and entries of its HAR
    metrics_as: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    over_h3: Mapping[str, int] = field(default_factory=dict)
    har: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)


def takes(plan: Plan) -> dict[str, dict[str, Any]]:
    """Values of the contract take.1 by path, with the digest of each wire report that `wire` makes."""
    random = np.random.default_rng(plan.seed)
    found = {}
    for place, site in enumerate(plan.sites):
        for network in plan.networks:
            rtt_ms = plan.networks_as.get(network, {}).get("rtt_ms", RTT_MS.get(network, 50.0))
            level = math.log(2) * place / max(1, len(plan.sites)) + rtt_ms / 400
            gains = {stack: plan.log_gain.get(stack, 0.0) + random.normal(0, plan.site_sd) for stack in plan.stacks}
            shared = random.normal(0, plan.block_sd, size=plan.runs)
            for stack in plan.stacks:
                for run in range(1, plan.runs + 1):
                    path = f"takes/{site}/{network}/{stack}/run-{run:02d}"
                    if path.startswith(plan.without):
                        continue
                    noise = random.normal(0, plan.run_sd, size=len(METRICS)) + shared[run - 1]
                    slower = random.normal(0, plan.machine_sd) if plan.machine_sd else 0.0
                    machine = (run - 1) % max(1, len(plan.machines))
                    slower += plan.machines[machine] if plan.machines else 0.0
                    logs = dict(zip(METRICS, level + gains[stack] + noise + slower, strict=True))
                    zero, spread = plan.zero_error_ms.get(stack, 5.0), random.normal(0, 2.0)
                    found[path] = _take(
                        plan,
                        path,
                        {name: TYPICAL_MS[name] * math.exp(logs[name]) for name in logs},
                        None if zero is None or path.startswith(plan.paint_unknown) else zero + spread,
                    ) | _processors(plan, level + slower)
                    if plan.machines:
                        found[path]["provenance"]["machine"] = {
                            "fingerprint": f"{machine:016x}", "processor": "Made 1000", "processors": 2,
                            "memory_bytes": 1 << 33,
                        }  # fmt: skip
    return found


def write(plan: Plan, folder: Path, *, attempts: Sequence[Mapping[str, Any]] | None = ()) -> Path:
    """A batch folder as capture leaves it, without films and clips; `attempts` are lines beside those of the takes."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "campaign.toml").write_text(campaign(plan))
    lines = list(attempts or ())
    for path, value in takes(plan).items():
        (folder / path).mkdir(parents=True)
        (folder / path / "take.json").write_text(json.dumps(value))
        (folder / path / "wire.json").write_bytes(_wire_bytes(plan, value["site"], value["stack"]["name"]))
        if "page.har" in value["files"]:
            (folder / path / "page.har").write_bytes(_har_bytes(plan, value["stack"]["name"]))
        outcome = "valid" if value["outcome"] == "settled" else "censored"
        lines.append({"run": path, "attempt": 1, "outcome": outcome, "cause": None, "detail": None})
    (folder / "fidelity.json").write_text(json.dumps(fidelity(plan)))
    for site in set(plan.sites) - set(plan.unchecked):
        BatchFolder(folder).write_check(site, replay_check(lacks_style_sheet=site in plan.lacking))
    if attempts is not None:
        (folder / "attempts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def fidelity(plan: Plan) -> list[dict[str, Any]]:
    """One entry per scene, as capture writes it."""
    scenes: dict[tuple[str, str], list[str]] = {}
    for path, value in takes(plan).items():
        scenes.setdefault((value["site"], value["network"]["name"]), []).append(path)
    return [
        {
            "site": site,
            "network": network,
            "cache": "cold",
            "takes": sorted(paths),
            "not_comparable": [],
            "differences": [
                {"take": path, "lacks": [ANSWER], "adds": []} for path in paths if path in plan.served_otherwise
            ],
            "across_load": [],
            "network_failed": {path: [ANSWER["matched_url"]] for path in paths if path in plan.network_failed},
            "settings_differ": [
                {"take": path, "than": min(paths), "how": [HOW]} for path in paths if path in plan.unlike
            ],
            "inexact": {},
            "missed": {},
        }
        for (site, network), paths in scenes.items()
    ]


def void(path: str, cause: str = "browser died") -> dict[str, Any]:
    return {"run": path, "attempt": 1, "outcome": "void", "cause": cause, "detail": "made"}


def campaign(plan: Plan) -> str:
    head = {
        "contract": "eyelevel/campaign/1",
        "name": "made",
        "seed": plan.seed,
        "runs": plan.runs,
        "networks": list(plan.networks),
        "stacks": list(plan.stacks),
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in head.items()]
    lines += ["paired = true"] if plan.paired else []
    lines += [plan.toml]
    for site in plan.sites:
        lines += ["[[sites]]", f'name = "{site}"', f'recording = "{site}.warc.gz"']
    return "\n".join(lines) + "\n"


def wire(plan: Plan, site: str, stack: str = "") -> dict[str, Any]:
    """A wire report without what a comparison does not read."""
    over_h3 = plan.over_h3.get(stack)
    protocols = {} if over_h3 is None else {"protocols": {"h3": over_h3, "h2": 4 - over_h3}}
    servers = plan.servers.get(site, 3)
    connections = [
        {"address": f"192.0.2.{i + 1}:443", "requests": 4, "body_bytes_sent": 50_000} for i in range(servers)
    ]
    same = {"name": "same", "digest": "0" * 64, "definition": {}}
    link = {"forwarded_bytes": 55_000 * servers, "drops_emulation": 0, "oversized": 0}
    if protocols:
        link |= {"packets": 40 * servers, "bytes": 56_000 * servers, "drops_queue": 3, "drops_loss": 2}
    return {
        "testbed_version": "0.1.0",
        "recording": {"digest": "0" * 64},
        "stack": same,
        "network": same,
        "scheduler": "rfc9218",
        "seed": 1,
        "contradictions": [],
        "link": {"down": link, "up": link},
        "server": {
            "start_url": f"https://{site}.example/",
            "grouping": "recorded",
            "connections": connections,
            "requests": [REQUEST] * 4 * servers,
            "origins": [f"{site}.example:443"],
            **protocols,
        },
    }


def _wire_bytes(plan: Plan, site: str, stack: str) -> bytes:
    return json.dumps(wire(plan, site, stack)).encode()


def _har_bytes(plan: Plan, stack: str) -> bytes:
    return json.dumps({"log": {"entries": list(plan.har[stack])}}).encode()


def _network(plan: Plan, name: str) -> Mapping[str, Any]:
    if name in plan.networks_as:
        return plan.networks_as[name]
    rates = {"down_mbps": plan.down_mbps[name]} if name in plan.down_mbps else {}
    return {"rtt_ms": RTT_MS[name], **rates}


def _pressure(plan: Plan, stack: str, run: int) -> dict[str, Any]:
    """A percent more or less from run to run, and nothing where the plan plants none."""
    if stack not in plan.waiting_share:
        return {}
    spread = (run % 3 - 1) / 100
    return {
        "pressure": {
            "outside_share": 0.03 + spread, "steal_share": 0.01, "capture_share": 0.5, "run_share": 0.4,
            "prelaunched_share": 0.0, "waiting_some_share": round(plan.waiting_share[stack] + spread, 4),
            "waiting_full_share": None,
        },
    }  # fmt: skip


def _processors(plan: Plan, log: float) -> dict[str, Any]:
    """The run uses 0.4 of the processors until the next one begins."""
    if plan.machine_sd is None:
        return {}
    shares = dict.fromkeys(("waiting_some_share", "waiting_full_share"))
    pressure = {"outside_share": 0.0, "steal_share": 0.0, "capture_share": 0.5, "run_share": 0.4}
    next_began_ms = round(1500 * math.exp(log), 3)
    return {"pressure": {**pressure, "prelaunched_share": 0.0, **shares}, "next_began_ms": next_began_ms}


def _losses(plan: Plan, stack: str, run: int) -> Mapping[str, float | None]:
    losses = plan.films.get(stack, NO_LOSSES)
    return losses[run % len(losses)]


def _motion(plan: Plan, path: str) -> dict[str, Any]:
    """Of a page whose mask has two regions; nothing where the plan has no masks."""
    if plan.motion is None:
        return {}
    outside, missing = next((tiles for begin, tiles in plan.motion.items() if path.startswith(begin)), ((), ()))
    appeared = [None if number in missing else 500.0 for number in range(2)]
    flags = {"animated": False, "timed": True}
    return {
        "motion": {
            **flags, "appeared_ms": appeared, "region_missing": [*missing], "outside": [list(tile) for tile in outside]
        }
    }  # fmt: skip


def _of_the_browser(main: Mapping[str, float], number: int) -> dict[str, float]:
    """Times with the gains of the main metrics; blocking and shifts only in every second run, alike for all stacks."""
    amount = 0.0 if number % 2 else 1.0
    return {
        "fcp_ms": round(main["fvc"] * 0.98, 3),
        "lcp_ms": round(main["vc85"] * 0.97, 3),
        "cls": amount / 8,
        "cls_sum": amount / 4,
        "tbt_ms": amount * 90,
        "tti_ms": round(main["plt"] * 1.1, 3),
        "dcl_ms": round(main["plt"] * 0.8, 3),
        "ttfb_ms": round(main["fvc"] * 0.5, 3),
    }


def _take(plan: Plan, path: str, metrics: Mapping[str, float], zero_error_ms: float | None) -> dict[str, Any]:
    _, site, network, stack, run = path.split("/")
    settled = path not in plan.unsettled
    known: dict[str, float | None] = {f"{name}_ms": round(value, 3) for name, value in metrics.items()}
    known |= _of_the_browser(metrics, int(run.removeprefix("run-")))
    if not settled:
        known |= dict.fromkeys(("plt_ms", "tbt_ms", "tti_ms"))
    if path in plan.without_si:
        known["si_ms"] = None
    known |= plan.metrics_as.get(f"{network}/{stack}", plan.metrics_as.get(stack, {}))
    exact, inexact, missed = plan.fidelity.get(site, (20, 0, 0))
    files = {"wire.json": _wire_bytes(plan, site, stack)}
    if stack in plan.har:
        files["page.har"] = _har_bytes(plan, stack)
    return {
        "contract": "eyelevel/take/1",
        "site": site,
        "recording": sha256_of_json(site),
        "start_url": f"https://{site}.example/",
        "network": {"name": network, "digest": sha256_of_json(network), "definition": _network(plan, network)},
        "stack": {
            "name": stack,
            "digest": sha256_of_json(stack),
            "definition": {"name": stack, **plan.stacks_as.get(stack, {})},
        },
        "cache": "cold",
        "run": int(run.removeprefix("run-")),
        "seed": 1,
        "attempt": 1,
        "outcome": "settled" if settled else "unsettled",
        "viewport": {"width_px": 1280, "height_px": 720},
        "film": {
            "path": "film.mkv",
            "frames": 100,
            **_losses(plan, stack, int(run.removeprefix("run-"))),
            "zero_error_ms": None if zero_error_ms is None else round(zero_error_ms, 3),
            "clock_error_ms": (0.2 if stack == "QUIC" else 0.1) if plan.clock_known else None,
            "clock_bound_ms": 0.5,
        },
        "metrics": known,
        "settled_ms": 5000.0 if settled else None,
        "fidelity": {
            "exact": exact,
            "equivalent": 0,
            "inexact": inexact,
            "missed": missed,
            "before_load_digest": sha256_of_json(site),
        },
        "provenance": {
            "tools": {"chromium": "1.0"},
            "fonts_digest": "0" * 64,
            "browser_arguments": [],
            "page_script_digest": "0" * 64,
            "servers_by": "recorded",
        },
        **_pressure(plan, stack, int(run.removeprefix("run-"))),
        **_motion(plan, path),
        "files": {name: {"sha256": sha256_of_bytes(data), "bytes": len(data)} for name, data in files.items()},
    }
