"""Tombstones: rows of an erased participant, which keep ids and plan; every other column is null."""

from collections.abc import Iterator
from typing import ClassVar, TypeVar

from django.apps import apps
from django.db import models

M = TypeVar("M", bound=models.Model)
T = TypeVar("T")


class Living(models.Manager[M]):
    """Default manager without tombstones, so that code which counts, shows or analyses rows gets no erased ones."""

    def get_queryset(self) -> models.QuerySet[M]:
        return super().get_queryset().filter(erased_at=None)


class Erasable(models.Model):
    """A row about a participant. `objects` are rows without tombstones, `with_tombstones` are all rows.

    `KEPT` lists the columns that a tombstone keeps: random ids, and the platform's plan. Every other column must be
    nullable, so that a new column is erased by default. `PARTICIPANT` is the path to the participant in a filter. The
    triggers of `ratings.triggers` enforce this for all other clients of the database.
    """

    KEPT: ClassVar[tuple[str, ...]]
    PARTICIPANT: ClassVar[str]

    erased_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = Living()
    with_tombstones = models.Manager()

    class Meta:
        abstract = True


def living(value: T | None) -> T:
    """The value of a column that is null only in tombstones; raises TypeError for a tombstone."""
    if value is None:
        raise TypeError("the row is a tombstone, but its value is needed")
    return value


def erasable_models() -> Iterator[type[Erasable]]:
    """Yields every model with rows about participants, in a fixed order."""
    models_about = [model for model in apps.get_models() if issubclass(model, Erasable)]
    yield from sorted(models_about, key=lambda model: model._meta.label)


def kept_columns(model: type[Erasable]) -> list[str]:
    """The database columns that a tombstone keeps, without `erased_at`."""
    return [field.column for field in model._meta.fields if field.column and field.name in model.KEPT]


def emptied_fields(model: type[Erasable]) -> list[str]:
    """The fields that erasure makes null."""
    kept_names = {*model.KEPT, "erased_at"}
    return [field.name for field in model._meta.concrete_fields if field.name not in kept_names]
