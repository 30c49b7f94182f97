"""A small study and a batch that fits it."""

from typing import Any

import pytest

from eyelevel.study.batch import Batch, Clip

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
        "trials": [{"kind": "rate", "count": 2}, {"kind": "compare", "count": 1, "identical": 0}],
        "quota": {"sessions": 60},
    }


def clips(network: str, site: str, *, runs: int = 1) -> list[Clip]:
    """Two stacks by themselves and side by side in both orders, of so many runs, each 4 s long."""
    shown = [("TCP+",), ("QUIC",), ("TCP+", "QUIC"), ("QUIC", "TCP+")]
    return [
        Clip(
            sha256=f"{site} {network} {stacks} {run}",
            kind="single" if len(stacks) == 1 else "pair",
            purpose="study",
            site=site,
            network=network,
            stacks=stacks,
            medoid=run == 0,
            duration_ms=4000.0,
        )
        for stacks in shown
        for run in range(runs)
    ]


@pytest.fixture
def batch() -> Batch:
    """One run of everything."""
    return Batch("0" * 64, "small", [clip for site in SITES for network in NETWORKS for clip in clips(network, site)])
