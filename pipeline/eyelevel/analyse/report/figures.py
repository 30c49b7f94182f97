"""The figures of a study in the report, as its page shows them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from eyelevel.analyse.export_metrics import Against
from eyelevel.analyse.report.parts import explained
from eyelevel.analyse.screened import Screened
from eyelevel_figures.figure import Figure, Look
from eyelevel_figures.study import Screening, study_figures
from eyelevel_figures.words import Words
from eyelevel_stats.observations import Rating
from eyelevel_stats.study import Results


class StudyFigures:
    """The figures of the study by their names, as its page shows them."""

    def __init__(
        self,
        results: Results,
        ratings: Sequence[Rating],
        *,
        found: Against,
        deep: Mapping[str, tuple[Any, ...]],
        screened: Screened,
        source: str,
    ) -> None:
        names = ("effects", "mos", "comparisons", "points")
        tables: dict[str, Sequence[Any]] = {name: getattr(results, name) for name in names}
        tables |= {"leaderboard": found.leaders, **deep}
        scores = Counter(int(vote.score) for vote in ratings)
        look = Look(Words(), source=source)
        self._drawn = list(
            study_figures(
                tables,
                look,
                scores={key: scores[key] for key in sorted(scores)},
                screening=screened.screening or Screening(),
                groups_named=screened.group_names,
            )
        )

    def of(self, *names: str) -> list[Figure]:
        """Those with these names, and those whose names begin with one."""
        return [one for name in names for one in self._drawn if one.name == name or one.name.startswith(f"{name}-")]

    def parts(self, *names: str) -> list[Element]:
        return [part for figure in self.of(*names) for part in explained(figure)]
