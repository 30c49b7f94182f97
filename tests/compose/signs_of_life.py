"""Health checks of the containers turn unhealthy where the process stops doing anything, and healthy again."""

import subprocess

from compose.containers import SERVICES, health, inspect, wait_until

WITHIN_S = 180.0


def check_health(*, tls: bool = False) -> None:
    services = SERVICES if tls else SERVICES[:-1]
    for service in services:
        wait_until(lambda service=service: health(service) == "healthy", f"{service} is healthy", within_s=WITHIN_S)
    print(f"healthy: {', '.join(services)}")


def check_stopped() -> None:
    """A service whose processes are stopped, as by a debugger or a disk that hangs."""
    stopped = ("worker", "in-depth", "beat")
    for service in stopped:
        _signal(service, "STOP")
    for service in stopped:
        wait_until(
            lambda service=service: health(service) == "unhealthy", f"stopped {service} is unhealthy", within_s=WITHIN_S
        )
    for service in stopped:
        _signal(service, "CONT")
    for service in stopped:
        wait_until(
            lambda service=service: health(service) == "healthy", f"{service} is healthy again", within_s=WITHIN_S
        )
    print(f"stopped processes are seen: {', '.join(stopped)}")


def _signal(service: str, name: str) -> None:
    """To the first process of the container."""
    command = ["docker", "kill", "--signal", name, str(inspect(service)["Id"])]
    subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    check_health()
    check_stopped()
