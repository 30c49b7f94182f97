"""Stored results: the names of their tables, and which of them this version of the program can show.

A stored row has the fields that its table had when it was computed. The digest of all fields goes with each result, so
that a query finds those of an older program; they are computed again.
"""

from eyelevel_core.contracts import canonical_json, sha256_of_bytes
from eyelevel_core.tables import names_of
from eyelevel_stats.conformance import CountRow
from eyelevel_stats.demographics import DemographicRow
from eyelevel_stats.hypotheses.rows import HypothesisRow
from eyelevel_stats.rows.clip_votes import AnswerCount, ClipVotesRow
from eyelevel_stats.rows.looks import LookRow
from eyelevel_stats.rows.study import IdenticalAnswers
from eyelevel_stats.tables import IN_DEPTH, TABLES

# ratings by score, over all sites, networks and stacks: it says nothing about a stack
RATING_COUNTS = "rating_counts"
# rows of `eyelevel_stats.rows.clip_votes` by the clip's digest
CLIP_VOTES = "clip_votes"


def fields_sha256(tables: dict[str, type]) -> str:
    """The digest of the names of tables and of their columns, in their order."""
    named = {name: names_of(row) for name, row in tables.items()}
    return sha256_of_bytes(canonical_json(named))


RESULT_FIELDS = fields_sha256({
    **TABLES,
    "looks": LookRow,
    "demographics": DemographicRow,
    "counts": CountRow,
    "identical_all": IdenticalAnswers,
    CLIP_VOTES: ClipVotesRow,
    "answers": AnswerCount,
})  # fmt: skip
IN_DEPTH_FIELDS = fields_sha256({
    **{name: table.row for name, table in IN_DEPTH.items()},
    # answers about metrics
    "hypotheses": HypothesisRow,
})  # fmt: skip
