"""Reads the votes of a study from the researcher's export."""

import csv
import io
import sys
import time
import zipfile
from typing import Any

import httpx
from platform_process import Platform

from embedded.export_file import download_export

FRESH_S = EXPORT_S = 60.0


def votes_in(archive: bytes) -> list[dict[str, str]]:
    """Rows of votes.csv in the bytes of an export."""
    return list(csv.DictReader(io.StringIO(text_in(archive, "votes.csv"))))


def text_in(archive: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return file.read(name).decode("utf-8-sig")


def exported_votes(platform: Platform, study: dict[str, Any], *, at_least: int) -> list[dict[str, str]]:
    """The study's votes once the results hold all that the server stored, at least so many."""
    headers = {"Authorization": f"Bearer {platform.secret('studies-token')}"}
    address = f"/api/research/studies/{study['sha256']}"
    results: dict[str, Any] = {}
    with httpx.Client(base_url=platform.url, headers=headers, timeout=30) as client:
        end = time.monotonic() + FRESH_S
        while time.monotonic() < end:
            results = client.get(f"{address}/results").json()
            if results["status"] == "fresh" and results["snapshot"]["votes"] >= at_least:
                archive = download_export(client, study["sha256"], within_s=EXPORT_S)
                # read only where a test fails: who was left out, and why
                sys.stderr.write(text_in(archive, "conformance.csv"))
                return votes_in(archive)
            time.sleep(0.3)
    raise AssertionError(
        f"no fresh results with {at_least} votes within {FRESH_S:.0f} s: "
        f"{results.get('status')}, {results.get('snapshot')}"
    )
