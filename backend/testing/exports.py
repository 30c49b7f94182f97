"""Exports as a browser or a program gets them: request, run the worker's part in this process, download."""

from typing import Any
from uuid import UUID

from django.test import Client
from django.utils import timezone

from exports import attempts
from testing.web import post


def jobs_path(study: str) -> str:
    return f"/api/research/studies/{study}/export-jobs"


def ask(client: Client, study: str, *, origin: str = "person") -> Any:
    """The response to a request for an export, before a worker makes it."""
    return post(client, jobs_path(study), {"origin": origin})


def make(job_id: str) -> bool:
    """Do what the worker does on its message."""
    return attempts.run_if_due(UUID(job_id), timezone.now)


def download(client: Client, study: str, *, origin: str = "person") -> bytes:
    """The bytes of a new export."""
    asked = ask(client, study, origin=origin)
    if asked.status_code != 202:
        raise AssertionError(asked.content)
    make(asked.json()["id"])
    job = client.get(f"{jobs_path(study)}/{asked.json()['id']}").json()
    if job["state"] != "done":
        raise AssertionError(job)
    return fetched(client, job["file"])


def fetched(client: Client, address: str) -> bytes:
    """The bytes of a file; the client closes it once it is read."""
    data: bytes = client.get(address).getvalue()
    return data
