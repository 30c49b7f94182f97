"""Derives the seeds of a run from the digests of recording and network, not from their names. Pure."""

from typing import Any

from eyelevel_core.contracts import sha256_of_json

SEED_BITS = 63  # what a signed 64-bit integer holds


def seed_of(*parts: Any) -> int:
    """Returns the first 63 bits of the SHA-256 over the canonical JSON of the parts."""
    return int(sha256_of_json(list(parts)), 16) >> (256 - SEED_BITS)


def loss_seed(
    campaign: int, recording: str, network: str, stack: str | None, number: int, *, cache: str = "cold"
) -> int:
    """Returns the seed of a run's packet loss (`testbed run --seed`), from the campaign's seed and the run's number.

    `recording` and `network` are digests, so a network with other parameters has another seed. Without a `stack`, all
    stacks of a run share the seed, and are paired. Runs of one number in two cache modes have different seeds.
    """
    state = [] if cache == "cold" else [cache]
    return seed_of("loss", campaign, recording, network, stack, *state, number)


def first_visit_seed(run: int) -> int:
    """Returns the seed of packet loss in a run's first visit, which differs from that of the filmed visit."""
    return seed_of("first visit", run)


def calibration_seed(campaign: int) -> int:
    """Returns the seed of packet loss in a campaign's calibration (`testbed calibrate --seed`)."""
    return seed_of("calibration", campaign)


def page_seed(campaign: int, recording: str) -> int:
    """Returns the seed of a page's own random numbers, the same in all runs of a recording with all stacks."""
    return seed_of("page", campaign, recording)
