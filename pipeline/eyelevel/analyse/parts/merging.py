"""Adds the sums of all parts of an export, and computes the tables."""

import json
from dataclasses import dataclass
from pathlib import Path

from eyelevel.analyse.parts.asked import Part
from eyelevel.analyse.parts.reducing import CONTRACT
from eyelevel.errors import BadInputError
from eyelevel.report.words import plural
from eyelevel_core.contracts import ContractError, check
from eyelevel_stats.parts.sums import Sums
from eyelevel_stats.parts.tables import results_of_sums
from eyelevel_stats.parts.written import of_json
from eyelevel_stats.result_tables import result_tables
from eyelevel_stats.tables import TABLES

# their models need the votes
FITTED = ("hypotheses", "effects")


def merge_parts(folder: Path) -> tuple[dict[str, str], Sums]:
    """Returns the tables as CSV by file name, and the sums. Raises BadInputError if a part is missing or foreign."""
    parts = {path: _read(path) for path in sorted(folder.glob("part-*-of-*.json"))}
    if not parts:
        raise BadInputError(f"{folder} has no parts; make them with --part K/N --out {folder}.")
    first = next(iter(parts.values()))
    for path, value in parts.items():
        if value.whole != first.whole:
            raise BadInputError(
                f"{path} differs from the other parts in its votes, its origin or its number of parts; merge the parts "
                "of one export."
            )
    missing = sorted(set(range(first.part.of)) - {value.part.number for value in parts.values()})
    if missing:
        raise BadInputError(
            f"{folder} lacks {plural(len(missing), 'part')} of {first.part.of}, such as {missing[0]}/{first.part.of}; "
            "make them first."
        )
    sums = Sums(votes=0, sessions=0)
    for value in parts.values():
        try:
            sums = sums + value.sums
        except ValueError as error:
            raise BadInputError(f"{folder}: {error}") from error
    fitted = {TABLES[name].file for name in FITTED}
    tables = result_tables(results_of_sums(sums))
    return {name: text for name, text in tables.items() if name not in fitted}, sums


@dataclass(frozen=True)
class _Reduced:
    """A part as read from its file; `whole` must be equal in all parts."""

    part: Part
    whole: tuple[str, str, int]
    sums: Sums


def _read(path: Path) -> _Reduced:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        check(value, CONTRACT, source=str(path))
    except ContractError as error:
        raise BadInputError(f"{error} Make the part again.") from error
    except (OSError, ValueError) as error:
        raise BadInputError(f"{path} is not a part of an analysis ({error}); make the part again.") from error
    whole = (value["votes_sha256"], value["origin"], value["of"])
    return _Reduced(Part(value["part"], value["of"]), whole, of_json(value["sums"]))
