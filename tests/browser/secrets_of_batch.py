"""Finds what would unblind a participant: names, digests and metrics of a batch in recorded traffic."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .traffic import Piece

DIGEST = re.compile(r"[0-9a-f]{64}")
METRICS = re.compile(
    r"(?<![a-z])(fvc|vc85|lvc|plt|(si|fcp|lcp|tbt|tti|dcl|ttfb)_ms|speed.?index|first.visual|last.visual)(?![a-z])",
    re.IGNORECASE,
)
# not "digest": a clip's is keyed by its trial, and every digest of the batch is looked for by its value
TELLING_KEY = re.compile(r"stack|network|metric|side|site|run|arm|take|batch|recording|protocol", re.IGNORECASE)
SIDES = re.compile(r"(left|right)_?stack|stack_?(a|b|left|right)(?![a-z])", re.IGNORECASE)
SHORT_DIGEST = 12
# a name made by lot may have any three letters in it
DRAWN = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{32,}(?![\w-])")


@dataclass(frozen=True)
class Secrets:
    """Names of stacks and networks, all digests, and values of metrics, as they are written."""

    names: frozenset[str]
    digests: frozenset[str]
    values: frozenset[str]


def secrets_of(batch: Path) -> Secrets:
    manifest_bytes = (batch / "manifest.json").read_bytes()
    manifest = json.loads(manifest_bytes)
    takes = [(batch / take["path"]).read_text(encoding="utf-8") for take in manifest["takes"]]
    digests = {digest for text in (manifest_bytes.decode(), *takes) for digest in DIGEST.findall(text)}
    metrics = [value for take in manifest["takes"] for value in take["metrics"].values() if value is not None]
    return Secrets(
        names=frozenset(part["name"] for key in ("stacks", "networks") for part in manifest[key]),
        digests=frozenset(digests | {_sha256(manifest_bytes)}),
        # a round number may be anything
        values=frozenset(repr(value) for value in metrics if value != int(value)),
    )


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def leaks(pieces: Iterable[Piece], secrets: Secrets) -> list[str]:
    """One sentence per place of the traffic that tells a secret."""
    return [f"{piece.where} tells {what!r}" for piece in pieces for what in sorted(set(_told(piece, secrets)))]


def _told(piece: Piece, secrets: Secrets) -> Iterator[str]:
    # in programs "lte" is a word of its own
    ignore = re.IGNORECASE if piece.kind in ("url", "headers", "json") else 0
    for name in secrets.names:
        # no letter, digit or + beside it: TCP in TCP+ is another name
        if re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", piece.text, ignore):
            yield name
    for digest in secrets.digests:
        if digest[:SHORT_DIGEST] in piece.text:
            yield digest
    # what a browser measured may be the same number by chance; what had reached it stands in a response
    for value in () if "(request body)" in piece.where else secrets.values:
        if re.search(rf"(?<![\d.]){re.escape(value)}(?!\d)", piece.text):
            yield value
    written = DRAWN.sub("...", piece.text)
    yield from (match.group() for pattern in (METRICS, SIDES) for match in pattern.finditer(written))
    if piece.kind == "json":
        yield from (key for key in _keys(json.loads(piece.text)) if TELLING_KEY.search(key))


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)
