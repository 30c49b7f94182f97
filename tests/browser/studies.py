"""Studies for tests: the demo study with fewer trials, over the tiny batch."""

from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"


def shortened(
    folder: Path,
    *,
    name: str,
    rate: int,
    compare: int,
    slider: int = 0,
    answer_from: str = "end",
    training: int = 0,
    controls: bool = False,
    **changes: Any,
) -> Path:
    """A study file like the demo's, with its own name and so many trials of each kind.

    `training` is the number of ratings to practise, `controls` whether the control question stays, and `changes` are
    fields of the file that stand instead of the demo's.
    """
    study = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    study |= {"name": name, "batch": "tiny"}
    if not controls:
        study.pop("controls", None)
    # a busy machine stalls, and its windows lose the focus to each other: no reason to leave these people out
    study["conformance"] = {"R2": {"use": False}, "R3": {"use": False}}
    counts = {"rate": rate, "compare": compare, "slider": slider}
    study["trials"] = [
        {"kind": kind, "count": count, "training": 0, "answer_from": answer_from}
        for kind, count in counts.items()
        if count > 0
    ]
    if rate and slider:
        # one person sees a setting once
        for trials, network in zip((study["trials"][0], study["trials"][-1]), ("DSL", "LTE"), strict=True):
            trials["networks"] = [network]
    if training:
        study["trials"][0]["training"] = training
    study |= changes
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return file
