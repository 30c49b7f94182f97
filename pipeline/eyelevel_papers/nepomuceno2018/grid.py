"""Finds the paper's networks and stacks in a batch, by their definitions. Pure."""

from collections.abc import Iterable, Mapping
from math import isclose

from eyelevel.compare.model import Pair
from eyelevel.errors import BadInputError
from eyelevel_core.comparability.settings import discovers_quic
from eyelevel_core.model.network import number, round_trip_ms
from eyelevel_core.model.take import Definition
from eyelevel_papers.nepomuceno2018.published import CONFIGURATIONS, Configuration

EACH_WAY, DOWN_ONLY, BOTH_TOGETHER = "each way", "towards the client only", "of a packet or its answer"


def configurations(networks: Mapping[str, Definition]) -> dict[str, Configuration]:
    """Returns the paper's configuration of each network that has one, by the network's name.

    BadInputError where no network has one, or two have the same.
    """
    configured = {
        name: configuration
        for name, network in networks.items()
        if (configuration := configuration_of(network.definition)) is not None
    }
    if not configured:
        raise BadInputError(
            f"No network of the takes ({', '.join(networks)}) is one of C01 to C12: rtt_ms 20, 100 or 200 with a loss "
            "of 0, 0.005, 0.01 or 0.02. Capture over such networks; docs/replications/README.md shows how to define "
            "them."
        )
    by_number: dict[int, str] = {}
    for name, configuration in configured.items():
        other = by_number.setdefault(configuration.number, name)
        if other != name:
            raise BadInputError(
                f"The networks {other} and {name} are both {configuration.words}; give batches with one of them."
            )
    return dict(sorted(configured.items(), key=lambda item: item[1]))


def configuration_of(definition: Mapping[str, object]) -> Configuration | None:
    """Returns the configuration of a network; None if it is not one of the paper's. Rates are ignored here."""
    rtt_ms, lost = round_trip_ms(definition), loss(definition)
    if rtt_ms is None or lost is None:
        return None
    return next(
        (
            configuration
            for configuration in CONFIGURATIONS
            if isclose(configuration.rtt_ms, rtt_ms) and isclose(configuration.loss, lost[0], abs_tol=1e-9)
        ),
        None,
    )


def loss(definition: Mapping[str, object]) -> tuple[float, str] | None:
    """Returns a network's loss, as the paper might define it, and its direction; None where directions differ."""
    if "loss_down" not in definition and "loss_up" not in definition:
        return number(definition, "loss") or 0.0, BOTH_TOGETHER
    down, up = number(definition, "loss_down") or 0.0, number(definition, "loss_up") or 0.0
    if isclose(down, up, abs_tol=1e-9):
        return down, EACH_WAY
    return (down, DOWN_ONLY) if up == 0 else None


def directions(networks: Iterable[Definition]) -> list[str]:
    """Returns the directions in which the networks lose packets, each once."""
    said = [loss(network.definition) for network in networks]
    return list(dict.fromkeys(lost[1] for lost in said if lost is not None and lost[0] > 0))


def pairs_of(stacks: Mapping[str, Definition]) -> list[Pair]:
    """Pairs every QUIC stack with the TCP stack nearest to the paper's: HTTP/1.1 first, then the smallest window.

    A stack that discovers QUIC comes first, as in the paper the first connection uses TCP. BadInputError where a side
    has no stack.
    """
    quic = [stack for stack in stacks.values() if stack.definition.get("transport") == "quic"]
    tcp = [stack for stack in stacks.values() if stack.definition.get("transport") == "tcp"]
    if not quic or not tcp:
        side = "QUIC" if not quic else "TCP"
        raise BadInputError(
            f"No stack of the takes ({', '.join(stacks)}) uses {side}; capture both, or name two stacks by "
            "--pair NEW/REFERENCE."
        )
    reference = min(tcp, key=lambda stack: (*_window(stack, str(stack.definition.get("http")) != "1.1"), stack.name))
    ordered = sorted(quic, key=lambda stack: (*_window(stack, not discovers_quic(stack.definition)), stack.name))
    return [Pair(stack.name, reference.name) for stack in ordered]


def _window(stack: Definition, later: bool) -> tuple[bool, bool, float]:
    """The sort key of a stack: the paper's kind first, Cubic before others, then by the initial window."""
    definition = stack.definition
    return later, definition.get("congestion_control") != "cubic", number(definition, "initial_window_packets") or 0.0
