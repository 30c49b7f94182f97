"""Finds the trial kinds: every subpackage that defines KIND."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from eyelevel_kinds.shape import TrialKind


def found(package: str, path: Iterable[str]) -> dict[str, TrialKind]:
    """The kinds by name, in alphabetical order; a folder without a KIND, or one of another name, is a mistake in it."""
    kinds: dict[str, TrialKind] = {}
    for name in sorted(module.name for module in iter_modules(path) if module.ispkg):
        kind = getattr(import_module(f"{package}.{name}"), "KIND", None)
        if not isinstance(kind, TrialKind) or kind.name != name:
            raise TypeError(f"the folder {package}/{name} must have a KIND, a TrialKind of the name {name!r}.")
        kinds[name] = kind
    return kinds
