"""Reduces the votes of a part to sums, by DuckDB: the votes stay in their file, and memory is what DuckDB is given."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import duckdb

from eyelevel_core.model.metrics import FIELDS
from eyelevel_kinds import KINDS
from eyelevel_stats.parts.sums import Asked, Choices, Key, Moments, Repeated, Sums

T = TypeVar("T")

VIEW = "votes"
COUNTED = (
    "session_id", "trial_kind", "trial_kind_version", "role", "site", "network", "stack", "left_stack", "right_stack",
    "context", "clip_sha256", "position", "repeats_position", "layout", *FIELDS,
    *dict.fromkeys(kind.columns[0].name for kind in KINDS.values()),
)  # fmt: skip


def reduce(connection: duckdb.DuckDBPyConnection, source: str, *, kept: str = "true") -> Sums:
    """The sums of the votes in `source`, such as read_parquet('votes.parquet'); `kept` is a condition on its rows.

    The columns are those of the contract export-columns; one that the source lacks is unknown. All votes of a
    participant must be in it. Raise ValueError where two votes give the same clip different metrics, or votes of a kind
    are of two versions.
    """
    described = connection.execute(f"DESCRIBE SELECT * FROM {source}")  # noqa: S608 - a source of our own
    there = {name for name, *_ in described.fetchall()}
    listed = ", ".join(
        f"coalesce({name}, 'main') AS {name}" if name == "role" and name in there
        else "'main' AS role" if name == "role"
        else name if name in there
        else f"NULL AS {name}"
        for name in COUNTED
    )  # fmt: skip
    view = f"CREATE OR REPLACE TEMP VIEW {VIEW} AS SELECT {listed} FROM {source} WHERE {kept}"  # noqa: S608
    connection.execute(view)
    return _Reduced(connection).sums()


class _Reduced:
    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def sums(self) -> Sums:
        (votes, sessions), *_ = self._rows(f"SELECT count(*), count(DISTINCT session_id) FROM {VIEW}")  # noqa: S608
        return Sums(
            votes=votes,
            sessions=sessions,
            mos=self._moments(("site", "network", "stack", "context"), "score", "rate"),
            points=self._moments(("site", "network", "stack", "clip_sha256"), "score", "rate"),
            metrics=self._metrics(),
            comparisons=self._comparisons(),
            identical=self._identical(),
            values=self._values(),
            layouts=self._layouts(),
            repeats=self._repeats(),
            scores=self._scores(),
            versions=self._versions(),
        )

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        found = self._connection.execute(query)
        while rows := found.fetchmany(10_000):
            yield from rows

    def _moments(self, by: Sequence[str], value: str, kind: str) -> dict[Key, Moments]:
        where = f"trial_kind = '{kind}' AND role = 'main'"
        return {tuple(key): Moments(*own) for *key, own in self._means(by, value, where)}

    def _means(self, by: Sequence[str], value: str, where: str) -> Iterator[tuple[Any, ...]]:
        """The keys, and last (n, votes, mean, squares): participants' own means first."""
        keys = ", ".join(by)
        query = f"""
            SELECT {keys}, count(*), sum(own)::BIGINT, avg(mean), var_pop(mean) * count(*)
            FROM (SELECT {keys}, session_id, count(*) AS own, avg({value}) AS mean FROM {VIEW}
                  WHERE {where} GROUP BY ALL)
            GROUP BY {keys} ORDER BY {keys}
        """  # noqa: S608 - names of our own columns
        for row in self._rows(query):
            yield (*row[: len(by)], row[len(by) :])

    def _metrics(self) -> dict[str, dict[str, float | None]]:
        """Of every rated clip."""
        known = ", ".join(f"any_value({name})" for name in FIELDS)
        # unknown in one vote and known in another is a difference as well
        alike = " AND ".join(f"count(DISTINCT {name}) + (count({name}) < count(*))::INT <= 1" for name in FIELDS)
        rated = "trial_kind = 'rate' AND role = 'main'"
        query = f"SELECT clip_sha256, {alike}, {known} FROM {VIEW} WHERE {rated} GROUP BY 1 ORDER BY 1"  # noqa: S608
        found = {}
        for clip, is_alike, *values in self._rows(query):
            if not is_alike:
                raise ValueError(f"The clip {clip} has different metrics in different votes.")
            found[clip] = dict(zip(FIELDS, values, strict=True))
        return found

    def _comparisons(self) -> dict[Key, Choices]:
        query = f"""
            SELECT site, network, a, b, context, count(*) FILTER (chosen = a), count(*) FILTER (chosen = b),
              count(*) FILTER (chosen IS NULL), count(DISTINCT session_id)
            FROM (SELECT *, least(left_stack, right_stack) AS a, greatest(left_stack, right_stack) AS b,
                    CASE choice WHEN 'left' THEN left_stack WHEN 'right' THEN right_stack END AS chosen
                  FROM {VIEW} WHERE trial_kind = 'compare' AND role = 'main')
            GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
        """  # noqa: S608
        return {tuple(row[:5]): Choices(*row[5:]) for row in self._rows(query)}

    def _identical(self) -> dict[Key, Choices]:
        query = f"""
            SELECT network, left_stack, count(*) FILTER (choice = 'left'), count(*) FILTER (choice = 'right'),
              count(*) FILTER (choice = 'none'), count(DISTINCT session_id)
            FROM {VIEW} WHERE trial_kind = 'compare' AND role = 'identical'
            GROUP BY GROUPING SETS ((1, 2), ()) ORDER BY 1, 2
        """  # noqa: S608
        found = {}
        for network, stack, *counts in self._rows(query):
            if sum(counts[:3]):
                found[() if network is None else (network, stack)] = Choices(*counts)
        return found

    def _values(self) -> dict[Key, Moments]:
        found: dict[Key, Moments] = {}
        for name, kind in KINDS.items():
            column = kind.columns[0]
            if name != "rate" and kind.clip_kind == "single" and column.type != "string":
                own = self._moments(("site", "network", "stack", "context"), column.name, name)
                found |= {(name, *key): moments for key, moments in own.items()}
        return found

    def _layouts(self) -> dict[Key, Asked]:
        found: dict[Key, Asked] = {}
        for name, kind in KINDS.items():
            where = f"trial_kind = '{name}' AND role = 'main' AND layout IS NOT NULL"
            query = f"""
                SELECT layout, count(*), count(DISTINCT session_id) FROM {VIEW} WHERE {where} GROUP BY 1 ORDER BY 1
            """  # noqa: S608
            counts = {layout: own for layout, *own in self._rows(query)}
            means: dict[str, Moments] = {}
            if kind.columns[0].type != "string":
                means = {layout: Moments(*own) for layout, own in self._means(("layout",), kind.columns[0].name, where)}
            found |= {(name, layout): Asked(*own, means.get(layout)) for layout, own in counts.items()}
        return found

    def _repeats(self) -> dict[Key, Repeated]:
        found: dict[Key, Repeated] = {}
        for name, kind in KINDS.items():
            answer, number = kind.columns[0].name, kind.columns[0].type != "string"
            difference = f"abs(again.{answer} - first.{answer})" if number else "NULL::DOUBLE"
            query = f"""
                SELECT count(*), count(DISTINCT session_id), count(*) FILTER (again.{answer} = first.{answer}),
                  count({difference}), coalesce(sum({difference}), 0)
                FROM {VIEW} AS again JOIN {VIEW} AS first USING (session_id)
                WHERE again.trial_kind = '{name}' AND again.role = 'repeat' AND first.trial_kind = '{name}'
                  AND first.role = 'main' AND first.position = again.repeats_position
            """  # noqa: S608
            (row,) = self._rows(query)
            if row[0]:
                found[name,] = Repeated(*row)
        return found

    def _scores(self) -> dict[int, int]:
        rated = "trial_kind = 'rate' AND role = 'main'"
        return dict(self._rows(f"SELECT score, count(*) FROM {VIEW} WHERE {rated} GROUP BY 1 ORDER BY 1"))  # noqa: S608

    def _versions(self) -> dict[str, int]:
        query = f"""
            SELECT trial_kind, min(trial_kind_version), max(trial_kind_version) FROM {VIEW}
            WHERE trial_kind_version IS NOT NULL GROUP BY 1 ORDER BY 1
        """  # noqa: S608
        found = {}
        for kind, least, most in self._rows(query):
            if least != most:
                raise ValueError(f"Votes of {kind} are of several versions of the kind: {least} and {most}.")
            found[kind] = least
        return found


def opened(*, memory_mb: int, threads: int, spill_to: str) -> duckdb.DuckDBPyConnection:
    """A connection that uses so much memory and no more; what does not fit goes into the folder `spill_to`."""
    connection = duckdb.connect()
    settings: dict[str, Callable[[], str]] = {
        "memory_limit": lambda: f"{memory_mb}MB",
        "threads": lambda: str(threads),
        "temp_directory": lambda: spill_to,
    }
    for name, value in settings.items():
        connection.execute(f"SET {name} = '{value()}'")
    return connection
