"""Studies for tests: the demo study with fewer trials."""

from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"


def shortened(folder: Path, *, name: str, rate: int, compare: int, slider: int = 0, answer_from: str = "end") -> Path:
    """A study file like the demo's, with its own name and so many trials of each kind."""
    study = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    study["name"] = name
    counts = {"rate": rate, "compare": compare, "slider": slider}
    study["trials"] = [
        {"kind": kind, "count": count, "answer_from": answer_from} for kind, count in counts.items() if count > 0
    ]
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return file
