"""Putting a study in the field: a fielding for one of its groups, and the seats of its quota."""

from collections.abc import Sequence

from django.db import transaction

from eyelevel_contracts.setting import setting_of
from stimuli.models import Clip
from studies.allocation import Cell, generator, identical_counts, seats
from studies.models import Fielding, Slot, Stimulus, StimulusRole, Study

BATCH_ROWS = 5000


def open_fielding(study: Study, *, group: str, sessions: int) -> Fielding:
    """Put a study in the field for one of its groups, with seats for so many sessions.

    A seat has a slot for every main trial of one session in one block. Seats follow from the study's seed and the
    fielding's slug.
    """
    design = study.design
    cells = cells_of(study)
    with transaction.atomic():
        fielding = Fielding.objects.create(
            study=study, group=group, quota_sessions=sessions, lease_minutes=design["session"]["lease_minutes"]
        )
        rng = generator(seed=design["seed"], fielding=fielding.slug, claim=0)
        for number, block in enumerate(design["trials"]):
            share = block.get("identical", 0)
            identical = identical_counts(share, count=block["count"], sessions=sessions, rng=rng)
            dealt = seats(main_cells(cells, number), [block["count"] - few for few in identical], rng=rng)
            Slot.objects.bulk_create(
                [
                    Slot(fielding=fielding, stimulus_id=stimulus, seat=place)
                    for place, seat in enumerate(dealt, start=1)
                    for stimulus in seat
                ],
                batch_size=BATCH_ROWS,
            )
    return fielding


def cells_of(study: Study) -> list[Cell]:
    """The study's stimuli as plans see them, in their frozen order."""
    stimuli = Stimulus.objects.filter(study=study).select_related("clip__take", "clip__right_take")
    return [_cell(stimulus, stimulus.clip) for stimulus in stimuli.order_by("number")]


def main_cells(cells: Sequence[Cell], block: int) -> list[Cell]:
    return [cell for cell in cells if cell.block == block and cell.role == StimulusRole.MAIN]


def _cell(stimulus: Stimulus, clip: Clip) -> Cell:
    takes = tuple(sorted(take.digest for take in clip.takes))
    return Cell(
        stimulus=stimulus.pk,
        block=stimulus.block,
        context=stimulus.context,
        setting=setting_of(clip),
        films=(stimulus.context, takes),
        stacks=tuple(clip.stacks),
        clip=clip.sha256,
        role=stimulus.role,
    )
