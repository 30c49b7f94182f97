"""Tombstones: rows of an erased participant keep ids and what was planned; every other column becomes null."""

from collections.abc import Iterator
from typing import ClassVar, TypeVar

from django.apps import apps
from django.db import models

M = TypeVar("M", bound=models.Model)
T = TypeVar("T")


class Living(models.Manager[M]):
    """Everything but tombstones: what counts, shows or analyses rows never meets an erased one by forgetting to ask."""

    def get_queryset(self) -> models.QuerySet[M]:
        return super().get_queryset().filter(erased_at=None)


class Erasable(models.Model):
    """A row about a participant. `objects` are the living ones, `with_tombstones` all.

    `KEPT` names the columns that a tombstone keeps: random ids, and what the platform planned. Every other column must
    be nullable, so that a new one is erased unless somebody says otherwise. `PARTICIPANT` leads from here to the
    participant, as a filter does. The triggers of `ratings.triggers` hold the form against every other way in.
    """

    KEPT: ClassVar[tuple[str, ...]]
    PARTICIPANT: ClassVar[str]

    erased_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = Living()
    with_tombstones = models.Manager()

    class Meta:
        abstract = True


def living(value: T | None) -> T:
    """The value of a column that is null in tombstones only, of a row that is none."""
    if value is None:
        raise TypeError("a tombstone was treated as a living row")
    return value


def erasable_models() -> Iterator[type[Erasable]]:
    """Every table that holds something of a participant's, in a fixed order."""
    found = [model for model in apps.get_models() if issubclass(model, Erasable)]
    yield from sorted(found, key=lambda model: model._meta.label)


def kept_columns(model: type[Erasable]) -> list[str]:
    """The columns of a tombstone in the database, `erased_at` aside."""
    return [field.column for field in model._meta.fields if field.column and field.name in model.KEPT]


def emptied_fields(model: type[Erasable]) -> list[str]:
    """The fields that erasure makes null."""
    kept = {*model.KEPT, "erased_at"}
    return [field.name for field in model._meta.concrete_fields if field.name not in kept]
