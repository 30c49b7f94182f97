"""Forecast of a study: votes per cell, duration, pay and smallest detectable effect. Plain values in and out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eyelevel_core.assignment.selection import Candidate, Chosen
from eyelevel_core.study.design import block_trials, minutes
from eyelevel_kinds import KINDS
from eyelevel_stats.planning import smallest_mos_difference, smallest_share

Unit = Literal["points", "share"]
# where no batch tells how long a clip is
CLIP_S = 10.0
# and how many stacks or pairs it has
ARMS = {"single": 2, "pair": 1}


@dataclass(frozen=True)
class Votes:
    """Expected votes of a group in a context over a network, in the main trials of one block.

    A cell is a clip in this context for this group; null where no batch tells how many there are.
    """

    block: int
    kind: str
    group: str
    context: str
    network: str
    votes: float
    cells: int | None
    votes_per_cell: float | None
    # stacks that are rated, or pairs of them that are compared; told by the batch, or by the block, or taken to be so
    arms: int
    arms_known: bool
    # who votes on each arm, over all sites and on one site; a person counts once, however often they vote
    participants: int
    # of the smallest effects: points of the seven-point scale, or a share of those who name a side; null where the
    # kind has answers of another sort, for which nothing is computed
    unit: Unit | None
    # null where no effect is large enough to be found, or there is no unit
    smallest: float | None
    participants_per_site: int | None
    smallest_per_site: float | None


@dataclass(frozen=True)
class Clips:
    """Number of clips of a block, and the fewest and most votes per clip over all contexts and groups."""

    block: int
    kind: str
    clips: int
    fewest_votes: float
    most_votes: float


@dataclass(frozen=True)
class Forecast:
    """`trials` per kind and `extra` trials (training, repeats, identical, controls) are those of one participant."""

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
    pay: Mapping[str, Any] | None
    hypotheses: Sequence[Mapping[str, Any]]
    alpha: float
    power: float
    sd: float


def forecast(design: Mapping[str, Any], chosen: Sequence[Chosen] | None) -> Forecast:
    """The forecast of a study with defaults applied; `chosen` are the clips that it shows, None without a batch."""
    clip_s = [_clip_s(number, chosen) for number in range(len(design["trials"]))]
    trials: dict[str, int] = {}
    for block in design["trials"]:
        trials[block["kind"]] = trials.get(block["kind"], 0) + block_trials(block)
    took = minutes(design, clip_s=clip_s)
    votes = [row for number in range(len(design["trials"])) for row in _votes(design, number, chosen)]
    plan = design["plan"]
    return Forecast(
        name=design["name"],
        languages=design["languages"],
        questions=len(design["questions"]),
        control_questions=len(design["controls"]["questions"]),
        trials=trials,
        extra={
            "training": sum(block["training"] for block in design["trials"]),
            "repeats": sum(block["repeats"] for block in design["trials"]),
            "identical": sum(_identical(block) for block in design["trials"]),
            "control videos": design["controls"]["videos"]["count"],
        },
        minutes=took,
        clip_s=clip_s,
        sessions={group["key"]: group["quota"]["sessions"] for group in design["groups"]},
        votes=votes,
        clips=None if chosen is None else _clips(design, chosen, votes),
        pay=_pay(design.get("pay"), took),
        hypotheses=plan["hypotheses"],
        alpha=plan["alpha"],
        power=plan["power"],
        sd=plan["sd"],
    )


def at_best(design: Mapping[str, Any], found: Forecast, block: int) -> tuple[Unit | None, float | None]:
    """Unit and smallest detectable effect of a block if all groups, contexts and networks are pooled."""
    rows = [row for row in found.votes if row.block == block]
    kind = design["trials"][block]["kind"]
    people = int(min(sum(found.sessions.values()), sum(row.votes / row.arms for row in rows)))
    return _unit(kind), _smallest(design, kind, people)


def _votes(design: Mapping[str, Any], number: int, chosen: Sequence[Chosen] | None) -> list[Votes]:
    """All cells of a block have the same weight, so a stratum gets trials in proportion to its number of cells."""
    block = design["trials"][number]
    strata = _strata(design, number, chosen)
    whole = sum(len(cells) if cells is not None else 1 for cells in strata.values())
    rows = []
    for group in design["groups"]:
        sessions = group["quota"]["sessions"]
        main = sessions * (block["count"] - _identical(block))
        for (context, network), cells in strata.items():
            votes = main * (len(cells) if cells is not None else 1) / whole
            rows.append(
                _row(design, number, (group["key"], context, network), votes=votes, sessions=sessions, cells=cells)
            )
    return rows


def _row(
    design: Mapping[str, Any],
    number: int,
    names: tuple[str, str, str],
    *,
    votes: float,
    sessions: int,
    cells: Sequence[Candidate] | None,
) -> Votes:
    block = design["trials"][number]
    named = block.get("stacks", block.get("pairs"))
    guess = ARMS[KINDS[block["kind"]].clip_kind] if named is None else len(named)
    arms = guess if cells is None else len({_arm(clip) for clip in cells})
    # the arm that gets the fewest votes
    share = 1 / arms if cells is None else min(_shares([_arm(clip) for clip in cells]))
    participants = int(min(sessions, votes * share))
    sites = None if cells is None else len({clip.site for clip in cells})
    on_site = None if sites is None else int(min(sessions, votes * share / sites))
    return Votes(
        number,
        block["kind"],
        *names,
        votes=votes,
        cells=None if cells is None else len(cells),
        votes_per_cell=None if cells is None else votes / len(cells),
        arms=arms,
        arms_known=cells is not None or named is not None,
        participants=participants,
        unit=_unit(block["kind"]),
        smallest=_smallest(design, block["kind"], participants),
        participants_per_site=on_site,
        smallest_per_site=None if on_site is None else _smallest(design, block["kind"], on_site),
    )


def _unit(kind: str) -> Unit | None:
    if kind == "rate":
        return "points"
    return "share" if KINDS[kind].clip_kind == "pair" else None


def _smallest(design: Mapping[str, Any], kind: str, participants: int) -> float | None:
    plan = design["plan"]
    match _unit(kind):
        case "points":
            return smallest_mos_difference(participants, sd=plan["sd"], alpha=plan["alpha"], power=plan["power"])
        case "share":
            return smallest_share(participants, alpha=plan["alpha"], power=plan["power"])
        case None:
            return None


def _strata(
    design: Mapping[str, Any], number: int, chosen: Sequence[Chosen] | None
) -> dict[tuple[str, str], list[Candidate] | None]:
    """A context and network, with the clips that its main trials show."""
    block = design["trials"][number]
    found: dict[tuple[str, str], list[Candidate] | None] = {}
    for context in design["contexts"]:
        if context["key"] not in block["contexts"]:
            continue
        for network in context["networks"]:
            if network not in block.get("networks", [network]):
                continue
            cells = None if chosen is None else _cells(chosen, number, context["key"], network)
            if cells is None or cells:
                found[context["key"], network] = cells
    return found


def _cells(chosen: Sequence[Chosen], number: int, context: str, network: str) -> list[Candidate]:
    main = (one for one in chosen if one.block == number and one.role == "main")
    return [one.clip for one in main if (one.context, one.clip.network) == (context, network)]


def _clip_s(number: int, chosen: Sequence[Chosen] | None) -> float:
    if chosen is None:
        return CLIP_S
    lengths_ms = [one.clip.duration_ms for one in chosen if one.block == number]
    return sum(lengths_ms) / len(lengths_ms) / 1000


def _clips(design: Mapping[str, Any], chosen: Sequence[Chosen], votes: Sequence[Votes]) -> list[Clips]:
    found = []
    for number, block in enumerate(design["trials"]):
        per_clip: dict[str, float] = {}
        for row in votes:
            if row.block != number or row.votes_per_cell is None:
                continue
            for clip in _cells(chosen, number, row.context, row.network):
                per_clip[clip.sha256] = per_clip.get(clip.sha256, 0.0) + row.votes_per_cell
        found.append(Clips(number, block["kind"], len(per_clip), min(per_clip.values()), max(per_clip.values())))
    return found


def _identical(block: Mapping[str, Any]) -> float:
    """Trials of a block that show an A/A pair; an average where the share gives a fraction."""
    return float(block["count"] * block.get("identical", 0))


def _arm(clip: Candidate) -> str:
    """The object of the question: a stack, or the two stacks of a pair in either order."""
    return " / ".join(sorted(clip.stacks))


def _pay(pay: Mapping[str, Any] | None, took: int) -> dict[str, Any] | None:
    if pay is None:
        return None
    hourly = pay["amount"] * 60 / took
    fair = pay.get("fair_hourly")
    return {
        "amount": pay["amount"],
        "currency": pay["currency"],
        "hourly": hourly,
        "fair_hourly": fair,
        "fair": None if fair is None else hourly >= fair,
    }


def _shares(names: Sequence[str]) -> list[float]:
    return [names.count(name) / len(names) for name in set(names)]
