"""Warnings about a valid study file whose settings weaken the study: one sentence each, with what to do."""

from collections.abc import Iterator, Mapping
from typing import Any

from eyelevel.study.batch import Batch
from eyelevel.study.forecast import Forecast, at_best
from eyelevel_core.study.design import written_out
from eyelevel_kinds import KINDS

# what participants and readers expect to be told
TOLD = {
    "ethics": "says of no board that it approved the study; add ethics, or know why none is needed.",
    "retention": "does not tell participants how long their answers are kept; add retention.",
    "debriefing": "does not tell participants at the end what it was about; add debriefing.",
    "plan": "has no plan of analysis; write hypotheses, exclusions and stopping down before the first vote.",
}
# those who name a side are parted like this where there is no difference
HALF = 0.5
# what a plan is to say, each before the first vote
PLANNED = {
    "hypotheses": "no hypotheses; write down what you expect to find.",
    "model": "no model; write down how the hypotheses will be tested.",
    "exclusions": "no exclusions; write down whose votes, and which, will be left out.",
    "stopping": "no stopping rule; write down when you will stop asking people.",
}


def doubts(study: Mapping[str, Any], design: Mapping[str, Any], found: Forecast, batch: Batch | None) -> Iterator[str]:
    """Warnings about a study file: as it was written, and as it would be published over the batch (`design`)."""
    wanted = written_out(study)
    for field, sentence in TOLD.items():
        if field not in study:
            yield f"The study {sentence}"
    if "plan" in study:
        yield from (f"plan names {sentence}" for part, sentence in PLANNED.items() if not design["plan"].get(part))
    yield from _of_margins(design, found)
    yield from _nested(design)
    yield from _of_blocks(wanted)
    yield from _of_controls(design)
    yield from _of_time(design, found)
    if "pay" in design and design["session"]["narrow_window"] == "skip" and _skippable(design):
        yield (
            "session.narrow_window is skip: who makes the window small leaves the comparisons out and is paid in full; "
            "say refuse, or know why not."
        )
    if found.pay is not None and found.pay["fair"] is False:
        yield (
            f"pay gives {found.pay['hourly']:.2f} {found.pay['currency']} an hour, below the fair "
            f"{found.pay['fair_hourly']:.2f}; pay more or ask for less."
        )
    if batch is not None:
        yield from _of_batch(wanted, design, found, batch)


def _nested(design: Mapping[str, Any]) -> Iterator[str]:
    """Warn where contexts share no networks, directly or by others: their effects cannot be separated then."""
    parts: list[tuple[set[str], set[str]]] = []
    for context in design["contexts"]:
        keys, networks = {context["key"]}, set(context["networks"])
        for part in [part for part in parts if part[1] & networks]:
            parts.remove(part)
            keys, networks = keys | part[0], networks | part[1]
        parts.append((keys, networks))
    if len(parts) < 2:
        return
    order = [context["key"] for context in design["contexts"]]
    # the larger part is what the others are held against
    parts.sort(key=lambda part: (-len(part[0]), min(map(order.index, part[0]))))
    for keys, networks in parts[1:]:
        names, have = ", ".join(sorted(keys, key=order.index)), ", ".join(sorted(networks))
        yield (
            f"contexts: {names} has the networks {have} to itself, so that what the context does and what its "
            "networks do cannot be told apart; give one network to all contexts."
        )


def _of_blocks(design: Mapping[str, Any]) -> Iterator[str]:
    for number, block in enumerate(design["trials"]):
        where = f"trials[{number}]"
        if block.get("identical") == 0:
            yield f"{where}.identical is 0: nothing tells how often people see a difference where there is none."
        if block["clips"] == "medoid":
            yield (
                f"{where}.clips is medoid: one run stands for each setting, so that results hold for these runs only."
            )
        if block["answer_from"] == "end" and design["conformance"]["R4"]["use"]:
            yield f"{where}.answer_from is end: nobody can answer before something shows, so that R4 finds nobody."


def _of_controls(design: Mapping[str, Any]) -> Iterator[str]:
    rules, controls = design["conformance"], design["controls"]
    for rule, there, what in (
        ("R6", controls["videos"]["count"], "control videos"),
        ("R7", controls["questions"], "control questions"),
    ):
        if rules[rule]["use"] and not there:
            yield f"controls has no {what[8:]}: rule {rule} finds nobody; add some, or know why not."
        if there and rules[rule]["wrong_at_most"] >= (there if isinstance(there, int) else len(there)):
            yield f"conformance.{rule}.wrong_at_most lets every wrong answer pass; lower it."


def _skippable(design: Mapping[str, Any]) -> bool:
    return any(KINDS[block["kind"]].skippable for block in design["trials"])


def _of_time(design: Mapping[str, Any], found: Forecast) -> Iterator[str]:
    session = design["session"]
    limit, back = session["time_limit_minutes"], session["resume_within_minutes"]
    if found.minutes > limit:
        yield f"session.time_limit_minutes is {limit}, but a session takes about {found.minutes}; raise it or ask less."
    if design["conformance"]["R5"]["use"] and session["resume"] == "resume" and back > limit:
        yield (
            f"session.resume_within_minutes is {back}, but session.time_limit_minutes is {limit}: who comes back later "
            f"than that is let finish, and then certainly left out by R5; say {limit} at most, or raise the limit."
        )


def _of_margins(design: Mapping[str, Any], found: Forecast) -> Iterator[str]:
    """A hypothesis names neither block nor pooling, so this warns only of effects that no block can detect."""
    best = [at_best(design, found, number) for number in range(len(design["trials"]))]
    if any(unit is None for unit, _ in best):
        return
    # a share is told from one half, from which none is farther than one half
    points = [smallest for unit, smallest in best if unit == "points" and smallest is not None]
    shares = [smallest - HALF for unit, smallest in best if unit == "share" and smallest is not None]
    least = [f"differences of {min(points):.2f} points"] if points else []
    least += [f"shares {min(shares):.2f} from one half"] if shares else []
    for number, hypothesis in enumerate(design["plan"]["hypotheses"]):
        margin = hypothesis.get("margin")
        if margin is None or any(margin >= one for one in points) or any(HALF >= margin >= one for one in shares):
            continue
        yield (
            f"plan.hypotheses[{number}].margin is {margin:g}, but all votes of a block together find at best "
            f"{' or '.join(least) or 'nothing'}; ask more people or fewer things, or raise it."
        )


def _of_batch(wanted: Mapping[str, Any], design: Mapping[str, Any], found: Forecast, batch: Batch) -> Iterator[str]:
    if design["batch"] not in (batch.sha256, batch.campaign):
        yield f"batch is {design['batch']}, but the batch looked at is {batch.campaign} ({batch.sha256[:12]})."
    for number, block in enumerate(wanted["trials"]):
        # a share that the file names is refused where the batch has no pairs for it
        default, given = block.get("identical", 0), design["trials"][number].get("identical", 0)
        if given == 0 < default:
            why = "count leaves no room for one" if block["count"] == 1 else "the batch has none that match"
            yield f"trials[{number}].identical: no identical pairs are shown, since {why}."
        elif given < default:
            few = f"the batch has identical pairs for a share of {given:.2f} only; the default is {default:g}"
            yield f"trials[{number}].identical: {few}."
    for context in design["contexts"]:
        for network in context["networks"]:
            if all((row.context, row.network) != (context["key"], network) for row in found.votes):
                yield f"contexts: {context['key']} has {network}, of which the batch has no clip for any block."
