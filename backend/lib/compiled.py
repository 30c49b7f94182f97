"""Queries of the ORM that every vote needs: compiled once in each process, since that costs more than the answer.

A vote takes 11 ms of processor time in a web process with it, and 27 to 31 ms if the ORM builds its queries each time
(the session 1.1 against 5.0 ms, the trial 1.9 against 14.1, the trials done 0.7 against 5.3; measured on one core).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

Row = tuple[Any, ...]


class Part:
    """Columns of one model in a row, all but some or only some; the primary key is always one.

    `path` leads there from the query's own model, whose own is empty. Columns that Django reads through a converter,
    such as JSON, cannot be among them.
    """

    def __init__(
        self, model: type[Model], path: str = "", *, but: Collection[str] = (), only: Collection[str] | None = None
    ) -> None:
        self.model = model
        # in the model's order, as `from_db` wants them
        self.names = [
            field.attname
            for field in model._meta.concrete_fields
            if field.primary_key or (field.attname not in but and (only is None or field.attname in only))
        ]
        self.lookups = [f"{path}__{name}" if path else name for name in self.names]
        self._key = self.names.index(model._meta.pk.attname)

    def made(self, cells: Row) -> Model | None:
        """The instance; None where there is none."""
        return None if cells[self._key] is None else self.model.from_db("default", self.names, cells)


class Compiled:
    """A query that is written once, by the ORM.

    `build` makes it from named values; `marks` are values that nobody has, by which they are found in what it makes.
    """

    def __init__(
        self, build: Callable[..., QuerySet[Any]], *, parts: Sequence[Part], also: Sequence[str] = (), **marks: Any
    ) -> None:
        self._build, self._parts, self._also, self._marks = build, parts, also, marks
        self._sql = ""
        # of each parameter: the name of its value, or None and the value that it always has
        self._parameters: list[tuple[str | None, Any]] = []

    def first(self, **values: Any) -> tuple[list[Any], Row] | None:
        """An instance of each part, None where there is none, and the values of `also`; None where nothing is found.

        Columns that are in no part are read when an instance is asked for them.
        """
        with self._executed(values) as cursor:
            row = cursor.fetchone()
        return None if row is None else self._made(row)

    def all(self, **values: Any) -> list[tuple[list[Any], Row]]:
        """What `first` gives, of every row."""
        with self._executed(values) as cursor:
            return [self._made(row) for row in cursor.fetchall()]

    @contextmanager
    def _executed(self, values: Mapping[str, Any]) -> Iterator[Any]:
        if not self._sql:
            self._compile()
        chosen = [fixed if name is None else values[name] for name, fixed in self._parameters]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, chosen)
            yield cursor

    def _made(self, row: Row) -> tuple[list[Any], Row]:
        found: list[Any] = []
        at = 0
        for part in self._parts:
            cells = row[at : at + len(part.names)]
            at += len(cells)
            found.append(part.made(cells))
        return found, row[at:]

    def _compile(self) -> None:
        lookups = [lookup for part in self._parts for lookup in part.lookups]
        query = self._build(**self._marks).values_list(*lookups, *self._also)
        sql, parameters = query.query.sql_with_params()
        names = {mark: name for name, mark in self._marks.items()}
        self._parameters = [(names.get(value), value) for value in parameters]
        if lost := set(self._marks) - {name for name, _ in self._parameters}:
            raise ValueError(f"the query does not use {', '.join(sorted(lost))}")
        # last: another thread may be waiting for it
        self._sql = sql
