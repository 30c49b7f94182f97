"""Settings parity: checks that two wire reports differ only in settings that their stacks' definitions explain.

A report contains settings and outcomes. Settings are choices: they may differ between two stacks only where the
definitions differ in a field that decides them. Outcomes (flows, link counters, requests, times) result from the page,
the network and chance, and may always differ.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from eyelevel_core.model.wire import WireReport

IN_FORCE = "wire.settings."
# Settings measured on the wire, and the fields of a stack's definition that decide each of them.
DECIDED_BY: Mapping[str, frozenset[str]] = {
    "transport": frozenset({"transport", "alt_svc"}),
    "alpn": frozenset({"transport", "http", "alt_svc"}),
    "tls": frozenset(),
    "handshake_round_trips": frozenset({"transport", "early_data", "alt_svc", "retry"}),
    "early_data": frozenset({"early_data"}),
    "resumption": frozenset({"early_data", "tickets"}),
    "initial_window_packets": frozenset({"initial_window_packets", "tcp_side"}),
    "congestion_control": frozenset({"congestion_control", "emulated_connections", "tcp_side"}),
    "pacing": frozenset({"pacing", "tcp_side"}),
    "send_buffer_bytes": frozenset({"transport", "buffers", "initial_window_packets", "alt_svc", "tcp_side"}),
    "receive_buffer_bytes": frozenset({"transport", "buffers", "alt_svc", "tcp_side"}),
    "kernel.slow_start_after_idle": frozenset({"slow_start_after_idle", "tcp_side"}),
    "kernel.tcp_wmem_bytes": frozenset({"buffers", "tcp_side"}),
    "kernel.tcp_rmem_bytes": frozenset({"buffers", "tcp_side"}),
}
# A stack that discovers QUIC has settings for two transports. Which of them carry a load is an outcome, so these differ
# between two of its takes, too; the testbed compares each connection with the definition.
TWO_SIDED = frozenset({"alt_svc", "tcp_side"})


def discovers_quic(definition: Mapping[str, object]) -> bool:
    """Whether the browser discovers QUIC by Alt-Svc over a stack with this definition."""
    return bool(definition.get("alt_svc"))


# All other settings: the same for every stack of a scene.
SAME = (
    "testbed_version",
    "kernel",
    "recording.digest",
    "network.digest",
    "scheduler",
    "client_settings",
    "link.real_time",
    "server.real_time",
    "server.chunk_bytes",
    "server.unsent_limit_bytes",
    "server.servers",
    "server.start_url",
    "server.grouping",
)


# How a site's hosts share server addresses: `grouping` of a wire report, `servers_by` of a take.
SERVERS_BY: Mapping[str, str] = {
    "recorded": "recorded addresses",
    "by host": "one address per host",
    "recorded, else by host": "recorded addresses, and one per host where none was recorded",
    "one": "one address for all hosts",
}


@dataclass(frozen=True)
class Settings:
    """The settings of one wire report, by their paths in it, and the stack's definition."""

    stack: str
    definition: Mapping[str, object]
    values: Mapping[str, object]


def settings_of(wire: WireReport) -> Settings:
    """Returns the settings of a wire report; those that the testbed did not measure are unknown."""
    paths, report = (*(IN_FORCE + name for name in DECIDED_BY), *SAME), wire.as_json()
    return Settings(wire.stack.name, wire.stack.definition, {path: _at(report, path) for path in paths})


def unexplained(one: Settings, other: Settings) -> list[str]:
    """Returns a sentence per setting that differs and is not explained by the definitions; unknown values are equal."""
    names = one.definition.keys() | other.definition.keys()
    differing = {name for name in names if one.definition.get(name) != other.definition.get(name)}
    if discovers_quic(one.definition) or discovers_quic(other.definition):
        differing |= TWO_SIDED
    if one.definition.get("tickets") and other.definition.get("tickets"):
        # which connections find a ticket is an outcome
        differing.add("tickets")
    settled = [IN_FORCE + name for name, deciding in DECIDED_BY.items() if not deciding & differing]
    values = [(path, one.values[path], other.values[path]) for path in (*settled, *SAME)]
    return [
        f"{path} is {mine} with {one.stack} and {theirs} with {other.stack}, which their definitions do not explain"
        for path, mine, theirs in values
        if _is_known(mine) and _is_known(theirs) and mine != theirs
    ]


def contradictions(takes: Mapping[str, Settings]) -> Iterator[tuple[str, str, list[str]]]:
    """Yields takes that contradict an earlier one: path, path of the first that it contradicts, sentences.

    Each take is compared with all before it, because which settings may differ depends on the two stacks. Takes of
    equal settings are compared once.
    """
    models: dict[str, Settings] = {}
    for path, settings in takes.items():
        for model_path, model in models.items():
            if how := unexplained(model, settings):
                yield path, model_path, how
                break
        if settings not in models.values():
            models[path] = settings


def _at(report: Mapping[str, object], path: str) -> object:
    value: object = report
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _is_known(value: object) -> bool:
    return value is not None and value != []
