"""Plans the clips of a batch: single clips of chosen runs, and pairs of stacks in both orders."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import ceil

from eyelevel.batch.choose import MEDOID, choose, likeness
from eyelevel.batch.planned import Plan, Plans, Shown
from eyelevel.batch.timeline import Timing, timing
from eyelevel_core.batch_folder import FilmedTake
from eyelevel_core.model.campaign import ClipRules


def plan(
    takes: Sequence[FilmedTake], *, pairs: Sequence[Sequence[str]], stacks: Collection[str], rules: ClipRules
) -> Plans:
    """Chooses the runs and pairs them; pairs of stacks that are not in `stacks` are ignored.

    Only first visits (cold) are shown, because participants imagine a first visit, as in 2019.
    """
    by_scene: dict[tuple[str, str], dict[str, dict[int, FilmedTake]]] = defaultdict(lambda: defaultdict(dict))
    warnings: list[str] = []
    second = [take for take in takes if take.cache != "cold"]
    if second:
        warnings.append(f"{len(second)} takes of second visits are in the batch, but clips show first visits only.")
    for take in (take for take in takes if take.cache == "cold"):
        by_scene[take.scene][take.stack][take.run] = take
    wanted = [pair for pair in pairs if set(pair) <= set(stacks)]
    clips: list[Plan] = []
    shown: dict[tuple[tuple[str, str], str], Shown] = {}
    timings: dict[tuple[str, str], Timing] = {}
    for scene, by_stack in sorted(by_scene.items()):
        chosen = _together(by_stack, rules) if rules.paired else _each(by_stack, rules)
        everyone = [take for roles in chosen.values() for take in roles.values()]
        if not everyone:
            warnings.append(f"{', '.join(scene)}: no run has a take of every stack; in a paired campaign it must.")
            continue
        timings[scene] = timing((take.end_ms for take in everyone), rules=rules)
        shown |= {(scene, stack): roles for stack, roles in chosen.items()}
        of_scene = list(_clips(chosen, wanted, timings[scene]))
        clips += [*of_scene, *(_for_researchers(of_scene) if rules.researcher else ())]
        if rules.identical:
            clips += identical(chosen, wanted, timings[scene])
        warnings += _lacking(scene, chosen, wanted)
    if rules.control_delay_ms:
        clips += controls(clips, delay_ms=rules.control_delay_ms)
    return Plans(tuple(clips), shown, timings, (*warnings, *_few(by_scene, rules)))


def _each(by_stack: Mapping[str, Mapping[int, FilmedTake]], rules: ClipRules) -> dict[str, Shown]:
    """Medoid and quantiles of each stack separately."""
    return {
        stack: {
            role: runs[run]
            for role, run in choose({run: likeness(take) for run, take in runs.items()}, rules.quantiles).items()
        }
        for stack, runs in sorted(by_stack.items())
    }


def _together(by_stack: Mapping[str, Mapping[int, FilmedTake]], rules: ClipRules) -> dict[str, Shown]:
    """The same runs for all stacks; the point of a run has the metrics of its whole block."""
    whole = set.intersection(*(set(runs) for runs in by_stack.values()))
    points = {run: tuple(chain(*(likeness(by_stack[stack][run]) for stack in sorted(by_stack)))) for run in whole}
    roles = choose(points, rules.quantiles)
    return {stack: {role: runs[run] for role, run in roles.items()} for stack, runs in sorted(by_stack.items())}


def _clips(chosen: Mapping[str, Shown], pairs: Sequence[Sequence[str]], times: Timing) -> Iterator[Plan]:
    for roles in chosen.values():
        for role, take in roles.items():
            yield Plan((take,), role, take.run, times)
    for one, other in pairs:
        for role, left in chosen.get(one, {}).items():
            if right := chosen.get(other, {}).get(role):
                yield Plan((left, right), role, left.run, times)
                yield Plan((right, left), role, left.run, times)


def _for_researchers(clips: Sequence[Plan]) -> Iterator[Plan]:
    """The same clips with a panel; of a pair only one order, because researchers know the sides."""
    seen: set[frozenset[str]] = set()
    for clip in clips:
        members = frozenset(take.digest for take in clip.takes)
        if members not in seen:
            seen.add(members)
            yield replace(clip, audience="researcher")


def _lacking(scene: tuple[str, str], chosen: Mapping[str, Shown], pairs: Sequence[Sequence[str]]) -> Iterator[str]:
    for one, other in pairs:
        have, has = set(chosen.get(one, {})), set(chosen.get(other, {}))
        for roles, stack in ((has - have, one), (have - has, other)):
            if roles:
                yield (
                    f"{', '.join(scene)}: no clip shows {one} beside {other} for {', '.join(sorted(roles))}, "
                    f"because there is no such take of {stack}."
                )


def _few(by_scene: Mapping[tuple[str, str], Mapping[str, Mapping[int, FilmedTake]]], rules: ClipRules) -> Iterator[str]:
    few = [
        f"{', '.join(scene)}, {stack} has {len(runs)}"
        for scene, by_stack in sorted(by_scene.items())
        for stack, runs in sorted(by_stack.items())
        if len(runs) < rules.runs
    ]
    if few:
        rest = f" ({len(few) - 1} other settings also have too few)" if len(few) > 1 else ""
        yield f"Clips should show {rules.runs} runs per setting, but {few[0]}{rest}; they show the existing runs."


def identical(chosen: Mapping[str, Shown], pairs: Sequence[Sequence[str]], times: Timing) -> Iterator[Plan]:
    """Yields A/A pairs of the first stack of each pair: its medoid twice, and with another run in both orders."""
    for stack in dict.fromkeys(pair[0] for pair in pairs):
        shown = chosen.get(stack, {})
        if (medoid := shown.get(MEDOID)) is None:
            continue
        yield Plan((medoid, medoid), MEDOID, medoid.run, times, purpose="identical")
        other_runs = ((role, take) for role, take in shown.items() if role != MEDOID)
        for role, other in list(other_runs)[:1]:
            yield Plan((medoid, other), role, medoid.run, times, purpose="identical")
            yield Plan((other, medoid), role, medoid.run, times, purpose="identical")


def controls(clips: Sequence[Plan], *, delay_ms: float) -> Iterator[Plan]:
    """Yields control clips: per site, the medoid of its shortest scene, delayed, alone and on either side of a pair.

    The fastest of several stacks is used, so that only the delay can be seen.
    """
    quickest: dict[str, Plan] = {}
    for clip in clips:
        if clip.kind == "single" and clip.audience == "participant" and clip.role == MEDOID:
            known = quickest.setdefault(clip.takes[0].site, clip)
            quickest[clip.takes[0].site] = min(known, clip, key=_length)
    for clip in quickest.values():
        frames = ceil(delay_ms * clip.timing.frame_rate / 1000)
        held = replace(clip, timing=clip.timing.longer(frames), purpose="control", delay_frames=(frames,))
        yield held
        for sides in ((frames, 0), (0, frames)):
            yield replace(held, takes=clip.takes * 2, delay_frames=sides)


def _length(clip: Plan) -> tuple[float, float]:
    return (clip.timing.end_ms, clip.takes[0].changed_ms)
