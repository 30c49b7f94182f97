"""Plans of sessions: shares of stimuli, order, and trials."""

import random
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from eyelevel_core.assignment.allocation import Demand, generator, identical_counts, leftovers
from eyelevel_core.assignment.cell import Cell, main_cells
from eyelevel_core.assignment.trial_order import Entry, trial_order
from eyelevel_core.study.design import Block, Design
from eyelevel_kinds import KINDS
from ratings.models import Exclusion, Participant, Session, Trial
from studies.models import Fielding, Slot

# the rule that excludes a session whose participant has seen all stimuli that are still open
SEEN_BEFORE = "seen_before"


@dataclass(frozen=True)
class Beginning:
    """A new session: its fielding, its study's design and cells, and the settings that its participant has met."""

    fielding: Fielding
    design: Design
    cells: Sequence[Cell]
    met: Collection[Hashable] = ()

    @cached_property
    def old(self) -> set[int]:
        """The stimuli of the settings met."""
        return {cell.stimulus for cell in self.cells if cell.setting in self.met}


@dataclass(frozen=True)
class Share:
    """The share of a new session: quota slots, and stimuli and number of identical pairs per block.

    `number` is the session's number. `turn` is that of the assignment, which determines the counterbalanced order for
    any session that fills it.
    """

    number: int
    turn: int
    slots: Sequence[Slot]
    main: Sequence[Sequence[int]]
    identical: Sequence[int]
    # the participant has met a setting that is asked again, so the session is excluded from the start
    seen_before: bool = False


def settings_met(participant: Participant, study_sha256: str, cells: Sequence[Cell]) -> set[Hashable]:
    """Settings that the participant has seen or rated in earlier sessions of the study."""
    earlier = Trial.objects.filter(
        Q(plays__isnull=False) | Q(vote__isnull=False),
        session__participant=participant,
        session__fielding__study=study_sha256,
    )
    stimuli = set(earlier.values_list("stimulus_id", flat=True))
    return {cell.setting for cell in cells if cell.stimulus in stimuli}


def write_plan(session: Session, beginning: Beginning, share: Share) -> None:
    """Store the session's trials, and exclude the session if its participant has seen its stimuli."""
    if share.seen_before:
        Exclusion.objects.create(session=session, rule=SEEN_BEFORE)
    write(session, plan(beginning, share), beginning, {slot.stimulus_id: slot for slot in share.slots})


def plan(beginning: Beginning, share: Share) -> list[Entry]:
    """The trials of a session; the same number, share and settings met give the same trials."""
    design = beginning.design
    rng = generator(seed=design.seed, fielding=beginning.fielding.slug, number=share.number)
    main = [sorted(stimuli) for stimuli in share.main]
    return trial_order(
        design, beginning.cells, main, identical=share.identical, turn=share.turn, met=beginning.met, rng=rng
    )


def without_slots(
    blocks: Sequence[Block], cells: Sequence[Cell], rng: random.Random
) -> tuple[list[list[int]], list[int]]:
    """Stimuli and number of identical pairs per block for a session without quota slots."""
    identical = [identical_counts(block.identical, count=block.count, sessions=1, rng=rng)[0] for block in blocks]
    main = []
    for number, block in enumerate(blocks):
        of_block = main_cells(cells, number)
        demands = {cell.stimulus: Demand() for cell in of_block}
        main.append(leftovers(of_block, demands, block.count - identical[number], rng=rng))
    return main, identical


def write(session: Session, entries: Sequence[Entry], beginning: Beginning, held: Mapping[int, Slot]) -> None:
    """Store the trials; `held` are the quota slots by their stimulus."""
    kinds = {cell.stimulus: beginning.design.blocks[cell.block].kind for cell in beginning.cells}
    Trial.objects.bulk_create(
        Trial(
            session=session,
            position=position,
            stimulus_id=entry.stimulus,
            slot=held.get(entry.stimulus) if entry.role == "main" else None,
            role=entry.role,
            repeats_position=entry.repeats_position,
            kind=kinds[entry.stimulus],
            kind_version=KINDS[kinds[entry.stimulus]].version,
        )
        for position, entry in enumerate(entries, start=1)
    )
