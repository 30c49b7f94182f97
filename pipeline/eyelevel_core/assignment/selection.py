"""Which clips of a batch a study asks about, and whether they suffice: the same for who checks and who publishes it.

Plain values in and out.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from eyelevel_core.assignment.setting import Setting, setting_of
from eyelevel_core.study.design import written_out
from eyelevel_core.study.draft import Draft
from eyelevel_kinds import KINDS


class SelectionError(ValueError):
    """The study's selection does not fit the batch; `where` is the field's path in the study file."""

    def __init__(self, message: str, where: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.where = where


@dataclass(frozen=True)
class Candidate:
    """A clip of the batch for participants; `takes` (digests) and `stacks` are left, then right for a pair.

    `purpose` is study, identical or control. `role` says why the run is shown, e.g. medoid; None where not known.
    """

    sha256: str
    kind: str
    site: str
    network: str
    run: int
    stacks: tuple[str, ...]
    takes: tuple[str, ...]
    duration_ms: float
    purpose: str = "study"
    role: str | None = None


@dataclass(frozen=True)
class Chosen:
    """A clip that a block of trials asks about in a context; `role` is main, identical or control."""

    block: int
    kind: str
    context: str
    clip: Candidate
    role: str = "main"


def choose(draft: Draft, candidates: Sequence[Candidate]) -> list[Chosen]:
    """What `resolve` gives for a study file; raises StudyError, which names its line."""
    try:
        return resolve(draft.design, candidates)
    except SelectionError as error:
        raise draft.error(str(error), error.where) from None


def resolve(design: Mapping[str, Any], candidates: Sequence[Candidate]) -> list[Chosen]:
    """The stimuli of every block and context, in an order that depends on nothing but their names.

    A block's `networks` narrow its contexts' networks. Raises SelectionError where a name is unknown to the batch, a
    block or context matches no clip, a pair lacks its other order, a setting lacks a medoid that is asked for, a block
    wants more than there are settings to show once, two blocks would show the same setting, or the batch lacks the
    identical pairs or control clips that the study asks for by name.
    """
    complete = written_out(design)
    ordered = sorted(candidates, key=lambda clip: (clip.site, clip.network, clip.run, clip.stacks, clip.sha256))
    chosen: list[Chosen] = []
    owners: dict[Setting, int] = {}
    for number, block in enumerate(complete["trials"]):
        _check_names(number, block, candidates)
        main = list(_in_contexts(number, complete, _main(number, block, ordered)))
        identical = list(_in_contexts(number, complete, _identical(block, ordered), role="identical"))
        _check_orders(number, main)
        _check_identical(number, design["trials"][number], block, identical)
        _check_enough(number, block, main, identical)
        for match in main:
            owner = owners.setdefault(setting_of(match.clip), number)
            if owner != number:
                raise SelectionError(
                    f"trials[{number}] and trials[{owner}] both choose {_name(match.clip)}, but nobody is to see a "
                    "setting twice; narrow sites, networks or stacks of one of them.",
                    ("trials", number),
                )
        chosen += main + identical
    for number, context in enumerate(complete["contexts"]):
        if all(match.context != context["key"] for match in chosen):
            raise SelectionError(
                f"contexts[{number}] ({context['key']}) matches no clip of the batch; its networks are "
                f"{', '.join(context['networks'])}.",
                ("contexts", number, "networks"),
            )
    return chosen + _controls(complete, ordered)


def as_chosen(study: Mapping[str, Any], chosen: Sequence[Chosen]) -> dict[str, Any]:
    """The study written out as it is published over these clips: with the shares of identical pairs that there are."""
    design = written_out(study)
    for number, share in identical_shares(study, chosen).items():
        design["trials"][number]["identical"] = share
    return design


def identical_shares(design: Mapping[str, Any], chosen: Sequence[Chosen]) -> dict[int, float]:
    """The share of identical pairs that each block of pairs has: what its file says, as far as there are such pairs.

    A block that says nothing has the default as far as the batch has pairs for it, else 0.
    """
    return {
        number: float(_share(block, [one for one in chosen if one.block == number and one.role == "identical"]))
        for number, block in enumerate(written_out(design)["trials"])
        if "identical" in block
    }


def _share(block: Mapping[str, Any], identical: Iterable[Chosen]) -> Fraction:
    # one trial at least shows what the study is about
    most = min(len({setting_of(one.clip) for one in identical}), block["count"] - 1)
    share = _exact(block.get("identical", 0))
    return share if math.ceil(share * block["count"]) <= most else Fraction(most, block["count"])


def _main(number: int, block: Mapping[str, Any], ordered: Sequence[Candidate]) -> list[Candidate]:
    kind = KINDS[block["kind"]]
    matches = [
        clip for clip in ordered if clip.purpose == "study" and _fits(block, clip) and kind.chooses(block, clip.stacks)
    ]
    if block["clips"] != "medoid":
        return matches
    medoids = [clip for clip in matches if clip.role == "medoid"]
    marked = {setting_of(medoid) for medoid in medoids}
    for clip in matches:
        if setting_of(clip) not in marked:
            raise SelectionError(
                f"trials[{number}].clips is medoid, but the batch marks no clip of {_name(clip)} as one; make the "
                "clips again with eyelevel batch, or use random.",
                ("trials", number, "clips"),
            )
    return medoids


def _identical(block: Mapping[str, Any], ordered: Sequence[Candidate]) -> list[Candidate]:
    if not block.get("identical"):
        return []
    stacks = {stack for _, stack in KINDS[block["kind"]].stacks(block)}
    return [
        clip
        for clip in ordered
        if clip.purpose == "identical" and _fits(block, clip) and (not stacks or set(clip.stacks) <= stacks)
    ]


def _controls(design: Mapping[str, Any], ordered: Sequence[Candidate]) -> list[Chosen]:
    """Control clips, each in the block that would show its setting; none where the study wants none."""
    count = design["controls"]["videos"]["count"]
    chosen: list[Chosen] = []
    for number, block in enumerate(design["trials"] if count else []):
        chooses = KINDS[block["kind"]].chooses
        late = [clip for clip in ordered if clip.purpose == "control"]
        fitting = [clip for clip in late if _fits(block, clip) and chooses(block, clip.stacks)]
        chosen += _in_contexts(number, design, fitting, role="control")
    clips = {one.clip.sha256 for one in chosen}
    if len(clips) < count:
        raise SelectionError(
            f"controls.videos.count is {count}, but {len(clips)} control clips of the batch match the trials; lower "
            "the count, or have the campaign make more.",
            ("controls", "videos", "count"),
        )
    return chosen


def _in_contexts(
    number: int, design: Mapping[str, Any], clips: Sequence[Candidate], *, role: str = "main"
) -> Iterator[Chosen]:
    block = design["trials"][number]
    for context in design["contexts"]:
        if context["key"] in block["contexts"]:
            for clip in clips:
                if clip.network in context["networks"]:
                    yield Chosen(number, block["kind"], context["key"], clip, role)


def _fits(block: Mapping[str, Any], clip: Candidate) -> bool:
    return (
        clip.kind == KINDS[block["kind"]].clip_kind
        and clip.site in block.get("sites", [clip.site])
        and clip.network in block.get("networks", [clip.network])
    )


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


def _check_enough(
    number: int, block: Mapping[str, Any], matches: Sequence[Chosen], identical: Sequence[Chosen]
) -> None:
    if not matches:
        raise SelectionError(f"trials[{number}] matches no clip of the batch in any context.", ("trials", number))
    settings = len({setting_of(match.clip) for match in matches})
    seldom = math.floor(_share(block, identical) * block["count"])
    for field, least in (("count", block["count"] - seldom), ("training", block["training"])):
        if least > settings:
            noun = "pairs" if matches[0].clip.kind == "pair" else "settings"
            raise SelectionError(
                f"trials[{number}].{field} is {block[field]}, but only {settings} different {noun} match, and nobody "
                "is to see one twice; lower it or choose more.",
                ("trials", number, field),
            )


def _check_identical(
    number: int, written: Mapping[str, Any], block: Mapping[str, Any], identical: Sequence[Chosen]
) -> None:
    """Of a share that the file itself names; also that repeats find a main trial each."""
    share = _exact(written.get("identical", 0))
    most = math.ceil(share * block["count"])
    settings = len({setting_of(match.clip) for match in identical})
    where = ("trials", number, "identical")
    if most > settings:
        raise SelectionError(
            f"trials[{number}].identical is {written['identical']}, which is up to {most} trials, but the batch has "
            f"identical pairs of {settings} settings that match; lower it, or have the campaign make more.",
            where,
        )
    if most and most == block["count"]:
        raise SelectionError(
            f"trials[{number}].identical is {written['identical']}, which may leave no other trial of "
            f"{block['count']}; lower it or raise the count.",
            where,
        )
    if block["repeats"] > block["count"] - most:
        raise SelectionError(
            f"trials[{number}].repeats is {block['repeats']}, but only {block['count'] - most} trials are there to be "
            "asked again; lower it or raise the count.",
            ("trials", number, "repeats"),
        )


def _check_orders(number: int, matches: Iterable[Chosen]) -> None:
    orders: dict[tuple[str, frozenset[str]], list[Candidate]] = defaultdict(list)
    for match in matches:
        if match.clip.kind == "pair":
            orders[match.context, frozenset(match.clip.takes)].append(match.clip)
    for clips in orders.values():
        if len(clips) != 2 or clips[0].takes != clips[1].takes[::-1]:
            raise SelectionError(
                f"trials[{number}] chooses {clips[0].site} over {clips[0].network} with "
                f"{' left of '.join(clips[0].stacks)}, but the batch does not have each order of it once.",
                ("trials", number),
            )


def _name(clip: Candidate) -> str:
    return f"{clip.site} over {clip.network} with {' and '.join(sorted(clip.stacks))}"


def _exact(share: float) -> Fraction:
    return Fraction(str(share))
