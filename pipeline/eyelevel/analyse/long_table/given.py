"""Reads a long table of votes from any source, and their metrics, as the input of an analysis."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eyelevel.analyse.given import Given, computed_with
from eyelevel.analyse.long_table.delimited import DELIMITERS
from eyelevel.analyse.long_table.metric_table import MetricTable, header_of, read_metrics
from eyelevel.analyse.long_table.pairs import PairVotes, read_pairs
from eyelevel.analyse.long_table.roles import OPTIONAL
from eyelevel.analyse.long_table.scores import Reading, ScoreVotes, read_scores
from eyelevel.analyse.long_table.wording import Choice
from eyelevel.analyse.notices import metric_notices, pair_notices, score_notices, unmatched
from eyelevel.errors import BadInputError
from eyelevel.report.words import plural
from eyelevel_core.contracts import short
from eyelevel_stats.columns import Columns
from eyelevel_stats.in_depth.stimuli import Stimuli


@dataclass(frozen=True)
class Asked:
    """The parsed options about a long table; `reading` is None for pairs, `chosen` are metrics (all if empty).

    `choices` is None if the option is not given.
    """

    votes: Path
    columns: Mapping[str, str]
    reading: Reading | None = None
    metrics: Path | None = None
    chosen: Sequence[str] = ()
    choices: Mapping[str, Choice] | None = None
    higher_is_better: Sequence[str] = ()

    def unused(self) -> Iterator[str]:
        """Yields a message for each option that does not fit the columns."""
        for option, given in (("--higher-is-better", self.higher_is_better), ("--metric", self.chosen)):
            if given and self.metrics is None:
                yield f"{option} needs --metrics."
        if "score" in self.columns:
            if self.reading is None:
                yield (
                    "--votes with scores needs --scale LOW:HIGH, the lowest and the highest score that participants "
                    "could give, such as --scale 1:5."
                )
            if self.choices is not None:
                yield "--choices applies only to pairs; --columns names a score."
        elif self.reading is not None:
            yield "--scale applies only to scores; --columns names pairs."


def read_long_table(asked: Asked, *, seed: int) -> Given:
    """Reads scores or pairs; raises BadInputError, with file, line, column, value and remedy, for an invalid table."""
    return _scores(asked, asked.reading, seed) if asked.reading is not None else _pairs(asked, seed)


def _scores(asked: Asked, reading: Reading, seed: int) -> Given:
    elsewhere = frozenset(header_of(asked.metrics, asked.columns)) if asked.metrics else frozenset[str]()
    votes = read_scores(asked.votes, asked.columns, reading, elsewhere=elsewhere)
    stimuli = list(dict.fromkeys(votes.stimulus))
    metrics = None if asked.metrics is None else _metrics(asked, asked.metrics, asked.columns, stimuli)
    if metrics is not None:
        sites, conditions = (metrics.labels.get(role) for role in OPTIONAL)
        votes = replace(
            votes,
            sites=sites if votes.sites is None else votes.sites,
            conditions=conditions if votes.conditions is None else votes.conditions,
        )
    scale = (reading.scale.low, reading.scale.high)
    people = plural(len(set(votes.participant)), "participant")
    return _given(
        asked,
        votes,
        votes.columns(),
        Stimuli(scale, metrics.metrics if metrics else {}, asked.higher_is_better),
        title=f"Opinion scores of {asked.votes.name}",
        lead=f"{plural(len(votes.score), 'vote')} of {people} on {plural(len(stimuli), 'stimulus', 'stimuli')}, on a "
        f"scale from {scale[0]:g} to {scale[1]:g}.",
        notices=[*score_notices(votes, stimuli), *(metric_notices(metrics, stimuli) if metrics else ())],
        seed=seed,
    )


def _pairs(asked: Asked, seed: int) -> Given:
    votes = read_pairs(asked.votes, asked.columns, asked.choices)
    stimuli = sorted({name for _, left, right, _ in votes.votes for name in (left, right)})
    metrics = None if asked.metrics is None else _metrics(asked, asked.metrics, {"stimulus": "stimulus"}, stimuli)
    people = plural(len({who for who, *_ in votes.votes}), "participant")
    pairs = plural(len({frozenset((left, right)) for _, left, right, _ in votes.votes}), "pair")
    return _given(
        asked,
        votes,
        votes.columns(),
        # pairs have no scale; the shortest stands for it
        Stimuli((0, 1), metrics.metrics if metrics else {}, asked.higher_is_better, sided=votes.sided),
        title=f"Comparisons of {asked.votes.name}",
        lead=f"{plural(len(votes.votes), 'answer')} of {people} about {pairs} of "
        f"{plural(len(stimuli), 'stimulus', 'stimuli')}.",
        notices=[*pair_notices(votes), *(metric_notices(metrics, stimuli) if metrics else ())],
        seed=seed,
    )


def _given(
    asked: Asked,
    votes: ScoreVotes | PairVotes,
    columns: Columns,
    stimuli: Stimuli,
    *,
    title: str,
    lead: str,
    notices: Sequence[str],
    seed: int,
) -> Given:
    digests = {path: _digest(path) for path in (asked.votes, asked.metrics) if path is not None}
    return Given(
        columns=columns,
        about=stimuli,
        name=str(asked.votes),
        title=title,
        lead=lead,
        source=f"Votes of {asked.votes.name}, SHA-256 {short(digests[asked.votes])}.",
        read=_read(asked, votes),
        provenance={f"SHA-256 of {path.name}": digest for path, digest in digests.items()} | computed_with(seed),
        notices=notices,
    )


def _metrics(asked: Asked, path: Path, columns: Mapping[str, str], stimuli: Sequence[str]) -> MetricTable:
    """Read the metrics; raise BadInputError if the table has none of the stimuli, or lacks a metric of an option."""
    metrics = read_metrics(path, columns, chosen=asked.chosen, stimuli=stimuli)
    if message := unmatched(metrics, stimuli, {"votes": str(asked.votes), "metrics": str(path)}):
        raise BadInputError(message)
    for name in asked.higher_is_better:
        if name not in metrics.metrics:
            raise BadInputError(
                f"--higher-is-better {name}: {path} has no such metric; its metrics are {', '.join(metrics.metrics)}."
            )
    return metrics


def _read(asked: Asked, votes: ScoreVotes | PairVotes) -> dict[str, str]:
    """The facts of the report about the input."""
    facts = {
        "table of votes": f"{asked.votes.name}, {plural(votes.rows, 'row')}, separated by "
        f"{DELIMITERS[votes.delimiter]}",
        "votes": f"{len(votes.score if isinstance(votes, ScoreVotes) else votes.votes):,}",
        "columns": ", ".join(f"{role} from {column!r}" for role, column in asked.columns.items()),
    }
    if asked.reading is not None:
        reading = asked.reading
        facts["scale"] = f"from {reading.scale.low:g} to {reading.scale.high:g}"
        if reading.words:
            facts["words of scores"] = ", ".join(f"{word!r} is {score:g}" for word, score in reading.words.items())
        if reading.missing:
            facts["missing scores"] = ", ".join(sorted(reading.missing))
    if asked.choices:
        facts["choices"] = ", ".join(f"{word!r} is {choice}" for word, choice in asked.choices.items())
    if asked.metrics is not None:
        facts["table of metrics"] = asked.metrics.name
        better = f"a larger value is better for {', '.join(asked.higher_is_better)}; " if asked.higher_is_better else ""
        facts["direction"] = f"{better}for all {'others' if better else 'metrics'}, a smaller value is better"
    if asked.reading is not None and (missing := [role for role in OPTIONAL if role not in asked.columns]):
        facts["not given"] = ", ".join(missing)
    return facts


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
