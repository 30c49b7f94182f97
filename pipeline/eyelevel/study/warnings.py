"""Warnings about valid study files: weaknesses of the study, one sentence each with what to do about it."""

import math
from collections.abc import Iterator

from eyelevel.study.clips_of_batch import Batch
from eyelevel.study.forecast import Forecast, at_best
from eyelevel_core.assignment.selection import too_long
from eyelevel_core.study.design import Design
from eyelevel_core.study.file import StudyFile
from eyelevel_core.study.recruiter import UNEARNED
from eyelevel_kinds import KINDS
from eyelevel_kinds.compare import JUST_NOTICEABLE

# width in CSS pixels of many laptops' windows, without the scroll bar
LAPTOP_PX = 1280 - 15
# fields that participants and readers expect
EXPECTED = {
    "ethics": "names no ethics board that approved it; add ethics unless no approval is needed.",
    "retention": "does not tell participants how long their answers are kept; add retention.",
    "debriefing": "does not tell participants at the end what it was about; add debriefing.",
    "plan": "has no analysis plan; add hypotheses, exclusions and a stopping rule before the first vote.",
    "controls": "has no control videos or questions, which detect inattentive participants; add controls unless that "
    "is intended.",
}
# of two Speed Indexes; twice what half of the people just notice
OBVIOUS = 2 * JUST_NOTICEABLE
# a share of one half is no difference
HALF = 0.5
# fields of a plan, each needed before the first vote
PLANNED = {
    "hypotheses": "no hypotheses; state what you expect to find.",
    "model": "no model; state how the hypotheses will be tested.",
    "exclusions": "no exclusions; state which votes will be excluded.",
    "stopping": "no stopping rule; state when recruitment ends.",
}


def warnings_of(file: StudyFile, design: Design, forecast: Forecast, batch: Batch | None) -> Iterator[str]:
    """Yields warnings about a study file; `design` is the one that would be published over the batch."""
    for field, sentence in EXPECTED.items():
        if field not in file.written:
            yield f"The study {sentence}"
    if "plan" in file.written:
        yield from (f"plan has {sentence}" for part, sentence in PLANNED.items() if not getattr(design.plan, part))
    yield from _of_margins(design, forecast)
    yield from _of_hypotheses(design)
    yield from _nested(design)
    yield from _of_blocks(file.design)
    yield from _of_rules(file)
    yield from _of_time(design, forecast)
    yield from _of_recruiters(design)
    if design.pay is not None and design.session.narrow_window == "skip" and _skippable(design):
        yield (
            "session.narrow_window is skip: a participant can skip the comparisons by making the window small, and is "
            "still paid in full; use refuse unless that is intended."
        )
    if forecast.pay is not None and forecast.pay.fair is False:
        yield (
            f"pay gives {forecast.pay.hourly:.2f} {forecast.pay.currency} an hour, below the fair "
            f"{forecast.pay.fair_hourly:.2f}; pay more, or shorten the study."
        )
    if batch is not None:
        yield from _of_batch(file.design, design, forecast, batch)
        yield from _of_windows(design, batch)


def _nested(design: Design) -> Iterator[str]:
    """Effects of contexts and networks can be separated only if shared networks connect all contexts."""
    parts: list[tuple[set[str], set[str]]] = []
    for context in design.contexts:
        keys, networks = {context.key}, set(context.networks)
        for part in [part for part in parts if part[1] & networks]:
            parts.remove(part)
            keys, networks = keys | part[0], networks | part[1]
        parts.append((keys, networks))
    if len(parts) < 2:
        return
    order = design.context_keys
    # the others are compared with the largest part
    parts.sort(key=lambda part: (-len(part[0]), min(map(order.index, part[0]))))
    for keys, networks in parts[1:]:
        names, have = ", ".join(sorted(keys, key=order.index)), ", ".join(sorted(networks))
        yield (
            f"contexts: only {names} has the networks {have}, so the effect of the context cannot be separated from "
            "that of its networks; give one network to all contexts."
        )


def _of_blocks(design: Design) -> Iterator[str]:
    for number, block in enumerate(design.blocks):
        where = f"trials[{number}]"
        if block.has_identical and block.identical == 0:
            yield f"{where}.identical is 0, so false positives cannot be measured; set a share of identical pairs."
        if block.clips == "medoid":
            yield f"{where}.clips is medoid: one run represents each setting, so results hold for these runs only."


def _of_rules(file: StudyFile) -> Iterator[str]:
    """Rules that the file states and nobody can break; defaults that the author did not write are no weakness."""
    design, stated = file.design, file.written.get("conformance", {})
    early = sum(block.answer_from == "start" for block in design.blocks)
    videos, questions = design.controls.videos.count, len(design.controls.questions)
    for rule, count, why in (
        ("R4", early, "every block has answer_from: end; set answer_from: start"),
        ("R6", videos, "controls has no videos; add some"),
        ("R7", questions, "controls has no questions; add some"),
    ):
        settings = design.conformance.rules[rule]
        if rule in stated and settings.use and not count:
            yield f"conformance.{rule} excludes nobody, because {why}, or set use: false."
        if count and settings.thresholds.get("wrong_at_most", -1) >= count:
            yield f"conformance.{rule}.wrong_at_most accepts any number of wrong answers; lower it."


def _of_recruiters(design: Design) -> Iterator[str]:
    if design.pay is not None and all(group.recruiter is None for group in design.groups):
        yield (
            "pay is promised, but no group has a recruiter, so the platform stores no id by which to pay; add one, "
            "unless you pay in another way."
        )
    withheld = any(not rule.pay for rule in design.conformance.rules.values())
    for number, group in enumerate(design.groups):
        where, recruiter = f"groups[{number}]", group.recruiter
        if recruiter is None:
            continue
        way = recruiter.way_back("completed", own_code="")
        stranded = [end for end in UNEARNED if recruiter.way_back(end).url is None]
        if way.url is not None and stranded:
            yield (
                f"{where}.recruiter has no way back for {', '.join(stranded)}: these participants keep their place at "
                f"{recruiter.name} until it times out; add codes.other or returns.other."
            )
        if "prolific" in recruiter.name.lower() and "completed" not in {*recruiter.codes, *recruiter.returns}:
            yield (
                f"{where}.recruiter.codes has no completed, so each participant gets a different code, but Prolific "
                "accepts only codes that the study there lists; add it."
            )
        if recruiter.separates_failed_checks and not withheld:
            yield (
                f"{where}.recruiter has a way back for failed_checks, but every rule of conformance has pay: true, so "
                "it is never used; set pay: false for a rule, or delete it."
            )


def _skippable(design: Design) -> bool:
    return any(KINDS[block.kind].skippable for block in design.blocks)


def _of_time(design: Design, forecast: Forecast) -> Iterator[str]:
    session = design.session
    limit, back = session.time_limit_minutes, session.resume_within_minutes
    if forecast.minutes > limit:
        yield (
            f"session.time_limit_minutes is {limit}, but a session takes about {forecast.minutes}; raise the limit, or "
            "shorten the study."
        )
    if design.conformance.rules["R5"].use and session.resume == "resume" and back > limit:
        yield (
            f"session.resume_within_minutes is {back}, but session.time_limit_minutes is {limit}: participants who "
            f"resume after that can finish, but R5 always excludes them; set at most {limit}, or raise the limit."
        )


def _of_margins(design: Design, forecast: Forecast) -> Iterator[str]:
    """Margins below what any block of the hypothesis's kind can detect."""
    best = [at_best(design, forecast, number) for number in range(len(design.blocks))]
    points = [smallest for unit, smallest in best if unit == "points" and smallest is not None]
    # if everyone names a side, the shares of both sides differ by twice what one differs from one half
    shares = [2 * (smallest - HALF) for unit, smallest in best if unit == "share" and smallest is not None]
    for number, hypothesis in enumerate(design.plan.hypotheses):
        margin, kind = hypothesis.margin, hypothesis.kind
        found_of = {"rate": points, "compare": shares}.get(kind or "", [])
        if margin is None or kind is None or any(margin >= smallest for smallest in found_of):
            continue
        unit = "points" if kind == "rate" else "between the shares"
        least = f"differences of {min(found_of):.2f} {unit}" if found_of else "nothing"
        yield (
            f"plan.hypotheses[{number}].margin is {margin:g}, but all votes of a block together detect at best "
            f"{least}; add participants, ask less, or raise the margin."
        )


def _of_hypotheses(design: Design) -> Iterator[str]:
    for number, hypothesis in enumerate(design.plan.hypotheses):
        if hypothesis.kind is None:
            yield (
                f"plan.hypotheses[{number}] ({hypothesis.key}) is only a sentence, so the results cannot answer it; "
                "add kind, pair, networks and expects, or kind: metrics and metric."
            )


def _of_windows(design: Design, batch: Batch) -> Iterator[str]:
    """Blocks whose minimum sizes exclude the windows of common laptops."""
    for number, block in enumerate(design.blocks):
        kind = KINDS[block.kind].clip_kind
        shown = (clip.sha256 for clip in batch.clips if clip.kind == kind)
        widths = [batch.sizes[sha256][0] for sha256 in shown if sha256 in batch.sizes]
        name = max(("min_scale", "min_device_scale"), key=lambda name: block.kind_fields.get(name, 0))
        needed = math.ceil(max(widths, default=0) * block.kind_fields.get(name, 0))
        if needed > LAPTOP_PX:
            yield (
                f"trials[{number}].{name} is {block.kind_fields[name]:g}, which needs a window of {needed} CSS pixels "
                f"at a device pixel ratio of 1; laptops often have {LAPTOP_PX}, so lower it unless that is intended."
            )


def _of_batch(wanted: Design, design: Design, forecast: Forecast, batch: Batch) -> Iterator[str]:
    """Warnings about defaults that the batch does not allow; the frozen study has lower ones.

    `wanted` is the design of the file, `design` the one that the batch allows.
    """
    if design.batch not in (batch.sha256, batch.campaign):
        yield f"batch is {design.batch}, but the batch given is {batch.campaign} ({batch.sha256[:12]})."
    for number, (asked, given) in enumerate(zip(wanted.blocks, design.blocks, strict=True)):
        # a share that the file states is an error if the batch has no pairs for it
        if given.identical == 0 < asked.identical:
            why = "count leaves no room for one" if asked.count == 1 else "the batch has none that match"
            yield f"trials[{number}].identical: no identical pairs are shown, because {why}."
        elif given.identical < asked.identical:
            few = f"the batch has identical pairs only for a share of {given.identical:.2f}"
            yield f"trials[{number}].identical: {few}; the default is {asked.identical:g}."
        if given.training < asked.training:
            few = "no clips" if given.training == 0 else f"only {given.training} clips"
            yield f"trials[{number}].training: the batch has {few} for training; the default is {asked.training}."
    yield from _of_clips(design, batch)
    yield from _of_practice(forecast)
    yield from _of_contexts(forecast)
    for context in design.contexts:
        for network in context.networks:
            if all((row.context, row.network) != (context.key, network) for row in forecast.votes):
                yield f"contexts: {context.key} has {network}, but the batch has no clip over it for any block."


def _of_clips(design: Design, batch: Batch) -> Iterator[str]:
    """Clips that the study excludes for their length, and pairs of pages with motion that never ends."""
    long = [clip for clip in batch.clips if too_long(design, clip)]
    if long:
        scenes = sorted({f"{clip.site} over {clip.network}" for clip in long})
        yield (
            f"max_clip_s is {design.max_clip_s:g}, which excludes {len(long)} of the batch's {len(batch.clips)} clips: "
            f"those of {', '.join(scenes)}."
        )
    moving = sorted({clip.site for clip in batch.clips if clip.kind == "pair" and clip.moving})
    if moving and any(KINDS[block.kind].clip_kind == "pair" for block in design.blocks):
        yield (
            f"trials: {', '.join(moving)} has motion that never ends, so the sides of a pair show different phases of "
            "it; restrict sites, or mention this in your report."
        )


def _of_practice(forecast: Forecast) -> Iterator[str]:
    practice = forecast.practice or []
    known = [trial for trial in practice if trial.asked]
    if known:
        blocks = dict.fromkeys(f"trials[{trial.block}]" for trial in known)
        sites = sorted({trial.site for trial in known})
        yield (
            f"Training of {' and '.join(blocks)} shows {' and '.join(sites)}, which the study asks about, so "
            "participants may see a training video again; set training_site, or film a further site."
        )
    for number in dict.fromkeys(trial.block for trial in practice):
        pairs = [trial for trial in practice if trial.block == number and len(trial.stacks) > 1]
        largest = max((trial.contrast for trial in pairs), default=OBVIOUS)
        if largest < OBVIOUS:
            yield (
                f"trials[{number}].training has no pair with an obvious difference: the largest is "
                f"{100 * largest:.0f} % of the Speed Index; add control videos to the campaign."
            )


def _of_contexts(forecast: Forecast) -> Iterator[str]:
    for group, numbers in (forecast.contexts_seen or {}).items():
        if len(numbers) > 1:
            fewest = min(numbers)
            yield (
                f"contexts: in the group {group}, {numbers[fewest]} of {sum(numbers.values())} participants see only "
                f"{fewest} of up to {max(numbers)}, so the effect of the context is partly a comparison of different "
                "people; raise count, or include both in the model."
            )
