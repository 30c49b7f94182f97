"""Sessions and their verdicts, from the columns of conformance.csv or verdicts.parquet of an export."""

from collections.abc import Iterator, Sequence
from typing import Any

from eyelevel_stats.columns import Columns, Whose
from eyelevel_stats.conformance.funnel import Row
from eyelevel_stats.conformance.rules import RULES


def broken_column(rule: str) -> str:
    """Returns the name of the column with the state of a rule."""
    return f"{rule}_broken"


VERDICT_COLUMNS = ("session_id", "group", "origin", "state", "accepted", "left_out_by", *map(broken_column, RULES))


def funnel_rows(verdicts: Columns, wanted: Whose) -> Iterator[Row]:
    """Yields the sessions of this origin as rows of the funnel; cells are None where unknown."""
    for _, group, origin, state, accepted, left_out_by, *broken in _rows(verdicts):
        if wanted in ("all", origin or "person"):
            yield Row(
                group=group,
                completed=state == "completed",
                accepted=accepted == "yes",
                broken=_broken(broken),
                left_out_by=frozenset((left_out_by or "").split()),
            )


def _broken(cells: Sequence[Any]) -> dict[str, Any] | None:
    """Returns the states by rule; None for a session that is not judged, whose cells are all unknown."""
    return None if all(cell is None for cell in cells) else dict(zip(RULES, cells, strict=True))


def rules_broken(verdicts: Columns, wanted: Whose) -> dict[str, set[str]]:
    """Returns the judged sessions of this origin that only rules may exclude, with the rules that each breaks.

    Sessions over quota, and others that are excluded for a reason other than a rule, are omitted.
    """
    rules_of = {}
    for session, _, origin, state, accepted, left_out_by, *broken in _rows(verdicts):
        if session is None or state != "completed" or accepted is None or wanted not in ("all", origin or "person"):
            continue
        if set((left_out_by or "").split()) <= set(RULES):
            rules_of[session] = {rule for rule, value in zip(RULES, broken, strict=True) if value == "yes"}
    return rules_of


def _rows(verdicts: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(verdicts[name] for name in VERDICT_COLUMNS), strict=True)
