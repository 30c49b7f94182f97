"""A planted study with votes of every kind that tables in depth are about."""

from typing import Any

import numpy as np

from eyelevel_core.model.metrics import FIELDS
from eyelevel_core.study.design import Hypothesis, Plan

NAMES = (
    *("session_id", "trial_kind", "role", "position", "site", "network", "context", "group", "clip_sha256", "stack"),
    *("left_stack", "right_stack", "score", "choice", "sureness", "replays"),
    *FIELDS,
    *(f"{side}_{field}" for side in ("left", "right") for field in FIELDS),
)
PLAN = Plan(
    hypotheses=(
        Hypothesis("H3", "SI agrees best.", kind="metrics", metric="SI"),
        Hypothesis(
            "H1", "QUIC is rated higher.", kind="rate", pair=("TCP+", "QUIC"), networks="each", expects="higher"
        ),
    ),
    alpha=0.05,
    power=0.8,
    sd=1.0,
)


def planted(*, sites: int, people: int) -> dict[str, list[Any]]:
    """Opinions follow SI; PLT is noise. QUIC is faster. One participant gives one answer to everything."""
    rng = np.random.default_rng(5)
    speed = {
        (site, stack): 800 + 120 * site - 300 * (stack == "QUIC") for site in range(sites) for stack in ("TCP+", "QUIC")
    }
    loads = {key: float(rng.uniform(500, 5000)) for key in speed}
    rows: list[dict[str, Any]] = []
    for person in range(people):
        common = {"session_id": f"p{person:02}", "role": "main", "network": "DSL", "context": "work"}
        common |= {"group": "lab" if person % 2 else "web"}
        for number, (site, stack) in enumerate(speed):
            opinion = 7 - speed[site, stack] / 700 + rng.normal(0, 0.6)
            score = 4 if person == 0 else int(np.clip(round(opinion), 1, 7))
            rows.append(common | {
                "trial_kind": "rate", "position": number + 1, "site": f"s{site:02}", "stack": stack, "score": score,
                "clip_sha256": f"c{site:02}{stack}", "si_ms": float(speed[site, stack]), "plt_ms": loads[site, stack],
                "context": "work" if person % 3 else "free",
            })  # fmt: skip
        for site in range(sites):
            turned = (site + person) % 2 == 0
            left, right = ("QUIC", "TCP+") if turned else ("TCP+", "QUIC")
            faster = "left" if turned else "right"
            other = "right" if turned else "left"
            choice = rng.choice([faster, "none", other], p=[0.6, 0.2, 0.2]) if person else "none"
            pair = {"trial_kind": "compare", "left_stack": left, "right_stack": right, "sureness": 3, "replays": 0}
            rows.append(common | pair | {
                "position": 100 + site, "site": f"s{site:02}", "choice": str(choice), "clip_sha256": f"d{site}{left}",
                "left_si_ms": float(speed[site, left]), "right_si_ms": float(speed[site, right]),
            })  # fmt: skip
        same = {"trial_kind": "compare", "role": "identical", "left_stack": "QUIC", "right_stack": "QUIC"}
        sides = {f"{side}_{name}_ms": 1.0 for side in ("left", "right") for name in ("fvc", "si", "vc85", "lvc")}
        rows.append(common | same | sides | {"position": 200, "site": "s00", "choice": "none", "clip_sha256": "e"})
    return {name: [row.get(name) for row in rows] for name in NAMES}
