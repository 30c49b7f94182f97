"""Golden digests of two frozen studies and of the session plans drawn from one of them."""

import itertools
from collections.abc import Iterator
from pathlib import Path

from eyelevel.study.clips_of_batch import read_batch
from eyelevel_core.assignment.allocation import allocate, generator
from eyelevel_core.assignment.cell import cell_of
from eyelevel_core.assignment.clip import Clip
from eyelevel_core.assignment.freeze import freeze
from eyelevel_core.assignment.selection import Selection, select_for
from eyelevel_core.assignment.trial_order import Entry, trial_order
from eyelevel_core.contracts import canonical_json, sha256_of_bytes, sha256_of_json
from eyelevel_core.study.file import read_study_file

REPOSITORY = Path(__file__).parents[3]
EXAMPLE = REPOSITORY / "docs" / "guides" / "study-2019.yaml"
DEMO = "5cc5b15568c84fb3cb0a86acc963cc4f125cb7738e5b5f52c6fccb6b4cda19d4"
# with hypotheses that a program can answer
OF_2019 = "f6147764cd66a324c91eab2aa7310120a723de59f808808a4418f1f8aa2f4d29"
PLANS = "7a9b6adafb93bbe0ca3441d9ee24d889a9fa23e942ba3a415aeb9ba52e5a2adc"
SITES = ("apache.org", "etsy.com", "gov.uk", "nytimes.com", "spotify.com", "w3.org", "wikipedia.org")
STACKS = ("TCP", "TCP+", "TCP+BBR", "QUIC", "QUIC+BBR")


def plans(selection: Selection, *, sessions: int) -> list[list[Entry]]:
    """The plans of so many sessions of the study of 2019, each with the next assignment."""
    design = selection.design
    cells = [cell_of(number, choice) for number, choice in enumerate(selection.chosen)]
    rng = generator(seed=design.seed, fielding="golden", number=0)
    allocated = allocate(design, cells, sessions=sessions, rng=rng)
    return [
        trial_order(
            design,
            cells,
            [block[place] for block in allocated],
            identical=[
                design_block.count - len(block[place])
                for design_block, block in zip(design.blocks, allocated, strict=True)
            ],
            turn=place + 1,
            rng=generator(seed=design.seed, fielding="golden", number=place + 1),
        )
        for place in range(sessions)
    ]


def frozen(path: Path, batch: str, clips: list[Clip]) -> str:
    file = read_study_file(path.read_text(encoding="utf-8"), source=path.name)
    return sha256_of_bytes(canonical_json(freeze(file, select_for(file, clips), batch=batch)))


def test_the_demo_study_over_the_sample_batch() -> None:
    batch = read_batch(REPOSITORY / "fixtures" / "sample-batch")
    assert frozen(REPOSITORY / "fixtures" / "study-demo.yaml", batch.sha256, list(batch.clips)) == DEMO


def test_the_study_of_2019_over_a_batch_made_up_for_it() -> None:
    assert frozen(EXAMPLE, "0" * 64, list(clips())) == OF_2019


def test_the_plans_of_twenty_sessions_of_the_study_of_2019() -> None:
    file = read_study_file(EXAMPLE.read_text(encoding="utf-8"), source="example")
    selection = select_for(file, list(clips()))
    rows = [
        [[entry.stimulus, entry.role, entry.repeats_position] for entry in plan]
        for plan in plans(selection, sessions=20)
    ]
    assert sha256_of_json(rows) == PLANS


def clips() -> Iterator[Clip]:
    """One run of each stack and each pair in both orders; a few identical pairs and control clips."""
    pairs = [(STACKS[0], STACKS[1]), (STACKS[1], STACKS[3]), (STACKS[2], STACKS[4])]
    orders = [*pairs, *(pair[::-1] for pair in pairs)]
    for site, network in itertools.product(SITES, ("DSL", "LTE", "DA2GC", "MSS")):
        yield from (clip(site, network, stacks) for stacks in [*((stack,) for stack in STACKS), *orders])
        yield clip(site, network, ("QUIC", "QUIC"), purpose="identical")
        yield clip(site, network, ("TCP",), purpose="control")


def clip(site: str, network: str, stacks: tuple[str, ...], *, purpose: str = "study") -> Clip:
    takes = tuple(f"{site} {network} {stack}" for stack in stacks)
    return Clip(
        sha256=sha256_of_bytes(f"{purpose} {takes}".encode()),
        kind="single" if len(stacks) == 1 else "pair",
        site=site,
        network=network,
        run=1,
        stacks=stacks,
        takes=takes,
        duration_ms=4000.5 if purpose == "study" else 6000,
        purpose=purpose,
        si_ms=tuple(1000.0 + 250 * STACKS.index(stack) for stack in stacks),
    )
