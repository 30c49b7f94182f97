"""Contracts between the stages: schemas, digests, and errors that name the faulty field."""

from eyelevel_core.contracts.check import ContractError, check, check_relative_path, schema
from eyelevel_core.contracts.digest import (
    canonical_json,
    sha256_of_bytes,
    sha256_of_file,
    sha256_of_json,
    sha256_of_stream,
    short,
)
from eyelevel_core.contracts.json_text import parse_json

__all__ = [
    "ContractError",
    "canonical_json",
    "check",
    "check_relative_path",
    "parse_json",
    "schema",
    "sha256_of_bytes",
    "sha256_of_file",
    "sha256_of_json",
    "sha256_of_stream",
    "short",
]
