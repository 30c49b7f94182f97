"""Serializes sums as JSON rows of a key and its sums."""

from collections.abc import Callable, Mapping
from dataclasses import astuple
from typing import Any, TypeVar

from eyelevel_stats.parts.sums import Asked, Choices, Key, Moments, Repeated, Sums

V = TypeVar("V", Moments, Choices, Asked, Repeated)

KEYED = ("mos", "points", "values", "comparisons", "identical", "repeats")


def as_json(sums: Sums) -> dict[str, object]:
    """Returns `sums` of the contract part-sums.1."""
    return {
        "votes": sums.votes,
        "sessions": sums.sessions,
        **{name: _rows(getattr(sums, name)) for name in KEYED},
        "layouts": [
            [
                list(key),
                asked.votes,
                asked.participants,
                None if asked.moments is None else list(astuple(asked.moments)),
            ]
            for key, asked in sorted(sums.layouts.items())
        ],
        "metrics": {clip: dict(values) for clip, values in sorted(sums.metrics.items())},
        "scores": [[score, count] for score, count in sorted(sums.scores.items())],
        "versions": dict(sorted(sums.versions.items())),
    }


def of_json(value: Any) -> Sums:
    """Parses a value that satisfies the contract."""
    return Sums(
        votes=value["votes"],
        sessions=value["sessions"],
        mos=_read(value["mos"], Moments),
        points=_read(value["points"], Moments),
        values=_read(value["values"], Moments),
        comparisons=_read(value["comparisons"], Choices),
        identical=_read(value["identical"], Choices),
        repeats=_read(value["repeats"], Repeated),
        layouts={
            tuple(key): Asked(votes, participants, None if moments is None else Moments(*moments))
            for key, votes, participants, moments in value["layouts"]
        },
        metrics=value["metrics"],
        scores=dict(value["scores"]),
        versions=value["versions"],
    )


def _rows(records: Mapping[Key, Any]) -> list[list[Any]]:
    return [[list(key), *astuple(record)] for key, record in sorted(records.items())]


def _read(rows: list[list[Any]], make: Callable[..., V]) -> dict[Key, V]:
    return {tuple(key): make(*fields) for key, *fields in rows}
