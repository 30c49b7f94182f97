"""PostgreSQL's planner statistics, which contain sampled values of columns."""

from django.db import connection

from ratings.tombstones import erasable_models


def refresh() -> None:
    """Sample the tables about participants again, so that the statistics keep no value of an erased one.

    This takes seconds for many votes, so requests do not do it: the signal `values_erased` queues it for the worker.
    """
    tables = [model._meta.db_table for model in erasable_models()] + ["ratings_recruitment"]
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table)}")
