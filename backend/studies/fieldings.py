"""Opens a fielding (data collection wave) for a group of a study, with the quota slots of its sessions."""

from datetime import datetime
from functools import lru_cache

from django.db import transaction
from django.db.models import Count

from eyelevel_core.assignment.allocation import allocate, generator
from eyelevel_core.assignment.cell import Cell, cell_of
from eyelevel_core.assignment.clip import Chosen
from studies.clips import plain_clip
from studies.models import CACHED_STUDIES, Assignment, Fielding, Slot, Stimulus, Study

BATCH_ROWS = 5000


def open_fielding(study: Study, *, group: str, sessions: int) -> Fielding:
    """Open a data collection wave for one group of a study, with an assignment for each session of the quota.

    An assignment has a quota slot for every main trial of one session. Assignments are determined by the study's seed,
    the fielding's slug, and the votes that earlier fieldings of the group allocated.
    """
    design = study.design
    cells = cells_of(study)
    with transaction.atomic():
        fielding = Fielding.objects.create(
            study=study, group=group, quota_sessions=sessions, lease_minutes=design.session.lease_minutes
        )
        before = _dealt_before(fielding)
        rng = generator(seed=design.seed, fielding=fielding.slug, number=0)
        Assignment.objects.bulk_create(
            [Assignment(fielding=fielding, number=number) for number in range(1, sessions + 1)], batch_size=BATCH_ROWS
        )
        for dealt in allocate(design, cells, sessions=sessions, before=before, rng=rng):
            Slot.objects.bulk_create(
                [
                    Slot(fielding=fielding, stimulus_id=stimulus, assignment=number)
                    for number, assigned in enumerate(dealt, start=1)
                    for stimulus in assigned
                ],
                batch_size=BATCH_ROWS,
            )
    return fielding


def _dealt_before(fielding: Fielding) -> dict[int, int]:
    """Number of quota slots per stimulus in earlier fieldings of the same group, in any state."""
    slots = Slot.objects.filter(fielding__study=fielding.study_id, fielding__group=fielding.group)
    return dict(slots.exclude(fielding=fielding).values_list("stimulus_id").annotate(Count("pk")))


def cells_of(study: Study) -> list[Cell]:
    """The study's stimuli as cells, in their frozen order."""
    return _read_cells(study.sha256)


def cells_of_published(study: Study) -> list[Cell]:
    """The cells of a published study, whose stimuli never change; read once per process."""
    return _cells_published_at(study.sha256, study.published_at)


@lru_cache(maxsize=CACHED_STUDIES)
def _cells_published_at(study_sha256: str, _published_at: datetime) -> list[Cell]:
    # the time distinguishes a study that was deleted and published again, with the same digest but other rows
    return _read_cells(study_sha256)


def _read_cells(study_sha256: str) -> list[Cell]:
    stimuli = Stimulus.objects.filter(study=study_sha256).select_related("clip__take", "clip__right_take")
    return [
        cell_of(row.pk, Chosen(row.block, row.kind, row.context, plain_clip(row.clip), row.role))
        for row in stimuli.order_by("number")
    ]


def forget_cells() -> None:
    """Clear the cache of cells; for tests, which create several studies with the same digest."""
    _cells_published_at.cache_clear()
