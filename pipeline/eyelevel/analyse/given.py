"""The input of an analysis from any source: votes in the columns of an export, and the data that belong to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy
import scipy

from eyelevel.analyse.export.screened import Screened
from eyelevel_core.study.design import Design, Plan
from eyelevel_stats import METHOD_VERSION
from eyelevel_stats.columns import Columns
from eyelevel_stats.descriptive.careless import Plays
from eyelevel_stats.in_depth.compute import Completed
from eyelevel_stats.in_depth.stimuli import Stimuli
from eyelevel_stats.prediction.mappings import SCALE


@dataclass(frozen=True)
class Study:
    """The data that only an export has; `design` is None without study.json.

    `departures` describe the departures from the plan; None if the export does not list them. `collecting`: the study
    was in the field. `completed` returns the votes for the multiverse, or the reason why there is none.
    """

    design: Design | None
    departures: Sequence[str] | None
    screened: Screened
    collecting: bool
    plays: Callable[[], Mapping[str, Plays]]
    completed: Callable[[], Completed | str]

    @property
    def plan(self) -> Plan | None:
        return None if self.design is None else self.design.plan


@dataclass(frozen=True)
class Given:
    """The votes, and either the study or the stimuli that they are about.

    `read` and `provenance` are facts for the report; `source` is the source line of figures.
    """

    columns: Columns
    about: Study | Stimuli
    name: str
    title: str
    lead: str
    source: str
    read: Mapping[str, str]
    provenance: Mapping[str, str]
    notices: Sequence[str]

    @property
    def study(self) -> Study | None:
        return self.about if isinstance(self.about, Study) else None

    @property
    def stimuli(self) -> Stimuli | None:
        return self.about if isinstance(self.about, Stimuli) else None

    @property
    def scale(self) -> tuple[float, float]:
        return SCALE if isinstance(self.about, Study) else self.about.scale

    @property
    def collecting(self) -> bool:
        return isinstance(self.about, Study) and self.about.collecting

    @property
    def plan(self) -> Plan | None:
        return None if self.study is None else self.study.plan


def computed_with(seed: int) -> dict[str, str]:
    """Returns seed and versions, for the provenance."""
    versions = f"eyelevel {version('eyelevel')}, method {METHOD_VERSION}, numpy {numpy.__version__}"
    return {"seed": str(seed), "computed with": f"{versions}, scipy {scipy.__version__}"}
