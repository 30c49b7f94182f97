"""Processes on a test's own database, which a test may kill."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection


def start(code: str, *arguments: str) -> "subprocess.Popen[str]":
    """Run Python code in another process, with its standard output as a pipe."""
    own = connection.settings_dict
    address = {"PGDATABASE": own["NAME"], "PGUSER": own["USER"], "PGPASSWORD": own["PASSWORD"], "PGHOST": own["HOST"]}
    backend = Path(settings.REPOSITORY) / "backend"
    path = os.pathsep.join([str(backend), str(backend.parent / "pipeline")])
    env = {**os.environ, **address, "PGPORT": str(own["PORT"]), "PYTHONPATH": path}
    env |= {"DJANGO_SETTINGS_MODULE": "config.settings", "EYELEVEL_DATABASE_URL": ""}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
