"""Finds the trial kinds: every subpackage that defines KIND."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from eyelevel_kinds.shape import TrialKind


def discover(package: str, path: Iterable[str]) -> dict[str, TrialKind]:
    """Returns the kinds by name, sorted; raises TypeError for a folder without a KIND of its name."""
    kinds: dict[str, TrialKind] = {}
    for name in sorted(module.name for module in iter_modules(path) if module.ispkg):
        kind = getattr(import_module(f"{package}.{name}"), "KIND", None)
        if not isinstance(kind, TrialKind) or kind.name != name:
            raise TypeError(f"the folder {package}/{name} must have a KIND, a TrialKind with the name {name!r}.")
        kinds[name] = kind
    return kinds
