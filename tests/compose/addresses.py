"""Searches all that the containers keep as text for the address of a participant."""

import ipaddress
import re

from compose.containers import compose, inspect

# an address of the documentation range, sent as a header by the participant
PLANTED = "203.0.113.77"
MARK = "a-line-that-the-search-must-find"
ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")


def outside_addresses() -> set[str]:
    """Where a request from outside can come from: the gateways of the networks, and the planted address."""
    settings = inspect("proxy")["NetworkSettings"]
    assert isinstance(settings, dict)
    return {network["Gateway"] for network in settings["Networks"].values()} | {PLANTED}


def find_addresses(services: tuple[str, ...]) -> list[str]:
    """Lines of any log of these services that hold an address of the participant."""
    wanted = outside_addresses()
    texts = {"compose logs": compose("logs", "--no-color")}
    for service in services:
        find = "find /var/log /tmp /data -type f -size -20M ( -name '*.log*' -o -path '/var/log/*' )"
        inside = find.replace("(", "\\(").replace(")", "\\)") + " -exec cat {} + 2>/dev/null || true"
        marked = f"echo {MARK} > /tmp/mark.log; {inside}; rm /tmp/mark.log"
        texts[f"files of {service}"] = compose("exec", "-T", service, "sh", "-c", marked)
        if MARK not in texts[f"files of {service}"]:
            raise SystemExit(f"The search of {service}'s files does not find what was put there; it proves nothing.")
    found = []
    for where, text in texts.items():
        for line in text.splitlines():
            addresses = {match for match in ADDRESS.findall(line) if _is_address(match)}
            if addresses & wanted:
                found.append(f"{where}: {line.strip()[:160]}")
    return found


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def demand_no_address(services: tuple[str, ...]) -> None:
    found = find_addresses(services)
    if found:
        raise SystemExit("A log keeps a participant's address:\n  " + "\n  ".join(found[:10]))
    print(f"no log holds an address of the participant ({', '.join(sorted(outside_addresses()))})")
