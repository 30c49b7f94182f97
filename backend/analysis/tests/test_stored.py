"""Which stored results a version of the program can show."""

from dataclasses import make_dataclass

from analysis.stored import IN_DEPTH_FIELDS, fields_sha256
from eyelevel_stats.hypotheses.rows import HypothesisRow
from eyelevel_stats.tables import IN_DEPTH


def test_the_digest_of_tables_in_depth_changes_with_the_fields_of_the_answers_about_metrics() -> None:
    tables: dict[str, type] = {name: table.row for name, table in IN_DEPTH.items()}
    other = make_dataclass("HypothesisRow", ["hypothesis", "says", "outcome", "sentence", "one_more"])
    assert fields_sha256(tables | {"hypotheses": HypothesisRow}) == IN_DEPTH_FIELDS
    assert fields_sha256(tables | {"hypotheses": other}) != IN_DEPTH_FIELDS
