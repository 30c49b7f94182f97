"""Opens a fielding (data collection wave) for a group of a study, with the quota slots of its sessions."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count

from eyelevel_core.assignment.setting import setting_of
from stimuli.models import Clip
from studies.allocation import Cell, generator, identical_counts, seats
from studies.models import Fielding, Slot, Stimulus, StimulusRole, Study

BATCH_ROWS = 5000


def open_fielding(study: Study, *, group: str, sessions: int) -> Fielding:
    """Put a study in the field for one of its groups, with seats for so many sessions.

    A seat has a slot for every main trial of one session in one block. Seats follow from the study's seed, the
    fielding's slug and what earlier fieldings of the group have dealt, with which votes are equal.
    """
    design = study.design
    cells = cells_of(study)
    with transaction.atomic():
        fielding = Fielding.objects.create(
            study=study, group=group, quota_sessions=sessions, lease_minutes=design["session"]["lease_minutes"]
        )
        before = _dealt_before(fielding)
        rng = generator(seed=design["seed"], fielding=fielding.slug, claim=0)
        for number, block in enumerate(design["trials"]):
            share = block.get("identical", 0)
            identical = identical_counts(share, count=block["count"], sessions=sessions, rng=rng)
            sizes = [block["count"] - few for few in identical]
            dealt = seats(main_cells(cells, number), sizes, before=before, rng=rng)
            Slot.objects.bulk_create(
                [
                    Slot(fielding=fielding, stimulus_id=stimulus, seat=place)
                    for place, seat in enumerate(dealt, start=1)
                    for stimulus in seat
                ],
                batch_size=BATCH_ROWS,
            )
    return fielding


def _dealt_before(fielding: Fielding) -> dict[int, int]:
    """Slots per stimulus of the earlier fieldings of the same group, whatever became of them."""
    slots = Slot.objects.filter(fielding__study=fielding.study_id, fielding__group=fielding.group)
    return dict(slots.exclude(fielding=fielding).values_list("stimulus_id").annotate(Count("pk")))


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
