"""Finds names of sites, networks and stacks in a study that its batch does not have."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from eyelevel_core.characters import outside_ascii
from eyelevel_core.contracts.patterns import NAME, look_alike, rule_of
from eyelevel_core.contracts.sentences import Known, Problem, Where, displayed
from eyelevel_core.study.design import Design
from eyelevel_core.suggestions import did_you_mean, these
from eyelevel_kinds import KINDS


@dataclass(frozen=True)
class Names:
    """The sites, networks and stacks of a batch."""

    sites: frozenset[str]
    networks: frozenset[str]
    stacks: frozenset[str]


def unknown_names(design: Design, names: Names) -> Iterator[Problem]:
    """Yields a problem for each place with a name that the batch does not have."""
    known = {"sites": sorted(names.sites), "networks": sorted(names.networks), "stacks": sorted(names.stacks)}
    for where, what, name in _named(design):
        if name not in known[what]:
            says = f"is {displayed(name)}, but {these(what, known[what], of='of the batch')}."
            yield Problem(where, f"{says}{did_you_mean(name, known[what])}")


def impossible_names(design: Design) -> Iterator[Problem]:
    """Yields a problem for each place with a name that no batch can have, as names are ASCII."""
    for where, _, name in (*_named(design), (("batch",), "batch", design.batch)):
        if not name.isascii():
            meant = look_alike(NAME, name)
            says = f"is {displayed(name)}, which contains {outside_ascii(name)}, but {rule_of(NAME, name)}."
            yield Problem(where, says + (f" Did you mean {meant}?" if meant else ""))


def known_names(study: Any, names: Names | None) -> Known:
    """Returns known values for fields of a study, any part of which may be wrong."""
    known = {"languages": _texts(_listed(study, "languages"))}
    contexts = _listed(study, "contexts")
    known["contexts"] = _texts(context.get("key") for context in contexts if isinstance(context, dict))
    if names is not None:
        stacks, networks = sorted(names.stacks), sorted(names.networks)
        pairs = [f"[{', '.join(pair)}]" for pair in combinations(stacks, 2)]
        sites = sorted(names.sites)
        known |= {"sites": sites, "training_site": sites, "networks": networks, "over": networks}
        known |= {"stacks": stacks, "pair": stacks, "pairs": pairs}
    return known


def _listed(study: Any, name: str) -> list[Any]:
    value = study.get(name) if isinstance(study, dict) else None
    return value if isinstance(value, list) else []


def _texts(values: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))


def _named(design: Design) -> Iterator[tuple[Where, str, str]]:
    """Yields every place with a name, the name, and its kind."""
    for number, context in enumerate(design.contexts):
        for place, network in enumerate(context.networks):
            yield ("contexts", number, "networks", place), "networks", network
    for number, block in enumerate(design.blocks):
        for what, listed in (("sites", block.sites), ("networks", block.networks)):
            for place, name in enumerate(listed or ()):
                yield ("trials", number, what, place), what, name
        for at, stack in KINDS[block.kind].stacks(block.kind_fields):
            yield ("trials", number, *at), "stacks", stack
    if design.training_site is not None:
        yield ("training_site",), "sites", design.training_site
    shown = {network for context in design.contexts for network in context.networks}
    for number, hypothesis in enumerate(design.plan.hypotheses):
        where: Where = ("plan", "hypotheses", number)
        for place, stack in enumerate(hypothesis.pair or ()):
            yield (*where, "pair", place), "stacks", stack
        for place, network in enumerate(hypothesis.over or ()):
            # by default the networks of the contexts, where unknown ones are reported
            if network not in shown:
                yield (*where, "over", place), "networks", network
