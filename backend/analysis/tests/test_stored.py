"""Which stored results a version of the program can show."""

from analysis.stored import IN_DEPTH_FIELDS, fields_sha256
from eyelevel_stats.tables import IN_DEPTH, TABLES


def test_the_digest_of_tables_in_depth_changes_with_the_fields_of_the_answers_about_metrics() -> None:
    tables = {name: [column.name for column in table.columns] for name, table in IN_DEPTH.items()}
    answers = [column.name for column in TABLES["hypotheses"].columns]
    assert fields_sha256(tables | {"hypotheses": answers}) == IN_DEPTH_FIELDS
    assert fields_sha256(tables | {"hypotheses": [*answers, "one_more"]}) != IN_DEPTH_FIELDS
