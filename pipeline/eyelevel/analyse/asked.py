"""What `eyelevel analyse --votes` is asked for: the options, what they contradict, and what the report says of them."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy
import scipy

from eyelevel.analyse.long_table.delimited import DELIMITERS
from eyelevel.analyse.long_table.metric_table import MetricTable, read_metrics
from eyelevel.analyse.long_table.roles import OPTIONAL
from eyelevel.analyse.long_table.scores import Reading
from eyelevel.analyse.long_table.wording import Choice
from eyelevel.analyse.new_clips import Predict
from eyelevel.analyse.notices import unmatched
from eyelevel.errors import BadInputError
from eyelevel.report.words import plural
from eyelevel_core.contracts import short
from eyelevel_stats import METHOD_VERSION


@dataclass(frozen=True)
class Asked:
    """What the command line asks for; `reading` of scores is None for pairs alone, `chosen` are metrics, all if empty.

    `choices` are None where nobody said what they mean.
    """

    votes: Path
    columns: Mapping[str, str]
    reading: Reading | None = None
    metrics: Path | None = None
    chosen: Sequence[str] = ()
    choices: Mapping[str, Choice] | None = None
    higher_is_better: Sequence[str] = ()
    predict: Predict = field(default_factory=Predict)
    seed: int = 0


def metric_table(asked: Asked, path: Path, columns: Mapping[str, str], stimuli: Sequence[str]) -> MetricTable:
    """The metrics of the stimuli; raise BadInputError where it has none of them, or lacks a metric that is named."""
    metrics = read_metrics(path, columns, chosen=asked.chosen)
    if said := unmatched(metrics, stimuli, {"votes": str(asked.votes), "metrics": str(path)}):
        raise BadInputError(said)
    for name in asked.higher_is_better:
        if name not in metrics.metrics:
            raise BadInputError(
                f"--higher-is-better {name}: {path} has no such metric; its metrics are {', '.join(metrics.metrics)}."
            )
    return metrics


def origin_of(asked: Asked) -> str:
    """What captions of figures name: the votes that they are of."""
    return f"Votes of {asked.votes.name}, SHA-256 {short(_digest(asked.votes))}."


def facts_read(asked: Asked, rows: int, votes: int, delimiter: str) -> dict[str, str]:
    """What was read, as facts of the report; `rows` of the file, `votes` among them."""
    found = {
        "table of votes": f"{asked.votes.name}, {plural(rows, 'row')}, separated by {DELIMITERS[delimiter]}",
        "votes": f"{votes:,}",
        "columns": ", ".join(f"{role} from {column!r}" for role, column in asked.columns.items()),
    }
    if asked.reading is not None:
        own = asked.reading
        found["scale"] = f"from {own.scale.low:g} to {own.scale.high:g}"
        if own.words:
            found["words of scores"] = ", ".join(f"{word!r} is {score:g}" for word, score in own.words.items())
        if own.missing:
            found["missing scores"] = ", ".join(sorted(own.missing))
    if asked.choices:
        found["choices"] = ", ".join(f"{word!r} is {choice}" for word, choice in asked.choices.items())
    if asked.metrics is not None:
        found["table of metrics"] = asked.metrics.name
        better = f"a larger value is better for {', '.join(asked.higher_is_better)}; " if asked.higher_is_better else ""
        found["direction"] = f"{better}for all {'others' if better else 'metrics'}, a smaller value is better"
    if asked.reading is not None and (missing := [role for role in OPTIONAL if role not in asked.columns]):
        found["not given"] = ", ".join(missing)
    return found


def provenance_of(asked: Asked) -> dict[str, str]:
    """Digests, seed and versions."""
    return {
        **{f"SHA-256 of {path.name}": _digest(path) for path in (asked.votes, asked.metrics) if path is not None},
        "seed": str(asked.seed),
        "computed with": (
            f"eyelevel {version('eyelevel')}, method {METHOD_VERSION}, numpy {numpy.__version__}, "
            f"scipy {scipy.__version__}"
        ),
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unused(asked: Asked) -> Iterator[str]:
    """Options that do not go with what the columns say, as sentences."""
    if asked.predict.option is not None and (asked.metrics is None or "score" not in asked.columns):
        yield f"{asked.predict.option} goes with scores and --metrics, from which the model is fitted."
    for option, given in (("--higher-is-better", asked.higher_is_better), ("--metric", asked.chosen)):
        if given and asked.metrics is None:
            yield f"{option} goes with --metrics."
    if "score" in asked.columns:
        if asked.reading is None:
            yield (
                "--votes with scores needs --scale LOW:HIGH, the lowest and the highest score that participants could "
                "give, such as --scale 1:5."
            )
        if asked.choices is not None:
            yield "--choices goes with pairs alone; --columns names a score."
    elif asked.reading is not None:
        yield "--scale goes with scores alone; --columns names pairs."
