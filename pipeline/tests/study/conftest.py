"""A small study and a batch that fits it."""

import itertools
from typing import Any

import pytest

from eyelevel.study.clips_of_batch import Batch
from eyelevel_core.assignment.clip import Clip

Study = dict[str, Any]
TEXT = {"en": "text"}
SITES, NETWORKS = ("alpha", "beta"), ("DSL", "LTE", "MSS")


@pytest.fixture
def small() -> Study:
    """Two ratings and a comparison; at work over DSL and LTE, on a plane over MSS alone."""
    return {
        "contract": "eyelevel/study/1",
        "name": "small",
        "seed": 1,
        "languages": ["en"],
        "title": TEXT,
        "contact": "study@example.org",
        "consent": {"version": "1", "text": TEXT},
        "batch": "small",
        "contexts": [
            {"key": "work", "label": TEXT, "networks": ["DSL", "LTE"]},
            {"key": "plane", "label": TEXT, "networks": ["MSS"]},
        ],
        "trials": [
            {"kind": "rate", "count": 2, "training": 0},
            {"kind": "compare", "count": 1, "training": 0, "identical": 0},
        ],
        "quota": {"sessions": 60},
    }


@pytest.fixture
def batch() -> Batch:
    """One run of everything."""
    return batch_of(runs=1)


@pytest.fixture
def three_runs() -> Batch:
    """Three runs of everything, the first one the medoid."""
    return batch_of(runs=3)


def batch_of(*, runs: int) -> Batch:
    """Two sites over three networks: two stacks by themselves and side by side in both orders, each 4 s long."""
    shown = [("TCP+",), ("QUIC",), ("TCP+", "QUIC"), ("QUIC", "TCP+")]
    clips = [
        Clip(
            sha256=f"{site} {network} {stacks} {run}",
            kind="single" if len(stacks) == 1 else "pair",
            site=site,
            network=network,
            run=run,
            stacks=stacks,
            takes=tuple(f"{site} {network} {stack} {run}" for stack in stacks),
            si_ms=tuple({"TCP+": 1000.0, "QUIC": 800.0}[stack] for stack in stacks),
            duration_ms=4000.0,
            role="medoid" if run == 0 else "q25",
        )
        for site, network, stacks, run in itertools.product(SITES, NETWORKS, shown, range(runs))
    ]
    return Batch("0" * 64, "small", clips)
