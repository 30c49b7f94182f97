"""Processes on a test's own database, which a test may kill."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.db import connection


def start(code: str, *arguments: str) -> "subprocess.Popen[str]":
    """Run Python code in another process, with its standard output as a pipe."""
    database = connection.settings_dict
    keys = {"PGDATABASE": "NAME", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGHOST": "HOST"}
    address = {variable: database[key] for variable, key in keys.items()}
    backend = Path(settings.REPOSITORY) / "backend"
    path = os.pathsep.join([str(backend), str(backend.parent / "pipeline")])
    env = {**os.environ, **address, "PGPORT": str(database["PORT"]), "PYTHONPATH": path}
    env |= {"DJANGO_SETTINGS_MODULE": "config.settings", "EYELEVEL_DATABASE_URL": ""}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
