"""Which clips a study asks about: plain values in and out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eyelevel_kinds import KINDS
from stimuli.groups import Group, group_of


class SelectionError(ValueError):
    """The study's selection does not fit the batch; `where` is the field's path in the study file."""

    def __init__(self, message: str, where: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.where = where


@dataclass(frozen=True)
class Candidate:
    """A clip of the batch; `stacks` are left, then right for a pair."""

    sha256: str
    kind: str
    site: str
    network: str
    run: int
    stacks: tuple[str, ...]
    duration_ms: float


@dataclass(frozen=True)
class Chosen:
    """A clip that a block of trials asks about in a context."""

    block: int
    kind: str
    context: str
    clip: Candidate


def resolve(design: Mapping[str, Any], candidates: Sequence[Candidate]) -> list[Chosen]:
    """The stimuli of every block and context, in an order that depends on nothing but their names.

    A block's `networks` narrow its contexts' networks. Raises SelectionError where a name is unknown to the batch, a
    block or context matches no clip, a pair lacks its other order, a block wants more trials than there are clips to
    show once, or two blocks would show the same clip.
    """
    chosen: list[Chosen] = []
    owners: dict[Group, int] = {}
    for number, block in enumerate(design["trials"]):
        _check_names(number, block, candidates)
        matches = list(_matches(number, block, design["contexts"], candidates))
        _check_enough(number, block, matches)
        _check_orders(number, matches)
        for match in matches:
            owner = owners.setdefault(group_of(match.clip), number)
            if owner != number:
                raise SelectionError(
                    f"trials[{number}] and trials[{owner}] both choose {match.clip.site} over {match.clip.network}, "
                    "but nobody is to see a clip twice; narrow sites, networks or stacks of one of them.",
                    ("trials", number),
                )
        chosen += matches
    for number, context in enumerate(design["contexts"]):
        if all(match.context != context["key"] for match in chosen):
            raise SelectionError(
                f"contexts[{number}] ({context['key']}) matches no clip of the batch; its networks are "
                f"{', '.join(context['networks'])}.",
                ("contexts", number, "networks"),
            )
    return chosen


def _matches(
    number: int, block: Mapping[str, Any], contexts: Sequence[Mapping[str, Any]], candidates: Sequence[Candidate]
) -> Iterable[Chosen]:
    kind = KINDS[block["kind"]]
    ordered = sorted(candidates, key=lambda clip: (clip.site, clip.network, clip.run, clip.stacks, clip.sha256))
    for context in contexts:
        networks = [name for name in context["networks"] if name in block.get("networks", context["networks"])]
        for clip in ordered:
            fits = clip.kind == kind.clip_kind and clip.network in networks
            if fits and clip.site in block.get("sites", [clip.site]) and kind.chooses(block, clip.stacks):
                yield Chosen(number, kind.name, context["key"], clip)


def _check_names(number: int, block: Mapping[str, Any], candidates: Sequence[Candidate]) -> None:
    known: dict[str, set[str]] = {
        "sites": {clip.site for clip in candidates},
        "networks": {clip.network for clip in candidates},
        "stacks": {stack for clip in candidates for stack in clip.stacks},
    }
    named: list[tuple[str, str, tuple[str | int, ...]]] = [
        (field, name, ("trials", number, field, place))
        for field in ("sites", "networks")
        for place, name in enumerate(block.get(field, []))
    ]
    named += [("stacks", name, ("trials", number, *where)) for where, name in KINDS[block["kind"]].stacks(block)]
    for field, name, where in named:
        if name not in known[field]:
            have = ", ".join(sorted(known[field]))
            raise SelectionError(f"trials[{number}] names {name}, but the batch has only the {field} {have}.", where)


def _check_enough(number: int, block: Mapping[str, Any], matches: Sequence[Chosen]) -> None:
    if not matches:
        raise SelectionError(f"trials[{number}] matches no clip of the batch in any context.", ("trials", number))
    groups = len({group_of(match.clip) for match in matches})
    if block["count"] > groups:
        noun = "pairs" if matches[0].clip.kind == "pair" else "clips"
        raise SelectionError(
            f"trials[{number}].count is {block['count']}, but only {groups} different {noun} match, and nobody is "
            "to see one twice; lower the count or choose more.",
            ("trials", number, "count"),
        )


def _check_orders(number: int, matches: Sequence[Chosen]) -> None:
    orders = Counter((match.context, group_of(match.clip)) for match in matches)
    for match in matches:
        if match.clip.kind == "pair" and orders[match.context, group_of(match.clip)] != 2:
            raise SelectionError(
                f"trials[{number}] chooses {match.clip.site} over {match.clip.network} with "
                f"{' left of '.join(match.clip.stacks)}, but the batch does not have each order of it once.",
                ("trials", number),
            )
