"""The ways in which Chromium reaches a stack: TCP, HTTP/1.1, QUIC and Alt-Svc."""

from dataclasses import dataclass

# With a private root certificate, Chromium uses QUIC only with hosts that an option forces QUIC on. Discovery by
# Alt-Svc must not be forced, so the option lists those hosts with a port on which no server listens.
UNUSED_PORT = 1


@dataclass(frozen=True)
class Way:
    """How the browser reaches a stack: its arguments, and the protocols that responses may use."""

    arguments: tuple[str, ...]
    protocols: tuple[str, ...]


WAYS = {
    "tcp": Way(("--disable-quic",), ("h2",)),
    "http1": Way(("--disable-quic", "--disable-http2"), ("http/1.1",)),
    "quic": Way(("--enable-quic", "--origin-to-force-quic-on=*"), ("h3",)),
    "alt-svc": Way(("--enable-quic",), ("h2", "h3")),
}


def discoverable(resolver_rules: str) -> str:
    """Returns the argument that allows QUIC with every host of the rules and forces it on none."""
    rules = (rule.split() for rule in resolver_rules.split(","))
    hosts = sorted({rule[1] for rule in rules if len(rule) == 3 and rule[0] == "MAP" and "*" not in rule[1]})
    return "--origin-to-force-quic-on=" + ",".join(f"{host}:{UNUSED_PORT}" for host in hosts)
