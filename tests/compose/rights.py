"""Checks from inside each container: no root, no capabilities, and a root file system that nobody can write to."""

from compose.containers import compose

FACTS = "id -u; sed -n 's/^CapBnd:[[:space:]]*//p; s/^NoNewPrivs:[[:space:]]*//p' /proc/1/status; touch /x 2>&1 || true"


def check_rights(services: tuple[str, ...]) -> None:
    for service in services:
        user, bounding, no_new, touched = compose("exec", "-T", service, "sh", "-c", FACTS).splitlines()
        if user == "0" or int(bounding, 16) != 0 or no_new != "1" or "Read-only file system" not in touched:
            raise SystemExit(f"{service} has more rights than it needs: {user}, {bounding}, {no_new}, {touched}")
    if "postgres" in services:
        query = "SELECT rolsuper FROM pg_roles WHERE rolname = 'eyelevel'"
        answer = compose("exec", "-T", "postgres", "psql", "-U", "postgres", "-Atc", query).strip()
        if answer != "f":
            raise SystemExit(f"The platform's role is superuser: {answer}.")
    print(f"no root, no capabilities, nothing to write to: {', '.join(services)}")
