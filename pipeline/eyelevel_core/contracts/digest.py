"""SHA-256 digests, which identify files and JSON values."""

import hashlib
import json
from pathlib import Path
from typing import IO, Any

CHUNK_BYTES = 1 << 20
# characters of a digest that are shown to people; a collision within one platform is improbable
SHORT = 12


def canonical_json(value: Any) -> bytes:
    """Returns UTF-8 JSON with sorted keys and no spaces, so that equal values have equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256_of_json(value: Any) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()


def sha256_of_bytes(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def short(sha256: str) -> str:
    """Returns the first characters of a digest, for pages, figures and file names."""
    return sha256[:SHORT]


def sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return sha256_of_stream(file)[0]


def sha256_of_stream(file: IO[bytes]) -> tuple[str, int]:
    """Returns the digest of the rest of a stream, and its number of bytes."""
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size
