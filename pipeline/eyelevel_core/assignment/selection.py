"""Selects the clips of a batch that a study shows, and checks that they suffice.

`eyelevel study check --batch` and publishing both use it, so that they accept and reject the same files.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from eyelevel_core.assignment import sufficiency
from eyelevel_core.assignment.clip import Chosen, Clip, Setting
from eyelevel_core.assignment.sufficiency import SelectionError, exact
from eyelevel_core.assignment.training import training_clips
from eyelevel_core.study.design import Block, Context, Design
from eyelevel_core.study.file import StudyFile, read_study_file
from eyelevel_core.study.names import Names
from eyelevel_core.study.parse import Fault, StudyError, line_of
from eyelevel_kinds import KINDS


@dataclass(frozen=True)
class Selection:
    """The stimuli of a study in their frozen order.

    `design` has the shares of identical pairs and the numbers of training trials that the batch allows: as written in
    the file, else the defaults as far as the batch has such clips.
    """

    design: Design
    chosen: tuple[Chosen, ...]


def read_over_batch(
    text: str, *, source: str, clips_of: Callable[[str], Sequence[Clip] | None]
) -> tuple[StudyFile, Selection]:
    """Reads a study file and selects its stimuli from its batch; raises StudyError with every problem.

    `clips_of` gives the clips of a batch by what the file calls it, or None if there is no such batch.
    """
    clips: Sequence[Clip] = ()

    def names_of(batch: str) -> Names | None:
        nonlocal clips
        batch_clips = clips_of(batch)
        clips = batch_clips or ()
        return None if batch_clips is None else names_in(batch_clips)

    file = read_study_file(text, source=source, names_of=names_of)
    return file, select_for(file, clips)


def names_in(clips: Iterable[Clip]) -> Names:
    """The sites, networks and stacks of a batch's clips."""
    clips = list(clips)
    return Names(
        frozenset(clip.site for clip in clips),
        frozenset(clip.network for clip in clips),
        frozenset(stack for clip in clips for stack in clip.stacks),
    )


def select_for(file: StudyFile, clips: Sequence[Clip]) -> Selection:
    """Returns the stimuli that a study file selects from a batch that has all its names; raises StudyError."""
    try:
        return select(
            file.design, clips, stated_shares=file.stated("identical"), stated_training=file.stated("training")
        )
    except SelectionError as error:
        faults = [Fault(str(problem), problem.where, line_of(problem.where, file.lines)) for problem in error.all]
        raise StudyError(faults, source=file.source) from None


def select(
    design: Design,
    clips: Sequence[Clip],
    *,
    stated_shares: Collection[int] = (),
    stated_training: Collection[int] = (),
) -> Selection:
    """Returns the stimuli of every block and context, in an order that depends only on their names.

    `stated_shares` has the numbers of the blocks whose share of identical pairs the author wrote. Such a share must be
    possible, whereas a default is lowered. `stated_training` has the same for the number of training trials. A block's
    `networks` restrict its contexts' networks, clips of the `training_site` are for training only, and clips longer
    than `max_clip_s` are excluded.

    Raises SelectionError where a block or context matches no clip, a pair lacks its other order, a setting lacks the
    requested medoid, a block needs more settings than there are, two blocks show the same setting, or the batch lacks
    identical pairs, control or training clips that the author asked for; with a problem of each block that has one.
    """
    short = [clip for clip in clips if not too_long(design, clip)]
    sufficiency.check_lengths(design, clips, short)
    try:
        return _select(design, clips, short, stated_shares=stated_shares, stated_training=stated_training)
    except SelectionError as error:
        if len(short) == len(clips):
            raise
        excluded = f"{len(clips) - len(short)} of the batch's {len(clips)} clips"
        left_out = f"max_clip_s, which is {design.max_clip_s:g}, excludes {excluded}."
        first, *further = (SelectionError(f"{problem} {left_out}", problem.where) for problem in error.all)
        raise SelectionError(str(first), first.where, further) from None


def too_long(design: Design, clip: Clip) -> bool:
    """Whether the study excludes the clip because of its length."""
    return design.max_clip_s is not None and clip.duration_ms > 1000 * design.max_clip_s


def _select(
    design: Design,
    clips: Sequence[Clip],
    short: Sequence[Clip],
    *,
    stated_shares: Collection[int],
    stated_training: Collection[int],
) -> Selection:
    every = sorted(short, key=lambda clip: (clip.site, clip.network, clip.run, clip.stacks, clip.sha256))
    sufficiency.check_training_site(design)
    ordered = [clip for clip in every if clip.site != design.training_site]
    chosen: list[Chosen] = []
    shares: dict[int, float] = {}
    owners: dict[Setting, int] = {}
    errors: list[SelectionError] = []
    for number, block in enumerate(design.blocks):
        try:
            main, identical, share = _of_block(number, design, ordered, stated=number in stated_shares)
            sufficiency.check_owners(number, main, owners)
        except SelectionError as error:
            errors.append(error)
            continue
        chosen += main + identical
        if block.has_identical:
            shares[number] = float(share)
    if errors:
        raise SelectionError(str(errors[0]), errors[0].where, errors[1:])
    sufficiency.check_devices(chosen)
    sufficiency.check_contexts(design, chosen)
    chosen += _controls(design, ordered)
    practised = _training(
        design, every, asked_sites={stimulus.clip.site for stimulus in chosen}, stated=stated_training
    )
    numbers = {number: len(block_clips) for number, block_clips in enumerate(practised)}
    # in whichever context follows
    training = [
        Chosen(number, design.blocks[number].kind, context.key, clip, "training")
        for number, block_clips in enumerate(practised)
        for context in design.contexts
        for clip in block_clips
    ]
    return Selection(design.with_identical(shares).with_training(numbers), tuple(chosen + training))


def _of_block(
    number: int, design: Design, ordered: Sequence[Clip], *, stated: bool
) -> tuple[list[Chosen], list[Chosen], Fraction]:
    """The main clips and the identical pairs of a block, and the share of identical pairs."""
    block = design.blocks[number]
    main = list(_in_contexts(number, design, _main(number, block, ordered)))
    identical = list(_in_contexts(number, design, _identical(block, ordered), role="identical"))
    share = _share(block, identical)
    sufficiency.check_orders(number, main)
    sufficiency.check_identical(number, block, identical, stated=stated)
    sufficiency.check_enough(number, block, main, share=share)
    return main, identical, share


def _training(
    design: Design, ordered: Sequence[Clip], *, asked_sites: Collection[str], stated: Collection[int]
) -> list[list[Clip]]:
    """The training clips of each block, of any stack; a control clip can be the pair with the largest difference."""
    per_block = []
    for number, block in enumerate(design.blocks):
        networks = {network for context in contexts_of(design, block) for network in context.networks}
        clip_kind = KINDS[block.kind].clip_kind
        purposes = {"study"} if clip_kind == "single" else {"study", "identical", "control"}
        offered = [
            clip
            for clip in ordered
            if (clip.kind == clip_kind and clip.purpose in purposes and clip.network in networks)
            and (block.networks is None or clip.network in block.networks)
            and design.training_site in (None, clip.site)
        ]
        training = training_clips(block.training, offered, asked_sites=asked_sites)
        if number in stated:
            sufficiency.check_training(number, block, training)
        per_block.append(training)
    return per_block


def _share(block: Block, identical: Iterable[Chosen]) -> Fraction:
    # at least one trial must be a main one
    most = min(len({stimulus.clip.setting for stimulus in identical}), block.count - 1)
    share = exact(block.identical)
    return share if math.ceil(share * block.count) <= most else Fraction(most, block.count)


def _main(number: int, block: Block, ordered: Sequence[Clip]) -> list[Clip]:
    kind = KINDS[block.kind]
    matches = [
        clip
        for clip in ordered
        if clip.purpose == "study" and _fits(block, clip) and kind.chooses(block.kind_fields, clip.stacks)
    ]
    if block.clips != "medoid":
        return matches
    medoids = [clip for clip in matches if clip.role == "medoid"]
    sufficiency.check_medoids(number, matches, medoids)
    return medoids


def _identical(block: Block, ordered: Sequence[Clip]) -> list[Clip]:
    if not block.identical:
        return []
    stacks = {stack for _, stack in KINDS[block.kind].stacks(block.kind_fields)}
    return [
        clip
        for clip in ordered
        if clip.purpose == "identical" and _fits(block, clip) and (not stacks or set(clip.stacks) <= stacks)
    ]


def _controls(design: Design, ordered: Sequence[Clip]) -> list[Chosen]:
    """Control clips, each in the block that would show its setting; none if the study asks for none."""
    count = design.controls.videos.count
    chosen: list[Chosen] = []
    for number, block in enumerate(design.blocks if count else ()):
        chooses = KINDS[block.kind].chooses
        delayed = [clip for clip in ordered if clip.purpose == "control"]
        fitting = [clip for clip in delayed if _fits(block, clip) and chooses(block.kind_fields, clip.stacks)]
        chosen += _in_contexts(number, design, fitting, role="control")
    sufficiency.check_controls(count, chosen)
    return chosen


def _in_contexts(number: int, design: Design, clips: Sequence[Clip], *, role: str = "main") -> Iterator[Chosen]:
    block = design.blocks[number]
    for context in contexts_of(design, block):
        for clip in clips:
            if clip.network in context.networks:
                yield Chosen(number, block.kind, context.key, clip, role)


def contexts_of(design: Design, block: Block) -> list[Context]:
    """The contexts that a block is asked in, in the study's order."""
    return [context for context in design.contexts if context.key in block.contexts]


def _fits(block: Block, clip: Clip) -> bool:
    return (
        clip.kind == KINDS[block.kind].clip_kind
        and (block.sites is None or clip.site in block.sites)
        and (block.networks is None or clip.network in block.networks)
    )
