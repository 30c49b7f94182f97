"""Derives the seeds of a run from the digests of recording and network, not from their names. Pure."""

from typing import Any

from eyelevel_core.contracts import sha256_of_json

SEED_BITS = 63  # what a signed 64-bit integer holds


def seed_of(*parts: Any) -> int:
    """The first 63 bits of the SHA-256 over the canonical JSON of the parts."""
    return int(sha256_of_json(list(parts)), 16) >> (256 - SEED_BITS)


def loss_seed(
    campaign: int, recording: str, network: str, stack: str | None, number: int, *, cache: str = "cold"
) -> int:
    """Decides which packets a run loses (`testbed run --seed`): of the campaign's seed and the run's number.

    `recording` and `network` are digests, so a network of other parameters draws anew. Without a `stack` the draws are
    those of all stacks of a run, which are then paired. Runs of one number in two cache modes draw apart.
    """
    state = [] if cache == "cold" else [cache]
    return seed_of("loss", campaign, recording, network, stack, *state, number)


def first_visit_seed(run: int) -> int:
    """Decides which packets the first visit of a run loses, of the run's own seed: not those of the filmed visit."""
    return seed_of("first visit", run)


def calibration_seed(campaign: int) -> int:
    """Decides which packets a campaign's calibration loses (`testbed calibrate --seed`)."""
    return seed_of("calibration", campaign)


def page_seed(campaign: int, recording: str) -> int:
    """Decides what a page's own random numbers are: the same in all runs of a recording, whatever the stack."""
    return seed_of("page", campaign, recording)
