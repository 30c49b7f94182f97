"""The conclusions below table III: the paper's, and the same from the cells of a batch. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from eyelevel.compare.columns import OfPair
from eyelevel.compare.model import Pair
from eyelevel_core.tables import column
from eyelevel_papers.nepomuceno2018.pages import Cell
from eyelevel_papers.nepomuceno2018.published import CACHES, CONFIGURATIONS, COUNTS, EVENTS, truncated_percent


@dataclass(frozen=True)
class SummaryRow(OfPair):
    """A statement with the value of the batch and the paper's, in words; None where the cells do not determine it."""

    statement: str = column("statement about the cells of table III")
    ours: str | None = column("value from this batch")
    paper: str = column("value from the paper's table")


@dataclass(frozen=True)
class _Share:
    """`better` of `pages` pages are faster over QUIC, `worse` over TCP, in the cell that `place` names."""

    place: str
    cell: tuple[int, str, str]
    pages: int
    better: int
    worse: int

    @property
    def percent(self) -> float:
        return truncated_percent(self.better, self.pages)


def summary(pair: Pair, cells: Sequence[Cell]) -> list[SummaryRow]:
    """Computes each line by the same function from the cells of the batch and from the paper's printed counts.

    The paper's counts have no ties, so every page that is not faster over QUIC is faster over TCP.
    """
    ours = [
        _share((cell.configuration.number, cell.metric, cell.cache), cell.pages, cell.better, cell.ties)
        for cell in cells
        if cell.pages
    ]
    paper = [
        _share(
            (configuration.number, metric, cache),
            COUNTS[metric, cache][0],
            COUNTS[metric, cache][1][configuration.number - 1],
            0,
        )
        for configuration in CONFIGURATIONS
        for metric, cache in COUNTS
    ]
    lines = {
        "smallest share of pages faster over QUIC": _least,
        "largest share of pages faster over QUIC": _most,
        "smallest share of pages faster over TCP": _least_over_tcp,
        "share with the cache enabled below the one with it disabled": _below,
        "span of onLoad's shares with the cache enabled": _span,
    }
    return [SummaryRow(pair, words, line(ours), line(paper) or "") for words, line in lines.items()]


def _share(cell: tuple[int, str, str], pages: int, better: int, ties: int) -> _Share:
    number, metric, cache = cell
    place = f"C{number:02d}, {EVENTS[metric]}, {CACHES[cache]}"
    return _Share(place, cell, pages, better, pages - better - ties)


def _least(shares: Sequence[_Share]) -> str | None:
    if not shares:
        return None
    least = min(shares, key=lambda share: share.better / share.pages)
    return f"{least.percent:.2f} % ({least.better} of {least.pages}; {least.place})"


def _most(shares: Sequence[_Share]) -> str | None:
    if not shares:
        return None
    most = max(shares, key=lambda share: share.better / share.pages)
    return f"{most.percent:.2f} % ({most.better} of {most.pages}; {most.place})"


def _least_over_tcp(shares: Sequence[_Share]) -> str | None:
    if not shares:
        return None
    least = min(shares, key=lambda share: share.worse / share.pages)
    return f"{truncated_percent(least.worse, least.pages):.2f} % ({least.worse} of {least.pages}; {least.place})"


def _below(shares: Sequence[_Share]) -> str | None:
    known = {share.cell: share.better / share.pages for share in shares}
    both = [
        (known[number, metric, "all"], known[number, metric, "cold"])
        for number, metric, cache in known
        if cache == "all" and (number, metric, "cold") in known
    ]
    return f"{sum(enabled < disabled for enabled, disabled in both)} of {len(both)}" if both else None


def _span(shares: Sequence[_Share]) -> str | None:
    percents = [share.percent for share in shares if share.cell[1:] == ("plt", "all")]
    return f"{max(percents) - min(percents):.2f} points" if len(percents) > 1 else None
