"""Reduces the votes of a part to sums with DuckDB, out of core and within a memory limit.

Most of the time would go into groups of a participant's votes about one thing. In most studies such a group has one
vote, which is then the participant's mean; that is found out first, at a third of the cost.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from eyelevel_core.model.metrics import FIELDS
from eyelevel_kinds import KINDS
from eyelevel_kinds.shape import TrialKind
from eyelevel_stats.clip_votes import ROLES, row_of
from eyelevel_stats.parts.sums import Asked, Choices, Key, Moments, Repeated, Sums
from eyelevel_stats.rows.study import ClipVotesRow

VIEW = "votes"
COUNTED = (
    *("session_id", "trial_kind", "trial_kind_version", "role", "site", "network", "stack", "left_stack"),
    *("right_stack", "context", "clip_sha256", "position", "repeats_position", "layout"),
    *FIELDS,
    *dict.fromkeys(kind.columns[0].name for kind in KINDS.values()),
)
CELL = ("site", "network", "stack", "context")
CLIP = ("site", "network", "stack", "clip_sha256")
PAIR = "least(left_stack, right_stack) AS a, greatest(left_stack, right_stack) AS b"
# what identifies the pairs that are counted together
PAIR_KEY = "site, network, least(left_stack, right_stack), greatest(left_stack, right_stack), context"


def reduce(connection: duckdb.DuckDBPyConnection, source: str, *, kept: str = "true") -> Sums:
    """Returns the sums of the votes in `source`, such as read_parquet('votes.parquet'); `kept` filters its rows.

    The columns are those of the contract export-columns; one that the source lacks is unknown. All votes of a
    participant must be in it. Raise ValueError where two votes give the same clip different metrics, or votes of a kind
    are of two versions.
    """
    return _reduced(connection, source, kept).sums()


def reduce_clips(
    connection: duckdb.DuckDBPyConnection, source: str, *, kept: str = "true"
) -> dict[str, tuple[ClipVotesRow, ...]]:
    """Returns what `eyelevel_stats.clip_votes` does, from a source as for `reduce`."""
    return _reduced(connection, source, kept).clip_votes()


def _reduced(connection: duckdb.DuckDBPyConnection, source: str, condition: str) -> "_Reduced":
    described = connection.execute(f"DESCRIBE SELECT * FROM {source}")  # noqa: S608 - a source of our own
    present = {name for name, *_ in described.fetchall()}
    listed = ", ".join(_column(name, present=name in present) for name in COUNTED)
    view = f"CREATE OR REPLACE TEMP VIEW {VIEW} AS SELECT {listed} FROM {source} WHERE {condition}"  # noqa: S608
    connection.execute(view)
    return _Reduced(connection, metrics=[name for name in FIELDS if name in present])


def opened(*, memory_mb: int, threads: int, spill_to: str, spill_mb: int | None = None) -> duckdb.DuckDBPyConnection:
    """Returns a connection with a memory limit; DuckDB spills to the folder `spill_to`, at most `spill_mb`."""
    connection = duckdb.connect()
    folder = spill_to.replace("'", "''")
    for setting in (f"memory_limit = '{memory_mb}MB'", f"threads = {threads}", f"temp_directory = '{folder}'"):
        connection.execute(f"SET {setting}")
    if spill_mb is not None:
        connection.execute(f"SET max_temp_directory_size = '{spill_mb}MB'")
    # unordered rows need less memory
    connection.execute("SET preserve_insertion_order = false")
    return connection


def _column(name: str, *, present: bool) -> str:
    if name == "role":
        return "coalesce(role, 'main') AS role" if present else "'main' AS role"
    return name if present else f"NULL AS {name}"


@dataclass(frozen=True)
class _Means:
    """The votes of one mean: a filter, the answer's column, and the columns that identify a rated thing."""

    where: str
    value: str
    key: tuple[str, ...]


class _Reduced:
    def __init__(self, connection: duckdb.DuckDBPyConnection, *, metrics: Sequence[str]) -> None:
        self._connection, self._metrics_there = connection, metrics
        rows = self._rows(f"SELECT trial_kind, role, count(*) FROM {VIEW} GROUP BY 1, 2")  # noqa: S608
        self._counts = {(kind, role): count for kind, role, count in rows}

    def sums(self) -> Sums:
        (sessions,) = next(self._rows(f"SELECT count(DISTINCT session_id) FROM {VIEW}"))  # noqa: S608
        rated = self._means(KINDS["rate"], (CELL, CLIP))
        return Sums(
            votes=sum(self._counts.values()),
            sessions=sessions,
            mos=rated[0],
            points=rated[1],
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
        cursor = self._connection.execute(query)
        while rows := cursor.fetchmany(10_000):
            yield from rows

    def _has(self, kind: str, role: str) -> bool:
        return (kind, role) in self._counts

    def clip_votes(self) -> dict[str, tuple[ClipVotesRow, ...]]:
        rows_of: dict[str, list[ClipVotesRow]] = {}
        for role in ROLES:
            for kind in KINDS.values():
                if self._has(kind.name, role):
                    for clip, row in self._clips(kind, role):
                        rows_of.setdefault(clip, []).append(row)
        return {clip: tuple(rows) for clip, rows in sorted(rows_of.items())}

    def _clips(self, kind: TrialKind, role: str) -> Iterator[tuple[str, ClipVotesRow]]:
        source = f"FROM {VIEW} WHERE trial_kind = '{kind.name}' AND role = '{role}'"
        people = dict(self._rows(f"SELECT clip_sha256, count(DISTINCT session_id) {source} GROUP BY 1"))
        counts: dict[str, Counter[Any]] = {}
        answers = f"SELECT clip_sha256, {kind.columns[0].name}, count(*) {source} GROUP BY 1, 2 ORDER BY 1, 2"
        for clip, answer, count in self._rows(answers):
            counts.setdefault(clip, Counter())[answer] = count
        means: dict[Key, Moments] = {}
        if kind.scale is not None:
            (means,) = self._means(kind, [("clip_sha256",)], role=role)
        for clip, given in counts.items():
            mean = means[clip,].opinion(kind.scale) if means else None
            yield clip, row_of(kind, role, people[clip], given, mean)

    def _means(
        self, kind: TrialKind, groupings: Sequence[tuple[str, ...]], *, role: str = "main"
    ) -> list[dict[Key, Moments]]:
        """Returns the sums of participants' means for each grouping of a kind's votes in this role."""
        if not self._has(kind.name, role):
            return [{} for _ in groupings]
        names = [*dict.fromkeys(name for grouping in groupings for name in grouping)]
        where = f"trial_kind = '{kind.name}' AND role = '{role}'"
        things = f"""
            CREATE OR REPLACE TEMP TABLE things AS SELECT DISTINCT {", ".join(names)} FROM {VIEW} WHERE {where}
        """  # noqa: S608
        self._connection.execute(things)
        # in valid data a clip has one site, network and stack
        key = ("clip_sha256", "context") if {"clip_sha256", "context"} <= set(names) else tuple(names)
        (ambiguous,) = next(self._rows(f"SELECT count(*) - count(DISTINCT ({', '.join(key)})) FROM things"))  # noqa: S608
        votes = _Means(where, kind.columns[0].name, tuple(names) if ambiguous else key)
        means, single = [], False
        for grouping in groupings:
            single = (single and self._has_one_thing_each(grouping)) or self._has_one_vote_each(votes, grouping)
            means.append(self._grouped(votes, grouping, single=single))
        return means

    def _has_one_thing_each(self, by: tuple[str, ...]) -> bool:
        """Whether each group has one rated thing, so one vote per thing means one vote per group."""
        (groups,) = next(self._rows(f"SELECT count(*) - count(DISTINCT ({', '.join(by)})) FROM things"))  # noqa: S608
        return bool(groups == 0)

    def _has_one_vote_each(self, votes: "_Means", by: tuple[str, ...]) -> bool:
        """Whether no participant has two votes in a group, compared by digests."""
        query = f"SELECT count(*) - count(DISTINCT hash(session_id, number)) FROM ({_numbered(votes, by)})"  # noqa: S608
        (repeated,) = next(self._rows(query))
        return bool(repeated == 0)

    def _grouped(self, votes: "_Means", by: tuple[str, ...], *, single: bool) -> dict[Key, Moments]:
        """Returns the sums grouped by these columns; `single`: no participant has two votes in a group."""
        keys, numbered = ", ".join(by), _numbered(votes, by)
        means = f"SELECT number, 1 AS votes, value AS mean FROM ({numbered})"  # noqa: S608
        if not single:
            means = f"""
                SELECT number, count(*) AS votes, avg(value) AS mean FROM ({numbered}) GROUP BY number, session_id
            """  # noqa: S608
        sums = f"""
            SELECT number, count(*) AS people, sum(votes)::BIGINT AS votes, avg(mean) AS mean,
              var_pop(mean) * count(*) AS squares
            FROM ({means}) GROUP BY number
        """  # noqa: S608
        named = f"(SELECT DISTINCT {keys}, dense_rank() OVER (ORDER BY {keys}) AS number FROM things)"  # noqa: S608
        columns = f"{keys}, people, votes, mean, squares"
        query = f"SELECT {columns} FROM ({sums}) JOIN {named} USING (number) ORDER BY {keys}"  # noqa: S608
        return {tuple(row[: len(by)]): Moments(*row[len(by) :]) for row in self._rows(query)}

    def _metrics(self) -> dict[str, dict[str, float | None]]:
        """Returns the metrics of every rated clip."""
        if not self._has("rate", "main") or not self._metrics_there:
            return {}
        # a value that is missing in one vote only is a difference as well
        alike = " AND ".join(
            f"min({name}) IS NOT DISTINCT FROM max({name}) AND count({name}) IN (0, count(*))"
            for name in self._metrics_there
        )
        known = ", ".join(f"min({name})" for name in self._metrics_there)
        rated = "trial_kind = 'rate' AND role = 'main'"
        query = f"SELECT clip_sha256, {alike}, {known} FROM {VIEW} WHERE {rated} GROUP BY 1 ORDER BY 1"  # noqa: S608
        metrics_of = {}
        for clip, is_alike, *values in self._rows(query):
            if not is_alike:
                raise ValueError(f"The clip {clip} has different metrics in different votes.")
            metrics_of[clip] = dict(zip(self._metrics_there, values, strict=True))
        return metrics_of

    def _comparisons(self) -> dict[Key, Choices]:
        if not self._has("compare", "main"):
            return {}
        compared = f"FROM {VIEW} WHERE trial_kind = 'compare' AND role = 'main'"
        # votes are counted per side first, because few groups are left for the rest
        query = f"""
            SELECT site, network, {PAIR}, context,
              coalesce(sum(votes) FILTER (chosen = least(left_stack, right_stack)), 0)::BIGINT,
              coalesce(sum(votes) FILTER (chosen = greatest(left_stack, right_stack)), 0)::BIGINT,
              coalesce(sum(votes) FILTER (chosen IS NULL), 0)::BIGINT, sum(votes)::BIGINT
            FROM (SELECT site, network, left_stack, right_stack, context, count(*) AS votes,
                    CASE choice WHEN 'left' THEN left_stack WHEN 'right' THEN right_stack END AS chosen
                  {compared} GROUP BY ALL)
            GROUP BY ALL ORDER BY site, network, a, b, context
        """  # noqa: S608
        (repeated,) = next(self._rows(f"SELECT count(*) - count(DISTINCT hash(session_id, {PAIR_KEY})) {compared}"))
        counted = f"SELECT {PAIR_KEY}, count(DISTINCT session_id) {compared} GROUP BY ALL"
        people = {tuple(key): count for *key, count in self._rows(counted)} if repeated else {}
        return {
            tuple(key): Choices(first, second, none, people.get(tuple(key), votes))
            for *key, first, second, none, votes in self._rows(query)
        }

    def _identical(self) -> dict[Key, Choices]:
        if not self._has("compare", "identical"):
            return {}
        query = f"""
            SELECT network, left_stack, count(*) FILTER (choice = 'left'), count(*) FILTER (choice = 'right'),
              count(*) FILTER (choice = 'none'), count(DISTINCT session_id)
            FROM {VIEW} WHERE trial_kind = 'compare' AND role = 'identical'
            GROUP BY GROUPING SETS ((1, 2), ()) ORDER BY 1, 2
        """  # noqa: S608
        return {
            () if network is None else (network, stack): Choices(*counts)
            for network, stack, *counts in self._rows(query)
        }

    def _values(self) -> dict[Key, Moments]:
        moments_of: dict[Key, Moments] = {}
        for name, kind in KINDS.items():
            if name != "rate" and kind.clip_kind == "single" and kind.columns[0].type != "string":
                (moments_by_cell,) = self._means(kind, (CELL,))
                moments_of |= {(name, *key): moments for key, moments in moments_by_cell.items()}
        return moments_of

    def _layouts(self) -> dict[Key, Asked]:
        layouts: dict[Key, Asked] = {}
        for name, kind in KINDS.items():
            if not self._has(name, "main"):
                continue
            where = f"trial_kind = '{name}' AND role = 'main' AND layout IS NOT NULL"
            mean = "NULL" if kind.columns[0].type == "string" else f"avg({kind.columns[0].name})"
            query = f"""
                SELECT layout, sum(own)::BIGINT, count(*), avg(mean), var_pop(mean) * count(*)
                FROM (SELECT layout, session_id, count(*) AS own, {mean} AS mean
                      FROM {VIEW} WHERE {where} GROUP BY 1, 2)
                GROUP BY 1 ORDER BY 1
            """  # noqa: S608
            for layout, votes, people, average, squares in self._rows(query):
                moments = None if average is None else Moments(people, votes, average, squares)
                layouts[name, layout] = Asked(votes, people, moments)
        return layouts

    def _repeats(self) -> dict[Key, Repeated]:
        repeats: dict[Key, Repeated] = {}
        for name, kind in KINDS.items():
            if not self._has(name, "repeat"):
                continue
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
                repeats[name,] = Repeated(*row)
        return repeats

    def _scores(self) -> dict[int, int]:
        rated = "trial_kind = 'rate' AND role = 'main'"
        return dict(self._rows(f"SELECT score, count(*) FROM {VIEW} WHERE {rated} GROUP BY 1 ORDER BY 1"))  # noqa: S608

    def _versions(self) -> dict[str, int]:
        query = f"""
            SELECT trial_kind, min(trial_kind_version), max(trial_kind_version) FROM {VIEW}
            WHERE trial_kind_version IS NOT NULL GROUP BY 1 ORDER BY 1
        """  # noqa: S608
        version_of = {}
        for kind, least, most in self._rows(query):
            if least != most:
                raise ValueError(f"Votes of {kind} are of several versions of the kind: {least} and {most}.")
            version_of[kind] = least
        return version_of


def _numbered(votes: _Means, by: tuple[str, ...]) -> str:
    """Returns a query that adds the group's number to each vote."""
    joined = ", ".join(votes.key)
    groups = f"(SELECT {joined}, dense_rank() OVER (ORDER BY {', '.join(by)}) AS number FROM things)"  # noqa: S608
    selected = f"SELECT session_id, {joined}, {votes.value}::DOUBLE AS value FROM {VIEW} WHERE {votes.where}"  # noqa: S608
    return f"SELECT number, session_id, value FROM ({selected}) JOIN {groups} USING ({joined})"  # noqa: S608
