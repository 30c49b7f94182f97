"""Forecasts votes per cell, duration, pay per hour and the smallest detectable effect of a study. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eyelevel_core.assignment.allocation import allocate, generator
from eyelevel_core.assignment.cell import cell_of
from eyelevel_core.assignment.clip import Chosen, Clip
from eyelevel_core.assignment.selection import contexts_of
from eyelevel_core.assignment.training import contrast
from eyelevel_core.study.design import Block, Design, Hypothesis, Pay
from eyelevel_kinds import KINDS
from eyelevel_stats.planning import smallest_mos_difference, smallest_share

Unit = Literal["points", "share"]
# length of a clip, where no batch is given
CLIP_S = 10.0
# number of stacks or pairs, where no batch is given
ARMS = {"single": 2, "pair": 1}


@dataclass(frozen=True)
class Votes:
    """Expected votes of a group in a context over a network, in the main trials of one block.

    A cell is a clip in this context for this group; None if no batch is given.
    """

    block: int
    kind: str
    group: str
    context: str
    network: str
    votes: float
    cells: int | None
    votes_per_cell: float | None
    # stacks that are rated, or pairs that are compared: of the batch, of the block, or (not arms_known) assumed
    arms: int
    arms_known: bool
    # number of people who vote on each arm, over all sites and on one site; each person counts once
    participants: int
    # unit of the smallest effects: points of the seven-point scale, or a share of those who name a side; None for
    # kinds with other answers, for which no effect is computed
    unit: Unit | None
    # None if no effect is large enough to be detected, or there is no unit
    smallest: float | None
    participants_per_site: int | None
    smallest_per_site: float | None


@dataclass(frozen=True)
class Clips:
    """Number of clips of a block, and the fewest and most votes of one of them over all contexts and groups."""

    block: int
    kind: str
    clips: int
    fewest_votes: float
    most_votes: float


@dataclass(frozen=True)
class HourlyPay:
    """Pay per session (`amount`) and per hour; `fair` is None if the study names no fair pay."""

    amount: float
    currency: str
    hourly: float
    fair_hourly: float | None
    fair: bool | None


@dataclass(frozen=True)
class Practice:
    """A training clip of a block; `asked`: a block asks about its site, so the site may be known from training.

    `contrast` is the Speed Index in ms; for a pair, the larger one divided by the smaller one, minus 1.
    """

    block: int
    kind: str
    site: str
    network: str
    stacks: Sequence[str]
    asked: bool
    contrast: float


@dataclass(frozen=True)
class Forecast:
    """A forecast; `trials` per kind and `extra` trials (training, repeats, identical, controls) are per participant."""

    name: str
    languages: Sequence[str]
    questions: int
    control_questions: int
    trials: Mapping[str, int]
    extra: Mapping[str, float]
    minutes: int
    clip_s: Sequence[float]
    sessions: Mapping[str, int]
    votes: Sequence[Votes]
    clips: Sequence[Clips] | None
    practice: Sequence[Practice] | None
    # by group: how many participants see how many contexts
    contexts_seen: Mapping[str, Mapping[int, int]] | None
    pay: HourlyPay | None
    hypotheses: Sequence[Hypothesis]
    alpha: float
    power: float
    sd: float


def forecast(design: Design, chosen: Sequence[Chosen] | None) -> Forecast:
    """Returns the forecast; `chosen` are the stimuli that the study shows of a batch, None if no batch is given."""
    clip_s = [_clip_s(number, chosen) for number in range(len(design.blocks))]
    trials: dict[str, int] = {}
    for block in design.blocks:
        trials[block.kind] = trials.get(block.kind, 0) + block.trials
    minutes = design.minutes(clip_s)
    votes = [row for number in range(len(design.blocks)) for row in _votes(design, number, chosen)]
    return Forecast(
        name=design.name,
        languages=design.languages,
        questions=len(design.questions),
        control_questions=len(design.controls.questions),
        trials=trials,
        extra={
            "training": sum(block.training for block in design.blocks),
            "repeats": sum(block.repeats for block in design.blocks),
            "identical": sum(_identical(block) for block in design.blocks),
            "control videos": design.controls.videos.count,
        },
        minutes=minutes,
        clip_s=clip_s,
        sessions={group.key: group.sessions for group in design.groups},
        votes=votes,
        clips=None if chosen is None else _clips(design, chosen, votes),
        practice=None if chosen is None else _practice(chosen),
        contexts_seen=None if chosen is None else _contexts_seen(design, chosen),
        pay=None if design.pay is None else _pay(design.pay, minutes),
        hypotheses=design.plan.hypotheses,
        alpha=design.plan.alpha,
        power=design.plan.power,
        sd=design.plan.sd,
    )


def at_best(design: Design, forecast: Forecast, block: int) -> tuple[Unit | None, float | None]:
    """Returns unit and smallest detectable effect of a block, with the votes of all groups, contexts and networks."""
    rows = [row for row in forecast.votes if row.block == block]
    kind = design.blocks[block].kind
    people = int(min(sum(forecast.sessions.values()), sum(row.votes / row.arms for row in rows)))
    return _unit(kind), _smallest(design, kind, people)


def _votes(design: Design, number: int, chosen: Sequence[Chosen] | None) -> list[Votes]:
    """Every cell of a block gets equally many votes, so a stratum gets a share proportional to its cells."""
    block = design.blocks[number]
    strata = _strata(design, number, chosen)
    whole = sum(len(cells) if cells is not None else 1 for cells in strata.values())
    rows = []
    for group in design.groups:
        main = group.sessions * (block.count - _identical(block))
        for (context, network), cells in strata.items():
            votes = main * (len(cells) if cells is not None else 1) / whole
            rows.append(
                _row(design, number, (group.key, context, network), votes=votes, sessions=group.sessions, cells=cells)
            )
    return rows


def _row(
    design: Design,
    number: int,
    names: tuple[str, str, str],
    *,
    votes: float,
    sessions: int,
    cells: Sequence[Clip] | None,
) -> Votes:
    block = design.blocks[number]
    named = block.kind_fields.get("stacks", block.kind_fields.get("pairs"))
    guess = ARMS[KINDS[block.kind].clip_kind] if named is None else len(named)
    arms = guess if cells is None else len({_arm(clip) for clip in cells})
    # the arm that gets the fewest votes
    share = 1 / arms if cells is None else min(_shares([_arm(clip) for clip in cells]))
    participants = int(min(sessions, votes * share))
    sites = None if cells is None else len({clip.site for clip in cells})
    on_site = None if sites is None else int(min(sessions, votes * share / sites))
    return Votes(
        number,
        block.kind,
        *names,
        votes=votes,
        cells=None if cells is None else len(cells),
        votes_per_cell=None if cells is None else votes / len(cells),
        arms=arms,
        arms_known=cells is not None or named is not None,
        participants=participants,
        unit=_unit(block.kind),
        smallest=_smallest(design, block.kind, participants),
        participants_per_site=on_site,
        smallest_per_site=None if on_site is None else _smallest(design, block.kind, on_site),
    )


def _unit(kind: str) -> Unit | None:
    if kind == "rate":
        return "points"
    return "share" if KINDS[kind].clip_kind == "pair" else None


def _smallest(design: Design, kind: str, participants: int) -> float | None:
    plan = design.plan
    match _unit(kind):
        case "points":
            return smallest_mos_difference(participants, sd=plan.sd, alpha=plan.alpha, power=plan.power)
        case "share":
            return smallest_share(participants, alpha=plan.alpha, power=plan.power)
        case None:
            return None


def _strata(design: Design, number: int, chosen: Sequence[Chosen] | None) -> dict[tuple[str, str], list[Clip] | None]:
    """By context and network, the clips that main trials show there; None if no batch is given."""
    block = design.blocks[number]
    strata: dict[tuple[str, str], list[Clip] | None] = {}
    for context in contexts_of(design, block):
        for network in context.networks:
            if block.networks is not None and network not in block.networks:
                continue
            cells = None if chosen is None else _cells(chosen, number, context.key, network)
            if cells is None or cells:
                strata[context.key, network] = cells
    return strata


def _cells(chosen: Sequence[Chosen], number: int, context: str, network: str) -> list[Clip]:
    main = (stimulus for stimulus in chosen if stimulus.block == number and stimulus.role == "main")
    return [stimulus.clip for stimulus in main if (stimulus.context, stimulus.clip.network) == (context, network)]


def _clip_s(number: int, chosen: Sequence[Chosen] | None) -> float:
    if chosen is None:
        return CLIP_S
    lengths_ms = [
        stimulus.clip.duration_ms for stimulus in chosen if stimulus.block == number and stimulus.role != "training"
    ]
    return sum(lengths_ms) / len(lengths_ms) / 1000


def _clips(design: Design, chosen: Sequence[Chosen], votes: Sequence[Votes]) -> list[Clips]:
    result = []
    for number, block in enumerate(design.blocks):
        per_clip: dict[str, float] = {}
        for row in votes:
            if row.block != number or row.votes_per_cell is None:
                continue
            for clip in _cells(chosen, number, row.context, row.network):
                per_clip[clip.sha256] = per_clip.get(clip.sha256, 0.0) + row.votes_per_cell
        result.append(Clips(number, block.kind, len(per_clip), min(per_clip.values()), max(per_clip.values())))
    return result


def _practice(chosen: Sequence[Chosen]) -> list[Practice]:
    asked = {stimulus.clip.site for stimulus in chosen if stimulus.role != "training"}
    shown = {(stimulus.block, stimulus.kind, stimulus.clip): None for stimulus in chosen if stimulus.role == "training"}
    return [
        Practice(block, kind, clip.site, clip.network, clip.stacks, clip.site in asked, _contrast(clip))
        for block, kind, clip in shown
    ]


def _contrast(clip: Clip) -> float:
    shown = contrast(clip) or 0.0
    return shown if clip.kind == "single" else math.expm1(shown)


def _contexts_seen(design: Design, chosen: Sequence[Chosen]) -> dict[str, dict[int, int]]:
    """Counted over assignments as publishing makes them; only the link's name, which seeds them, differs."""
    cells = [cell_of(number, stimulus) for number, stimulus in enumerate(chosen)]
    seen = {}
    for group in design.groups:
        rng = generator(seed=design.seed, fielding=group.key, number=0)
        blocks = allocate(design, cells, sessions=group.sessions, rng=rng)
        sessions = zip(*blocks, strict=True)
        numbers = Counter(len({cells[place].context for block in blocks for place in block}) for blocks in sessions)
        seen[group.key] = dict(sorted(numbers.items()))
    return seen


def _identical(block: Block) -> float:
    """Expected number of a block's trials that show an identical pair."""
    return float(block.count * block.identical)


def _arm(clip: Clip) -> str:
    """A stack, or the two stacks of a pair in any order."""
    return " / ".join(sorted(clip.stacks))


def _pay(pay: Pay, minutes: int) -> HourlyPay:
    hourly = pay.amount * 60 / minutes
    fair = None if pay.fair_hourly is None else hourly >= pay.fair_hourly
    return HourlyPay(pay.amount, pay.currency, hourly, pay.fair_hourly, fair)


def _shares(names: Sequence[str]) -> list[float]:
    return [names.count(name) / len(names) for name in set(names)]
