"""The slides' table: the number of sites on which a stack was significantly faster. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eyelevel.compare.columns import NETWORK, NEW, REFERENCE
from eyelevel_core.model.metrics import LABELS, MAIN
from eyelevel_core.tables import Column, Table, column, columns
from eyelevel_papers.wolsing2019.gains import AverageRow
from eyelevel_papers.wolsing2019.published import ANOVA_DSL

OURS = [
    Column(f"{metric}_sites", "integer", None,
           f"number of sites with the outcome in faster, by {LABELS[metric]} (ANOVA, p < 0.01)",
           head=LABELS[metric], format="count")
    for metric in MAIN
]  # fmt: skip
PAPER = [
    Column(f"paper_2019_{metric}_sites", "integer", None,
           "number of sites with the outcome in faster in the slides of 2019, out of 38 (DSL only)",
           head=f"2019: {LABELS[metric]}", format="count")
    for metric in MAIN
]  # fmt: skip


@dataclass(frozen=True)
class AnovaRow:
    """The number of sites on which `faster` was significantly faster, by metric."""

    network: str = column(NETWORK)
    new_stack: str = column(NEW)
    reference_stack: str = column(REFERENCE)
    faster: str = column("faster stack, undecided, or untested (too few runs)")
    ours: Mapping[str, int] = columns(*OURS)
    paper: Mapping[str, int] = columns(*PAPER)


ANOVA = Table("anova-2019", "Sites on which a stack is significantly faster: one-way ANOVA, p < 0.01", "", AnovaRow)


def anova_rows(rows: Sequence[AverageRow]) -> list[AnovaRow]:
    """Returns rows per pair and network, in the slides' order: new, reference, undecided, and untested, if any."""
    groups: dict[tuple[str, str, str], list[AverageRow]] = {}
    for row in rows:
        groups.setdefault((row.network, row.new_stack, row.reference_stack), []).append(row)
    table = []
    for (network, new, reference), averages in groups.items():
        printed: Sequence[Sequence[int]] = ANOVA_DSL.get((new, reference), ()) if network == "DSL" else ()
        kinds = {"faster": new, "slower": reference, "undecided": "undecided", "untested": "untested"}
        for place, (kind, faster) in enumerate(kinds.items()):
            counts = {f"{row.metric}_sites": int(getattr(row, kind)) for row in averages}
            if kind != "untested" or any(counts.values()):
                of_paper = printed[place] if place < len(printed) else ()
                paper = dict(zip((declared.name for declared in PAPER), of_paper, strict=False))
                table.append(AnovaRow(network, new, reference, faster, counts, paper))
    return table
