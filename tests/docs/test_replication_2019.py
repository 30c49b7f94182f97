"""The README of the 2019 replication shows the figures of the tables beside it."""

from docs import replication_2019


def test_the_readme_has_the_tables_of_the_campaign() -> None:
    text = (replication_2019.FOLDER / "README.md").read_text(encoding="utf-8")
    assert replication_2019.with_tables(text) == text
