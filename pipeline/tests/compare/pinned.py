"""Tables as they were written before, in one text per report; numbers are rounded, so that processors may differ."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path


def text_of(files: Mapping[str, str]) -> str:
    """Every table of the report in its order, with numbers of six significant digits."""
    return "".join(f"== {name}\n{_rounded(text)}" for name, text in files.items() if name.endswith(".csv"))


def check_golden(found: str, golden: Path, folder: Path) -> None:
    """Leaves what was found in `folder`: after a deliberate change, it is the new golden file."""
    (folder / golden.name).write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8"), f"{folder / golden.name} differs from {golden}"


def _rounded(text: str) -> str:
    rows = csv.reader(io.StringIO(text))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(_row(row) for row in rows)
    return written.getvalue()


def _row(row: Iterable[str]) -> list[str]:
    return [f"{float(value):.6g}" if "." in value and _is_number(value) else value for value in row]


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
