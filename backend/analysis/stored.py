"""Stored results: names of their tables, and the digest of fields by which outdated results are found.

A stored row has the fields that its table had when it was computed. Each result stores the digest of all fields, so
that a query finds results of an older version of the program, which are computed again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from eyelevel_core.contracts import canonical_json, sha256_of_bytes
from eyelevel_core.tables import Table
from eyelevel_stats.conformance.accounting import COUNTS
from eyelevel_stats.demographics import DEMOGRAPHICS
from eyelevel_stats.rows.hypotheses import LookRow
from eyelevel_stats.rows.study import AnswerCount, ClipVotesRow, IdenticalAnswers
from eyelevel_stats.tables import IN_DEPTH, TABLES

# ratings by score, over all sites, networks and stacks, so nothing by stack
RATING_COUNTS = "rating_counts"
# rows of `eyelevel_stats.rows.study` by the clip's digest
CLIP_VOTES = "clip_votes"


def fields_sha256(tables: Mapping[str, Sequence[str]]) -> str:
    """Digest of the names of tables and of their columns, in their order."""
    return sha256_of_bytes(canonical_json(dict(tables)))


def _names(row: type[Any]) -> list[str]:
    return [field.name for field in fields(row)]


def _columns(table: Table) -> list[str]:
    return [column.name for column in table.columns]


RESULT_FIELDS = fields_sha256({
    **{table.file: _columns(table) for table in TABLES.values()},
    "looks": _names(LookRow),
    "demographics": _columns(DEMOGRAPHICS),
    "counts": _columns(COUNTS),
    "identical_all": _names(IdenticalAnswers),
    CLIP_VOTES: _names(ClipVotesRow),
    "answers": _names(AnswerCount),
})  # fmt: skip
IN_DEPTH_FIELDS = fields_sha256({
    **{name: _columns(table) for name, table in IN_DEPTH.items()},
    # answers about metrics
    "hypotheses": _columns(TABLES["hypotheses"]),
})  # fmt: skip
