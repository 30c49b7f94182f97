"""How Chromium comes to a stack: by TCP, HTTP/1.1, QUIC, or Alt-Svc."""

from dataclasses import dataclass

# Chromium speaks QUIC under a root of our own only with hosts that it is told to force it on. To be discovered by
# Alt-Svc it must not be forced, so those hosts are named with a port that nobody listens on.
UNUSED_PORT = 1


@dataclass(frozen=True)
class Way:
    """How the browser comes to a stack: its arguments, and the protocols that responses may come over."""

    arguments: tuple[str, ...]
    protocols: tuple[str, ...]


WAYS = {
    "tcp": Way(("--disable-quic",), ("h2",)),
    "http1": Way(("--disable-quic", "--disable-http2"), ("http/1.1",)),
    "quic": Way(("--enable-quic", "--origin-to-force-quic-on=*"), ("h3",)),
    "alt-svc": Way(("--enable-quic",), ("h2", "h3")),
}


def discoverable(resolver_rules: str) -> str:
    """Lets QUIC be used with every host of the rules, and forces it on none."""
    rules = (rule.split() for rule in resolver_rules.split(","))
    hosts = sorted({rule[1] for rule in rules if len(rule) == 3 and rule[0] == "MAP" and "*" not in rule[1]})
    return "--origin-to-force-quic-on=" + ",".join(f"{host}:{UNUSED_PORT}" for host in hosts)
