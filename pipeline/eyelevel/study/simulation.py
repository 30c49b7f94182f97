"""Simulation of a study's plan: allocated votes, assumptions and power."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from eyelevel.errors import BadInputError
from eyelevel_core.assignment.allocation import allocate, generator
from eyelevel_core.assignment.cell import cell_of
from eyelevel_core.assignment.clip import Chosen, Clip
from eyelevel_core.assignment.selection import contexts_of
from eyelevel_core.study.design import Block, Design
from eyelevel_kinds import KINDS
from eyelevel_stats.observations import Comparison, Rating
from eyelevel_stats.planning.latent import Latent, assumed_choices, assumed_ratings
from eyelevel_stats.planning.pilot import pilot_choices, pilot_ratings
from eyelevel_stats.planning.power import Assumptions, Power, power

# The platform reassigns the slots of drop-outs and excluded participants, so a complete quota has no missing votes. A
# study that closes earlier lacks some; the default is one in ten.
UNFILLED = 0.1
# stacks of blocks that name none and that no hypothesis is about
UNKNOWN_PAIR = ("one stack", "another stack")


@dataclass(frozen=True)
class Simulation:
    """The tables of simulated studies, and what they assume.

    `sites` is the number of sites where no batch is given. `ratings_from` and `comparisons_from` are pilot or defaults.
    """

    studies: int
    sites: int | None
    ratings_from: str
    comparisons_from: str
    assumptions: Assumptions
    power: Power


def simulate(
    design: Design,
    chosen: Sequence[Chosen] | None,
    *,
    studies: int,
    sites: int | None,
    unfilled: float,
    pilot: tuple[Sequence[Rating], Sequence[Comparison]] = ((), ()),
    advance: Callable[[int], None],
) -> Simulation:
    """Simulates studies. `chosen` are the stimuli of a batch; without one, each block has `sites` or those it names.

    `pilot` has earlier votes, from which the variances are estimated; kinds without votes have default variances.
    Raises BadInputError if the sites are unknown or too few, or the pilot has too few participants or sites.
    """
    ratings, comparisons = asked(design, assumed_stimuli(design, sites) if chosen is None else chosen)
    assumptions = Assumptions(*_models(design, *pilot), unfilled)
    estimated = power(
        design.plan,
        ratings,
        comparisons,
        assumptions=assumptions,
        studies=studies,
        seed=design.seed,
        advance=advance,
    )
    of_ratings, of_comparisons = ("pilot" if votes else "defaults" for votes in pilot)
    return Simulation(studies, sites if chosen is None else None, of_ratings, of_comparisons, assumptions, estimated)


def simulated_hypotheses(design: Design) -> int:
    """Returns the number of hypotheses about two stacks, for which studies are simulated."""
    return sum(hypothesis.pair is not None for hypothesis in design.plan.hypotheses)


def asked(design: Design, chosen: Sequence[Chosen]) -> tuple[list[Rating], list[Comparison]]:
    """Returns the main trials of all sessions as votes without an answer, allocated as in publishing.

    Only the link's random name, which is part of the seed, differs.
    """
    cells = [cell_of(number, stimulus) for number, stimulus in enumerate(chosen)]
    ratings: list[Rating] = []
    comparisons: list[Comparison] = []
    for group in design.groups:
        rng = generator(seed=design.seed, fielding=group.key, number=0)
        for sessions in allocate(design, cells, sessions=group.sessions, rng=rng):
            for number, stimuli in enumerate(sessions):
                for trial in (chosen[stimulus] for stimulus in stimuli):
                    person, clip = f"{group.key} {number}", trial.clip
                    if trial.kind == "rate":
                        (stack,) = clip.stacks
                        vote = Rating(person, clip.site, clip.network, stack, trial.context, clip.sha256, 0.0)
                        ratings.append(vote)
                    elif trial.kind == "compare":
                        left, right = clip.stacks
                        comparisons.append(
                            Comparison(person, clip.site, clip.network, left, right, trial.context, "none")
                        )
    return ratings, comparisons


def assumed_stimuli(design: Design, sites: int | None) -> list[Chosen]:
    """Returns one clip per setting of each block, if there is no batch yet."""
    chosen: list[Chosen] = []
    for number, block in enumerate(design.blocks):
        of_block = list(_of_block(design, number, block, sites))
        settings = len({stimulus.clip.setting for stimulus in of_block})
        if settings < block.count:
            raise BadInputError(
                f"trials[{number}].count is {block.count}, but its sites give only {settings} different clips; give "
                "more with --sites N, or a batch with --batch DIR."
            )
        chosen += of_block
    return chosen


def _of_block(design: Design, number: int, block: Block, sites: int | None) -> Iterable[Chosen]:
    if block.sites is None and sites is None:
        raise BadInputError(
            f"Simulated studies need sites, but trials[{number}] names none; give a batch with --batch DIR, or a "
            "number with --sites N."
        )
    names = block.sites or [f"site {place}" for place in range(1, (sites or 0) + 1)]
    shown = _shown(design, block)
    for context in contexts_of(design, block):
        for network in context.networks:
            if block.networks is not None and network not in block.networks:
                continue
            for site, stacks in product(names, shown):
                takes = tuple(f"{site} {network} {stack}" for stack in stacks)
                clip = Clip(" beside ".join(takes), KINDS[block.kind].clip_kind, site, network, 1, stacks, takes, 0.0)
                yield Chosen(number, block.kind, context.key, clip)


def _shown(design: Design, block: Block) -> list[tuple[str, ...]]:
    """The stacks, or pairs in both orders, that a block names; else those that hypotheses of its kind are about."""
    hypotheses = [hypothesis for hypothesis in design.plan.hypotheses if hypothesis.kind == block.kind]
    pairs = [hypothesis.pair for hypothesis in hypotheses if hypothesis.pair is not None] or [UNKNOWN_PAIR]
    if KINDS[block.kind].clip_kind == "pair":
        named: list[tuple[str, str]] = [(one, other) for one, other in block.kind_fields.get("pairs", pairs)]
        return list(dict.fromkeys(order for one, other in named for order in ((one, other), (other, one))))
    stacks: Iterable[str] = block.kind_fields.get("stacks", [stack for pair in pairs for stack in pair])
    return [(stack,) for stack in dict.fromkeys(stacks)]


def _models(design: Design, ratings: Sequence[Rating], comparisons: Sequence[Comparison]) -> tuple[Latent, Latent]:
    try:
        return (
            pilot_ratings(ratings) if ratings else assumed_ratings(design.plan.sd),
            pilot_choices(comparisons) if comparisons else assumed_choices(),
        )
    except ValueError as error:
        raise BadInputError(f"--pilot: {error}") from error
