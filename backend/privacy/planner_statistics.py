"""PostgreSQL's planner statistics, which contain sampled values of columns."""

from django.db import connection

from ratings.tombstones import erasable_models


def refresh() -> None:
    """Sample the tables about participants again, so that no value of an erased one stays in the statistics.

    Takes seconds where many votes are stored, so no request does it: the signal `values_erased` calls the worker.
    """
    tables = [model._meta.db_table for model in erasable_models()] + ["ratings_recruitment"]
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")
