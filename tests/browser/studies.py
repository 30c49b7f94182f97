"""Studies for tests: the demo study with fewer trials."""

from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"


def shortened(folder: Path, *, name: str, rate: int, compare: int, slider: int = 0, answer_from: str = "end") -> Path:
    """A study file like the demo's, with its own name, so many trials of each kind, and no control question."""
    study = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    study["name"] = name
    study.pop("controls", None)
    # a busy machine stalls, and its windows lose the focus to each other: no reason to leave these people out
    study["conformance"] = {"R2": {"use": False}, "R3": {"use": False}}
    counts = {"rate": rate, "compare": compare, "slider": slider}
    study["trials"] = [
        {"kind": kind, "count": count, "answer_from": answer_from} for kind, count in counts.items() if count > 0
    ]
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return file
