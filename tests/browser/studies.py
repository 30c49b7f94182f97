"""Studies for tests: the demo study with fewer trials."""

from pathlib import Path

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "fixtures" / "study-demo.yaml"


def shortened(folder: Path, *, name: str, rate: int, compare: int) -> Path:
    """A study file like the demo's, with its own name, so many trials of each kind, and no control question."""
    study = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    study["name"] = name
    del study["controls"]
    study["trials"] = [{"kind": "rate", "count": rate}, {"kind": "compare", "count": compare}]
    file = folder / f"{name}.yaml"
    file.write_text(yaml.safe_dump(study, allow_unicode=True), encoding="utf-8")
    return file
