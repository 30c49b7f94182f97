"""Publishes study files: reads the file, selects clips, freezes the study, and opens a fielding per group."""

from collections.abc import Sequence

from django.db import transaction

from accounts.models import User
from audit.log import record
from audit.models import What
from eyelevel_core.assignment.clip import Clip as PlainClip
from eyelevel_core.assignment.freeze import freeze
from eyelevel_core.assignment.selection import Selection, read_over_batch
from eyelevel_core.contracts import canonical_json, sha256_of_bytes
from eyelevel_core.contracts.sentences import dotted
from eyelevel_core.study.design import Group
from eyelevel_core.study.parse import StudyError
from lib.problems import Problem
from stimuli.models import Batch, BatchState, Clip
from studies.archive import demand_not_archived
from studies.clips import plain_clip
from studies.fieldings import open_fielding
from studies.lifecycle import effective_states
from studies.models import Fielding, Stimulus, Study
from studies.permissions import may, visible_studies

# name of the uploaded file in errors
SOURCE = "study"


def publish(text: str, *, user: User | None) -> Study:
    """Publish a study file (YAML); the same text with the same batch returns the same study.

    Each of its groups gets a new fielding, unless it has one that is open or paused and not full.

    Raises Problem 422 `invalid_study` with line and field, or 409 `archived`.
    """
    batches: list[Batch] = []
    clips: dict[str, Clip] = {}

    def clips_of(name: str) -> list[PlainClip] | None:
        batch = _batch(name)
        if batch is None:
            return None
        batches.append(batch)
        clips.update((clip.sha256, clip) for clip in batch.clips.select_related("take", "right_take"))
        return [plain_clip(clip) for clip in clips.values()]

    try:
        file, selection = read_over_batch(text, source=SOURCE, clips_of=clips_of)
        parent = file.design.parent
        known = Study.objects.all() if user is None else visible_studies(user)
        if parent is not None and not known.filter(sha256=parent).exists():
            raise file.error(
                f'parent is "{parent}", but this platform has no such study; publish the parent first.', ("parent",)
            )
    except StudyError as error:
        raise refused(error) from None
    (batch,) = batches
    frozen = canonical_json(freeze(file, selection, batch=batch.sha256))
    return _store(frozen, selection, batch=batch, clips=clips, user=user)


def refused(error: StudyError) -> Problem:
    """The Problem for an invalid study file, with line and field of the first fault, and a list of all faults."""
    faults = [
        {"line": fault.line, "field": dotted(fault.where) or None, "message": fault.says} for fault in error.faults
    ]
    first = {"line": error.line, "field": dotted(error.where) or None}
    return Problem(422, "invalid_study", str(error), details={**first, "faults": faults})


def _batch(name: str) -> Batch | None:
    visible = Batch.objects.filter(state=BatchState.VISIBLE)
    return visible.filter(sha256=name).first() or visible.filter(campaign=name).order_by("-received_at").first()


def _store(frozen: bytes, selection: Selection, *, batch: Batch, clips: dict[str, Clip], user: User | None) -> Study:
    design = selection.design
    with transaction.atomic():
        # locked, so that it is not deleted meanwhile
        if not Batch.objects.select_for_update(no_key=True).filter(pk=batch.pk).exists():
            message = f"The batch {batch.campaign} was deleted a moment ago; use another one, or push it again."
            raise Problem(409, "batch_deleted", message, details={"field": "batch"})
        study, new = Study.objects.get_or_create(
            sha256=sha256_of_bytes(frozen),
            defaults={
                "name": design.name,
                "parent_sha256": design.parent,
                "frozen_text": frozen.decode(),
                "batch": batch,
                "published_by": user,
            },
        )
        if new:
            Stimulus.objects.bulk_create(
                Stimulus(
                    study=study,
                    number=number,
                    block=chosen.block,
                    kind=chosen.kind,
                    role=chosen.role,
                    context=chosen.context,
                    clip=clips[chosen.clip.sha256],
                )
                for number, chosen in enumerate(selection.chosen)
            )
            record(user, What.PUBLISH, study, {"batch": batch.sha256})
        elif user is not None and not may(user, study, "edit"):
            # this user has the same file, so the message reveals only that it was published
            message = "Another user has published the same study; ask them to share it, or change its name or seed."
            raise Problem(409, "published_already", message)
        # locked, so that two concurrent requests open one fielding per group
        demand_not_archived(Study.objects.select_for_update().get(pk=study.pk))
        for fielding in _open_fieldings(study, design.groups):
            if not new:
                record(user, What.OPEN, fielding, {"from": None})
    return study


def _open_fieldings(study: Study, groups: Sequence[Group]) -> list[Fielding]:
    """Open fieldings for the groups that have none; returns the new ones."""
    fieldings = list(study.fieldings.all())
    states = effective_states(fieldings)
    served = {fielding.group for fielding in fieldings if states[fielding.pk] in ("open", "paused")}
    return [
        open_fielding(study, group=group.key, sessions=group.sessions) for group in groups if group.key not in served
    ]
