"""Digests by which things are named."""

import hashlib
import json
from pathlib import Path
from typing import IO, Any

CHUNK_BYTES = 1 << 20
# characters of a digest by which people know it; no two things of one platform share them by chance
SHORT = 12


def canonical_json(value: Any) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces: one spelling for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256_of_json(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()


def sha256_of_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def short(sha256: str) -> str:
    """The beginning of a digest, as pages, figures and names of files have it."""
    return sha256[:SHORT]


def sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return sha256_of_stream(file)[0]


def sha256_of_stream(file: IO[bytes]) -> tuple[str, int]:
    """The digest of all that is left to read, and how many bytes it was."""
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size
