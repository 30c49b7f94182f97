"""Checks that the clips of a batch suffice for a study; errors name the field and what to change."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from eyelevel_core.assignment.clip import Chosen, Clip, Setting
from eyelevel_core.contracts.sentences import Where
from eyelevel_core.study.design import Block, Design
from eyelevel_core.suggestions import these


class SelectionError(ValueError):
    """The study's selection does not fit the batch; `where` is the field's path in the study file.

    `all` has this error and those of other blocks.
    """

    def __init__(self, message: str, where: Where, others: Sequence["SelectionError"] = ()) -> None:
        super().__init__(message)
        self.where = where
        self.all: tuple[SelectionError, ...] = (self, *others)


def check_medoids(number: int, matches: Iterable[Clip], medoids: Iterable[Clip]) -> None:
    """Raises SelectionError unless every setting has a medoid."""
    marked = {medoid.setting for medoid in medoids}
    for clip in matches:
        if clip.setting not in marked:
            raise SelectionError(
                f'trials[{number}].clips is "medoid", but the batch marks no clip of {named(clip)} as the medoid; run '
                "eyelevel batch again, or write random.",
                ("trials", number, "clips"),
            )


def check_enough(number: int, block: Block, matches: Sequence[Chosen], *, share: Fraction) -> None:
    """Raises SelectionError unless there are enough clips and settings; `share` is that of identical pairs."""
    if not matches:
        says = "selects no clip of the batch in any context; add sites, networks or stacks."
        raise SelectionError(f"trials[{number}] {says}", ("trials", number))
    settings = len({match.clip.setting for match in matches})
    if _shown(block.count, share) > settings:
        noun = "pair" if matches[0].clip.kind == "pair" else "clip"
        give = f"1 {noun}" if settings == 1 else f"{settings} different {noun}s"
        most = max(count for count in range(1, block.count) if _shown(count, share) <= settings)
        raise SelectionError(
            f"trials[{number}].count is {block.count}, but the selected sites, networks and stacks have only {give}, "
            f"and a participant sees each once; write at most {most}, or add sites, networks or stacks.",
            ("trials", number, "count"),
        )


def _shown(count: int, share: Fraction) -> int:
    """The smallest number of main trials among `count` trials."""
    return count - math.floor(share * count)


def check_lengths(design: Design, clips: Sequence[Clip], short: Sequence[Clip]) -> None:
    """Raises SelectionError if `max_clip_s` excludes every clip."""
    if clips and not short:
        shortest_s = min(clip.duration_ms for clip in clips) / 1000
        raise SelectionError(
            f"max_clip_s is {design.max_clip_s:g}, but the shortest clip of the batch lasts {shortest_s:.1f} s; raise "
            "or delete it.",
            ("max_clip_s",),
        )


def check_training_site(design: Design) -> None:
    """Raises SelectionError if a block asks about the training site."""
    site = design.training_site
    for number, block in enumerate(design.blocks):
        if site is not None and site in (block.sites or ()):
            raise SelectionError(
                f"trials[{number}].sites names {site}, which is the training_site; delete it in one place.",
                ("trials", number, "sites"),
            )


def check_training(number: int, block: Block, clips: Sequence[Clip]) -> None:
    """Raises SelectionError if there are fewer training clips than the author wrote."""
    if len(clips) < block.training:
        raise SelectionError(
            f"trials[{number}].training is {block.training}, but the batch has {len(clips)} training clips with a "
            f"known Speed Index; write at most {len(clips)}.",
            ("trials", number, "training"),
        )


def check_identical(number: int, block: Block, identical: Sequence[Chosen], *, stated: bool) -> None:
    """Raises SelectionError if the share of identical pairs that the author wrote, or the repeats, are impossible."""
    most = math.ceil(exact(block.identical) * block.count) if stated else 0
    settings = len({match.clip.setting for match in identical})
    where: Where = ("trials", number, "identical")
    if most > settings:
        raise SelectionError(
            f"trials[{number}].identical is {block.identical}, which is up to {most} trials, but the batch has "
            f"{settings} different identical pairs for it; lower it, or capture more in the campaign.",
            where,
        )
    if most and most == block.count:
        raise SelectionError(
            f"trials[{number}].identical is {block.identical}, which may leave no main trial of {block.count}; lower "
            "it or raise the count.",
            where,
        )
    if block.repeats > block.count - most:
        raise SelectionError(
            f"trials[{number}].repeats is {block.repeats}, but only {block.count - most} main trials can be repeated; "
            "lower it or raise the count.",
            ("trials", number, "repeats"),
        )


def check_devices(chosen: Iterable[Chosen]) -> None:
    """Raises SelectionError if clips over one network are of two devices, as results are computed per network."""
    first: dict[str, Clip] = {}
    for match in chosen:
        clip, other = match.clip, first.setdefault(match.clip.network, match.clip)
        if clip.device != other.device:
            raise SelectionError(
                f"trials[{match.block}] asks about {clip.site} on a {clip.device} over {clip.network}, and the study "
                f"about {other.site} on a {other.device} over the same network, but results are computed per network; "
                "name sites of one device, or ask about the two devices over different networks.",
                ("trials", match.block),
            )


def check_orders(number: int, matches: Iterable[Chosen]) -> None:
    """Raises SelectionError unless the batch has both orders of every pair, each once."""
    orders: dict[tuple[str, frozenset[str]], list[Clip]] = defaultdict(list)
    for match in matches:
        if match.clip.kind == "pair":
            orders[match.context, frozenset(match.clip.takes)].append(match.clip)
    for clips in orders.values():
        if len(clips) != 2 or clips[0].takes != clips[1].takes[::-1]:
            raise SelectionError(
                f"trials[{number}] selects {clips[0].site} over {clips[0].network} with "
                f"{' left of '.join(clips[0].stacks)}, but the batch does not have each order of this pair once; run "
                "eyelevel batch again.",
                ("trials", number),
            )


def check_owners(number: int, matches: Iterable[Chosen], owners: dict[Setting, int]) -> None:
    """Raises SelectionError if an earlier block shows a setting of this one.

    `owners` has the block of each setting; the settings of this block are added.
    """
    for match in matches:
        owner = owners.setdefault(match.clip.setting, number)
        if owner != number:
            raise SelectionError(
                f"trials[{number}] and trials[{owner}] both select {named(match.clip)}, but a participant sees "
                "each clip once; restrict sites, networks or stacks of one of them.",
                ("trials", number),
            )


def check_contexts(design: Design, chosen: Sequence[Chosen]) -> None:
    """Raises SelectionError if a context has no clip."""
    shown = {stimulus.context for stimulus in chosen}
    for number, context in enumerate(design.contexts):
        if context.key not in shown:
            raise SelectionError(
                f"contexts[{number}] ({context.key}) matches no clip of the batch; "
                f"{these('networks', context.networks, whose='its')}.",
                ("contexts", number, "networks"),
            )


def check_controls(count: int, chosen: Iterable[Chosen]) -> None:
    """Raises SelectionError if there are fewer control clips than a participant is shown."""
    clips = {stimulus.clip.sha256 for stimulus in chosen}
    if len(clips) < count:
        raise SelectionError(
            f"controls.videos.count is {count}, but {len(clips)} control clips of the batch match the trials; lower "
            "the count, or make more in the campaign.",
            ("controls", "videos", "count"),
        )


def named(clip: Clip) -> str:
    """A clip's setting for error messages."""
    return f"{clip.site} over {clip.network} with {' and '.join(sorted(clip.stacks))}"


def exact(share: float) -> Fraction:
    """The share as it is written, e.g. 3/20 for 0.15."""
    return Fraction(str(share))
