"""Makes exports of test studies and reads them."""

import csv
import io
import zipfile
from typing import Any

import pyarrow.parquet as pq

from analysis import tasks
from analysis.models import AnalysisState, Result
from exports.archive import write_archive
from ratings.models import Trial
from testing.votes import Field

OTHERS = (
    *("conformance.csv", "funnel.csv", "counts.csv", "departures.csv", "demographics.csv", "sessions.csv"),
    "clips.csv",
)


def analysed(field: Field) -> Result:
    tasks.votes_arrived(field.study.sha256)
    result = AnalysisState.objects.select_related("result__snapshot__study").get(study=field.study).result
    assert result is not None
    return result


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def exported(result: Result) -> dict[str, bytes]:
    out = io.BytesIO()
    write_archive(result, out)
    return unpacked(out.getvalue())


def parquet_rows(files: dict[str, bytes], kind: str) -> list[dict[str, Any]]:
    """The rows of all days in the export's folder `kind`."""
    days = sorted(name for name in files if name.startswith(f"{kind}/"))
    return [row for name in days for row in pq.read_table(io.BytesIO(files[name])).to_pylist()]


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def counted_field() -> Field:
    """A vote each of sessions that are used, excluded, over quota and incomplete, and of a simulated one."""
    field = Field()
    field.rate("QUIC", 6)
    field.exclude(field.rate("QUIC", 1).session, "R3")
    Trial.objects.filter(session=field.rate("QUIC", 2).session).update(slot=None)
    field.rate("QUIC", 3, by=field.session(judged=False))
    field.rate("QUIC", 4, by=field.session(origin="simulated"))
    return field
