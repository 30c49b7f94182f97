"""The tables of an analysis and their files; tables about stimuli have other column names and descriptions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from eyelevel.analyse.given import Given
from eyelevel.analyse.results.distribution import DISTRIBUTION
from eyelevel.analyse.results.metric_slopes import TABLES as METRIC_TABLES
from eyelevel.analyse.results.preferred import PREFERRED
from eyelevel.report.table import Filled
from eyelevel_core.tables import Column, Table, csv_text
from eyelevel_stats.in_depth.compute import InDepth
from eyelevel_stats.participants import PARTICIPANTS
from eyelevel_stats.prediction.coverage import LEFT_OUT
from eyelevel_stats.tables import IN_DEPTH, TABLES

DICTIONARY = "data-dictionary.csv"
FOLDER = "statistics"


EVERY: Mapping[str, Table] = {
    **TABLES,
    **{table.name: table for table in (DISTRIBUTION, PARTICIPANTS, PREFERRED, LEFT_OUT.without("network"))},
    **{f"{FOLDER}/{name}": replace(table, name=f"{FOLDER}/{name}") for name, table in IN_DEPTH.items()},
}
# names of columns in tables about stimuli, by their names in tables about stacks
NAMES = {
    "stack": "stimulus",
    "stacks": "stimuli",
    "stack_a": "stimulus_a",
    "stack_b": "stimulus_b",
    "context": "condition",
    "clip": "stimulus",
    "clip_sha256": "stimulus",
}
MEANINGS = {
    "stimulus": "name of the stimulus in the file of votes",
    "site": "site of the stimulus: the common source of stimuli, such as a website or a scene",
    "condition": "condition of the stimulus; empty if its votes have several conditions",
    "mos": "mean opinion score in points of the scale; several scores of one participant are averaged first",
    "prefer_a": "number of answers that prefer stimulus_a",
    "prefer_b": "number of answers that prefer stimulus_b",
    "no_difference": "number of answers that prefer neither stimulus",
    "chose_left": "number of answers that prefer the left side, although both sides show the same stimulus",
    "chose_right": "number of answers that prefer the right side, although both sides show the same stimulus",
}
WORDS = {
    "stacks": "stimuli",
    "stack": "stimulus",
    "Stacks": "Stimuli",
    " within the network": "",
    "take": "stimulus",
    "Speed Indexes": "values of the metric",
    "Speed Index": "the metric",
    "faster": "better",
    "slower": "worse",
    "equally fast": "equally good",
    "takes 25 % longer": "is 25 % worse",
    "side-by-side clips": "pairs",
}


class AboutStimuli(Table):
    """A table of an export whose rows are about stimuli from any source."""

    @property
    def columns(self) -> tuple[Column, ...]:
        return tuple(_about_stimulus(column) for column in super().columns)


class Sheets:
    """Creates the sheets of one analysis; those about stimuli omit columns that no vote of the table has."""

    def __init__(self, given: Given) -> None:
        self._stimuli = given.stimuli is not None
        labels = {"site": "site", "context": "context"}
        self._absent = ["network", *(name for name, column in labels.items() if not any(given.columns[column]))]

    def sheet(self, name: str, rows: Sequence[Any]) -> Filled:
        """Returns the table of this name, which is the path of its file."""
        table = EVERY[name]
        if not self._stimuli:
            return Filled(table, rows)
        table = METRIC_TABLES.get(name.removeprefix(f"{FOLDER}/"), table)
        title = table.title if table.name in METRIC_TABLES else _worded(table.title).replace("condition", "stimulus")
        names = {column.name for column in table.columns}
        absent = [column for column in self._absent if column in names]
        # a stimulus stands for both the clip and the stack of tables about stacks
        absent += ["stack"] if "stack" in names and {"clip", "clip_sha256"} & names else []
        about = AboutStimuli(name, title, table.title_de, table.row, left_out=table.left_out).without(*absent)
        return Filled(about, rows)

    def deep(self, tables: Mapping[str, Sequence[Any]]) -> list[Filled]:
        """Returns the tables in depth that have rows."""
        return [self.sheet(f"{FOLDER}/{name}", rows) for name, rows in tables.items() if rows]

    def deep_sheet(self, name: str, deep: InDepth) -> Filled:
        """Returns one of the tables in depth."""
        return self.sheet(f"{FOLDER}/{name}", deep.tables.get(name, ()))


def files_of(sheets: Iterable[Filled], further: Iterable[tuple[str, str, str]] = ()) -> dict[str, str]:
    """Returns each table as CSV, and the data dictionary, with `further` rows (file, column, meaning)."""
    tables = list(sheets)
    explained = [row for table in tables for row in table.dictionary()]
    dictionary = csv_text(["file", "column", "description"], [*explained, *further])
    return {**{table.file: table.csv() for table in tables}, DICTIONARY: dictionary}


def _about_stimulus(column: Column) -> Column:
    name = NAMES.get(column.name, column.name)
    meaning = MEANINGS.get(name, _worded(column.description))
    return replace(column, name=name, description=meaning, head=_worded(column.head))


def _worded(words: str) -> str:
    # the longest first: "takes 25 % longer" contains "take"
    for word, other in sorted(WORDS.items(), key=lambda pair: -len(pair[0])):
        words = words.replace(word, other)
    return words
