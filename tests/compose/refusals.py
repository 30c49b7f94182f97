"""Starts that docker-compose.yml refuses with one sentence: no secrets, known ones, data of another PostgreSQL."""

import os
import shutil
import tempfile
from pathlib import Path

from compose.containers import compose, demand_refused

RUN = ("run", "--rm", "--no-deps")


def main() -> None:
    secrets = Path(os.environ["EYELEVEL_SECRETS"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Docker, or compose itself, says which file is missing
        demand_refused(*RUN, "web", "check", words="secret-key", EYELEVEL_SECRETS=str(folder / "missing"))
        shutil.copytree(secrets, folder / "known")
        known = folder / "known" / "database-password"
        known.unlink()
        known.write_text("postgres")
        words = "EYELEVEL_DATABASE_PASSWORD is a publicly known value, but other machines can reach this platform"
        demand_refused(*RUN, "web", "check", words=words, EYELEVEL_SECRETS=str(folder / "known"))
    # as it was kept, and as one that another user owns
    for old in ("echo 15 > /var/lib/postgresql/PG_VERSION", "chmod 0 /var/lib/postgresql"):
        compose(*RUN, "--entrypoint", f"sh -c '{old}'", "postgres")
        demand_refused(*RUN, "postgres", words="The volume has data of an earlier PostgreSQL, and this is 18")
    compose("down", "--volumes")


if __name__ == "__main__":
    main()
