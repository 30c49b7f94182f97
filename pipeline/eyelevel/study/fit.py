"""Adapts a study file to a batch that it was not written for: removes unknown names, and lowers numbers of trials."""

from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from itertools import permutations
from typing import Any

import yaml

from eyelevel_core.assignment.clip import Clip
from eyelevel_core.assignment.selection import names_in, read_over_batch
from eyelevel_core.contracts.sentences import Where, dotted
from eyelevel_core.study.parse import StudyError

# more than any study has trials
ROUNDS = 500

# a study file as YAML reads it
StudyFile = dict[str, Any]


def fitted(study: StudyFile, clips: Sequence[Clip], *, batch: str, training_site: str | None) -> StudyFile:
    """Returns the study with the smallest changes with which it can be published over this batch (its digest).

    Removes sites, networks, stacks and pairs that the batch does not have, and with them contexts without a network and
    hypotheses without their pair. Lowers numbers of trials to what the clips allow. Raises StudyError if that does not
    help.
    """
    study = deepcopy(study) | {"batch": batch}
    known = names_in(clips)
    pairs = {frozenset(clip.stacks) for clip in clips if clip.kind == "pair" and clip.purpose == "study"}
    if training_site is not None:
        study["training_site"] = training_site
    elif study.get("training_site") not in known.sites:
        study.pop("training_site", None)
    for context in study["contexts"]:
        context["networks"] = [network for network in context["networks"] if network in known.networks]
    study["contexts"] = [context for context in study["contexts"] if context["networks"]]
    shown = {network for context in study["contexts"] for network in context["networks"]}
    for block in study["trials"]:
        _keep(block, "sites", known.sites - {study.get("training_site")})
        _keep(block, "networks", shown)
        _keep(block, "stacks", known.stacks)
        _keep(block, "contexts", {context["key"] for context in study["contexts"]})
        _keep(block, "pairs", [list(order) for pair in pairs for order in permutations(pair)])
    plan = study.get("plan", {})
    for hypothesis in plan.get("hypotheses", []):
        if "over" in hypothesis:
            hypothesis["over"] = [network for network in hypothesis["over"] if network in shown]
    _keep(
        plan,
        "hypotheses",
        [planned for planned in plan.get("hypotheses", []) if _answerable(planned, known.stacks, pairs)],
    )
    return _lowered(study, clips)


def _keep(owner: StudyFile, name: str, known: Collection[Any]) -> None:
    """Remove unknown entries of a list, and the list if it is then empty, because a missing list means all."""
    if name in owner:
        owner[name] = [entry for entry in owner[name] if entry in known]
        if not owner[name]:
            del owner[name]


def _answerable(hypothesis: StudyFile, stacks: Collection[str], pairs: Collection[frozenset[str]]) -> bool:
    pair = frozenset(hypothesis.get("pair", ()))
    available = pair in pairs if hypothesis.get("kind") == "compare" else pair <= set(stacks)
    return available and hypothesis.get("over") != []


def _lowered(study: StudyFile, clips: Sequence[Clip]) -> StudyFile:
    for _ in range(ROUNDS):
        try:
            read_over_batch(text_of(study), source="the fitted study", clips_of=lambda _batch: clips)
        except StudyError as error:
            lowered = [_lower(study, fault.where) for fault in error.faults]
            if not any(lowered):
                raise
        else:
            break
    return study


def _lower(study: StudyFile, where: Where) -> bool:
    """Lower the number at this place by one; returns False if it may not be lowered."""
    match where:
        case ("trials", int(block), "identical" as name):
            # the default is as many as the batch has
            return study["trials"][block].pop(name, None) is not None
        case ("trials", int(block), ("count" | "training" | "repeats") as name):
            owner, least = study["trials"][block], 1 if name == "count" else 0
        case ("controls", "videos", "count" as name):
            owner, least = study["controls"]["videos"], 0
        case ("controls", "questions", int(question), "after" as name):
            owner, least = study["controls"]["questions"][question], 1
        case _:
            return False
    if owner.get(name, 0) <= least:
        return False
    owner[name] -= 1
    return True


def text_of(study: StudyFile) -> str:
    """Returns the study as YAML, without comments."""
    return yaml.safe_dump(study, allow_unicode=True, sort_keys=False, width=100)


def changes(before: Any, after: Any, where: Where = ()) -> Iterator[str]:
    """Yields a line for each difference between two studies, with its place and both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from changes(before.get(key), after.get(key), (*where, key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, where)
    elif before != after:
        yield f"{dotted(where)}: {_shown(before)} -> {_shown(after)}"


def _of_lists(before: list[Any], after: list[Any], where: Where) -> Iterator[str]:
    named = [entry.get("key") if isinstance(entry, dict) else entry for entry in after]
    for place, entry in enumerate(before):
        key = entry.get("key") if isinstance(entry, dict) else entry
        if key is None:
            yield from changes(entry, after[place], (*where, place))
        elif key not in named:
            yield f"{dotted(where)}: {_shown(key)} is removed"
        elif isinstance(entry, dict):
            yield from changes(entry, after[named.index(key)], (*where, place))


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return "nothing" if value is None else str(value)
