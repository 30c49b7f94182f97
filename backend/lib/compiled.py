"""Queries of the ORM that every vote needs, compiled once per process, because compiling takes longer than the query.

A vote takes 11 ms of processor time in a web process with compiled queries, and 27 to 31 ms if the ORM compiles them
each time (session 1.1 against 5.0 ms, trial 1.9 against 14.1 ms, trials done 0.7 against 5.3 ms; measured on one core).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

Row = tuple[Any, ...]


class Part:
    """Columns of one model in a row: all, all `but` some, or `only` some; always with the primary key.

    `path` leads from the query's model to this one, and is empty for the query's model itself. Columns that Django
    reads through a converter, such as JSON, are not supported.
    """

    def __init__(
        self, model: type[Model], path: str = "", *, but: Collection[str] = (), only: Collection[str] | None = None
    ) -> None:
        self.model = model
        # in the model's order, as `from_db` requires
        self.names = [
            field.attname
            for field in model._meta.concrete_fields
            if field.primary_key or (field.attname not in but and (only is None or field.attname in only))
        ]
        self.lookups = [f"{path}__{name}" if path else name for name in self.names]
        self._key = self.names.index(model._meta.pk.attname)

    def build(self, cells: Row) -> Model | None:
        """The instance from a row's cells; None if the row has none."""
        return None if cells[self._key] is None else self.model.from_db("default", self.names, cells)


class Compiled:
    """A query that the ORM compiles once.

    `build` creates the query from named values. `marks` are placeholder values that no row has; they identify the
    parameters in the compiled query.
    """

    def __init__(
        self, build: Callable[..., QuerySet[Any]], *, parts: Sequence[Part], also: Sequence[str] = (), **marks: Any
    ) -> None:
        self._build, self._parts, self._also, self._marks = build, parts, also, marks
        self._sql = ""
        # for each parameter, the name of its value, or None and its constant value
        self._parameters: list[tuple[str | None, Any]] = []

    def first(self, **values: Any) -> tuple[list[Any], Row] | None:
        """The first row: an instance (or None) per part, and the values of `also`; None if there is no row.

        Columns that are in no part are read when an instance's attribute is accessed.
        """
        with self._executed(values) as cursor:
            row = cursor.fetchone()
        return None if row is None else self._instances(row)

    def all(self, **values: Any) -> list[tuple[list[Any], Row]]:
        """All rows, each as `first` returns it."""
        with self._executed(values) as cursor:
            return [self._instances(row) for row in cursor.fetchall()]

    @contextmanager
    def _executed(self, values: Mapping[str, Any]) -> Iterator[Any]:
        if not self._sql:
            self._compile()
        chosen = [fixed if name is None else values[name] for name, fixed in self._parameters]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, chosen)
            yield cursor

    def _instances(self, row: Row) -> tuple[list[Any], Row]:
        instances: list[Any] = []
        at = 0
        for part in self._parts:
            cells = row[at : at + len(part.names)]
            at += len(cells)
            instances.append(part.build(cells))
        return instances, row[at:]

    def _compile(self) -> None:
        lookups = [lookup for part in self._parts for lookup in part.lookups]
        query = self._build(**self._marks).values_list(*lookups, *self._also)
        sql, parameters = query.query.sql_with_params()
        names = {mark: name for name, mark in self._marks.items()}
        self._parameters = [(names.get(value), value) for value in parameters]
        if lost := set(self._marks) - {name for name, _ in self._parameters}:
            raise ValueError(f"the query does not use {', '.join(sorted(lost))}")
        # assigned last, because another thread may test it
        self._sql = sql
