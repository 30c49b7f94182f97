"""Publishing: read the file, choose the clips, freeze, and open a fielding."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from audit.log import record
from audit.models import What
from eyelevel_core.assignment.selection import Candidate, Chosen, choose
from eyelevel_core.contracts import canonical_json, sha256_of_bytes
from eyelevel_core.study.draft import Draft, read_draft
from eyelevel_core.study.study import StudyError, dotted
from lib.problems import Problem
from stimuli.models import Batch, BatchState, Clip
from studies.fieldings import open_fielding
from studies.freeze import freeze
from studies.lifecycle import effective_states
from studies.models import Fielding, Stimulus, Study
from studies.permissions import may, visible_studies

# what errors call a file that came without a name
SOURCE = "study"


def publish(text: str, *, user: User | None) -> Study:
    """The study that this YAML text is; the same text over the same batch gives the same study.

    Each of its groups gets a new fielding where it has none that is open or paused and not full.

    Raises Problem 422 `invalid_study`, which names line and field.
    """
    try:
        read = read_draft(text, source=SOURCE)
        batch = _batch(read)
        clips = {clip.sha256: clip for clip in batch.clips.select_related("take", "right_take")}
        chosen = choose(read, [_candidate(clip) for clip in clips.values()])
        parent = read.design.get("parent")
        known = Study.objects.all() if user is None else visible_studies(user)
        if parent is not None and not known.filter(sha256=parent).exists():
            raise read.error(f"parent names the study {parent}, which is not here.", ("parent",))
    except StudyError as error:
        raise Problem(
            422, "invalid_study", str(error), details={"line": error.line, "field": dotted(error.where) or None}
        ) from None
    frozen = freeze(read.design, batch=batch.sha256, chosen=chosen)
    return _store(frozen, batch=batch, chosen=chosen, clips=clips, user=user)


def _batch(read: Draft) -> Batch:
    name = read.design["batch"]
    visible = Batch.objects.filter(state=BatchState.VISIBLE)
    found = visible.filter(sha256=name).first() or visible.filter(campaign=name).order_by("-received_at").first()
    if found is None:
        raise read.error(f"batch names {name}, but no batch with this digest or campaign is here.", ("batch",))
    return found


def _store(
    frozen: dict[str, Any], *, batch: Batch, chosen: list[Chosen], clips: dict[str, Clip], user: User | None
) -> Study:
    text = canonical_json(frozen)
    design = frozen["study"]
    with transaction.atomic():
        study, new = Study.objects.get_or_create(
            sha256=sha256_of_bytes(text),
            defaults={
                "name": design["name"],
                "parent_sha256": design.get("parent"),
                "frozen_text": text.decode(),
                "batch": batch,
                "published_by": user,
            },
        )
        if new:
            Stimulus.objects.bulk_create(
                Stimulus(
                    study=study,
                    number=number,
                    block=item.block,
                    kind=item.kind,
                    role=item.role,
                    context=item.context,
                    clip=clips[item.clip.sha256],
                )
                for number, item in enumerate(chosen)
            )
            record(user, What.PUBLISH, study, {"batch": batch.sha256})
        elif user is not None and not may(user, study, "edit"):
            # they hold the very file, so this tells them nothing but that it is taken
            message = "Somebody else has published this very study; ask them to share it, or change its name or seed."
            raise Problem(409, "published_already", message)
        # one at a time: two who publish at once get one fielding per group
        Study.objects.select_for_update().get(pk=study.pk)
        for fielding in _open_fieldings(study, design["groups"]):
            if not new:
                record(user, What.OPEN, fielding, {"from": None})
    return study


def _open_fieldings(study: Study, groups: Sequence[Mapping[str, Any]]) -> list[Fielding]:
    """The new ones, for the groups that had none."""
    fieldings = list(study.fieldings.all())
    states = effective_states(fieldings)
    there = {fielding.group for fielding in fieldings if states[fielding.pk] in ("open", "paused")}
    return [
        open_fielding(study, group=group["key"], sessions=group["quota"]["sessions"])
        for group in groups
        if group["key"] not in there
    ]


def _candidate(clip: Clip) -> Candidate:
    return Candidate(
        sha256=clip.sha256,
        kind=clip.kind,
        site=clip.site,
        network=clip.network,
        run=clip.run,
        stacks=tuple(clip.stacks),
        takes=tuple(take.digest for take in clip.takes),
        duration_ms=clip.duration_ms,
        purpose=clip.purpose,
        role=clip.role,
    )
