"""Finds and reads `votes.csv` of an export, and the study's plan beside it."""

import csv
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TextIO, cast

from eyelevel.analyse.export.integrity import MANIFEST, manifest_from
from eyelevel.analyse.long_table.delimited import GZIP
from eyelevel.errors import BadInputError
from eyelevel_core.contracts import sha256_of_stream
from eyelevel_core.study.design import Design
from eyelevel_core.study.frozen import read_frozen
from eyelevel_core.tables import text_of_cell
from eyelevel_stats.departures import SIMULATED

VOTES = "votes.csv"
STUDY = "study.json"
DEPARTURES = "departures.csv"


@contextmanager
def open_votes(export: Path) -> Iterator[TextIO]:
    """Opens an export's votes as text; `export` is a folder, a zip or the CSV file, plain or compressed by gzip.

    Raises BadInputError if there is no such file or it is not UTF-8.
    """
    try:
        with open_votes_bytes(export) as raw:
            yield io.TextIOWrapper(raw, encoding="utf-8", newline="")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{export} is not UTF-8 text ({error.reason}); give an export of the platform.") from error


@contextmanager
def open_votes_bytes(export: Path) -> Iterator[IO[bytes]]:
    """Opens the same file as bytes; raises BadInputError if there is none."""
    try:
        if export.is_dir():
            with _existing(export / VOTES).open("rb") as file:
                yield file
        elif zipfile.is_zipfile(_existing(export)):
            with zipfile.ZipFile(export) as archive, archive.open(_member(archive, export)) as member:
                yield member
        else:
            opened = gzip.open if _is_gzip(export) else open
            with opened(export, "rb") as votes:
                yield cast(IO[bytes], votes)
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise BadInputError(f"{export} is a damaged gzip file ({error}); compress the votes again.") from error
    except zipfile.BadZipFile as error:
        raise BadInputError(f"{export} is a damaged zip ({error}); download the export again.") from error


def design_of(export: Path) -> Design | None:
    """Returns the design of the study in an export; None if there is no study beside the votes.

    Raises BadInputError if it cannot be read.
    """
    text = text_beside(export, STUDY)
    if text is None:
        return None
    try:
        return read_frozen(text).design
    except (ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"{export}: {STUDY} is not a frozen study ({error}); give an unmodified export.") from error


def departures_of(export: Path, *, simulated: bool) -> list[str] | None:
    """Returns the departures from the plan as sentences of the platform; None if the file is missing.

    `simulated`: votes of simulated sessions are analysed; otherwise these are no departure. Raises BadInputError if the
    file has no column `sentence`.
    """
    text = text_beside(export, DEPARTURES)
    if text is None:
        return None
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if "sentence" not in (rows.fieldnames or ()):
        raise BadInputError(f"{export}: {DEPARTURES} has no column sentence; give an unmodified export.")
    return [text_of_cell(row["sentence"]) for row in rows if simulated or row.get("kind") != SIMULATED]


def is_collecting(export: Path) -> bool:
    """Returns whether the study was in the field when it was exported; False without a manifest beside the votes.

    Raises BadInputError if the manifest is not valid.
    """
    return bool((_manifest(export) or {}).get("collecting", False))


@dataclass(frozen=True)
class VotesSource:
    """The source of the votes: the digest of their file, and that of the snapshot if its manifest lists this file.

    `edited`: a manifest beside the votes lists other votes.
    """

    votes_sha256: str
    snapshot: str | None
    edited: bool


def source_of(export: Path) -> VotesSource:
    """Returns the source of the votes that `open_votes` reads; raises BadInputError if the manifest is not valid."""
    digest = _digest(export)
    manifest = _manifest(export)
    if manifest is None:
        return VotesSource(digest, None, edited=False)
    listed = digest in (entry["sha256"] for entry in manifest["files"].values())
    return VotesSource(digest, manifest["snapshot_sha256"] if listed else None, edited=not listed)


def _digest(export: Path) -> str:
    with open_votes_bytes(export) as file:
        return sha256_of_stream(file)[0]


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def _manifest(export: Path) -> dict[str, Any] | None:
    data = bytes_beside(export, MANIFEST)
    return None if data is None else manifest_from(data, export)


def text_beside(export: Path, name: str) -> str | None:
    """Reads a text file of the export beside its votes; None if there is none."""
    data = bytes_beside(export, name)
    return None if data is None else data.decode("utf-8")


def bytes_beside(export: Path, name: str) -> bytes | None:
    """Reads a file of the export beside its votes; None if there is none."""
    if export.is_dir():
        file = export / name
        return file.read_bytes() if file.is_file() else None
    if not zipfile.is_zipfile(export):
        beside = export.with_name(name)
        return beside.read_bytes() if beside.is_file() else None
    with zipfile.ZipFile(export) as archive:
        members = [path for path in archive.namelist() if path.split("/")[-1] == name]
        return archive.read(members[0]) if members else None


def parts_beside(export: Path, kind: str) -> dict[str, bytes]:
    """Reads the Parquet files in the export's folder `kind`, one per day; in older exports a single file."""
    if export.is_dir() or not zipfile.is_zipfile(export):
        top = export if export.is_dir() else export.parent
        files = [*sorted((top / kind).glob("*.parquet")), top / f"{kind}.parquet"]
        return {file.relative_to(top).as_posix(): file.read_bytes() for file in files if file.is_file()}
    with zipfile.ZipFile(export) as archive:
        members = [path for path in archive.namelist() if re.search(rf"(^|/){kind}(/[^/]+)?\.parquet$", path)]
        return {path: archive.read(path) for path in sorted(members)}


def _existing(path: Path) -> Path:
    if not path.exists():
        raise BadInputError(f"{path} does not exist; give an export's folder, its zip, or its {VOTES}.")
    return path


def _member(archive: zipfile.ZipFile, export: Path) -> zipfile.ZipInfo:
    """The votes at the top of the archive, or in its only folder."""
    members = [info for info in archive.infolist() if info.filename.split("/")[-1] == VOTES]
    if len(members) != 1:
        raise BadInputError(f"{export} contains {len(members)} files named {VOTES}; an export contains one.")
    return members[0]
