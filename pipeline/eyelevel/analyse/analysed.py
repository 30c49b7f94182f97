"""What an analysis gives: files, and lines for a person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

REPORT = "report.html"
DICTIONARY = "data-dictionary.csv"


@dataclass(frozen=True)
class Analysed:
    """File name to text, the summary for stdout, and notices for stderr.

    `later` takes longer, and gives further files, those that change, and further lines of the summary.
    """

    files: Mapping[str, str]
    summary: Sequence[str]
    notices: Sequence[str] = ()
    later: "Callable[[], Analysed] | None" = None
