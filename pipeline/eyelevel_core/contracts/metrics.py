"""Parts of the contracts that follow from the list of metrics, which contract files mark `"$metrics": part`."""

from collections.abc import Iterable, Mapping
from typing import Any

from eyelevel_core.model.metrics import METRIC_OF, METRICS, Metric
from eyelevel_core.tables import Column

MARK = "$metrics"
UNMASKED = "of the film as shown, with no region frozen by the motion mask"
ON_FRAMES = "on the clip's frames, which show a change at the next 1/60 s"
# prefix of a column, the take it is of, and the clips that have none
SIDES = (("", "take", "pair"), ("left_", "left take", "single clip"), ("right_", "right take", "single clip"))
_VISUAL = tuple(metric for metric in METRICS if metric.visual and metric.plain_of is None)
_FILM = tuple(metric for metric in METRICS if metric.visual)


def _meaning(metric: Metric) -> str:
    unknown = "null if unknown" if metric.group == "main" else "null or omitted if unknown"
    if metric.plain_of is not None:
        return f"{METRIC_OF[metric.plain_of].field} {UNMASKED}; {unknown}"
    since = " since navigation start" if metric.ratio else ""
    return f"{f'milliseconds{since}' if metric.unit else 'a plain number'}; {unknown}"


def _values(metrics: Iterable[Metric]) -> dict[str, Any]:
    metrics = tuple(metrics)
    return {
        "required": [metric.field for metric in metrics if metric.group == "main"],
        "properties": {
            metric.field: {"type": ["number", "null"], "minimum": 0, "description": _meaning(metric)}
            for metric in metrics
        },
    }


_ONLY_THESE = {"type": "object", "additionalProperties": False}
_PARTS: Mapping[str, Mapping[str, Any]] = {
    "take": {**_ONLY_THESE, **_values(METRICS)},
    "clip": {**_ONLY_THESE, **_values(_VISUAL)},
    "film": _values(_FILM),
    "field of clip": {"enum": [metric.field for metric in _VISUAL]},
}


def in_words(description: str) -> str:
    """Returns the description of a column with the labels of its metrics filled in."""
    late = ", ".join(metric.label for metric in METRICS if metric.needs_end and metric.plain_of is None)
    return description.replace("$needs_end", late)


def with_metrics(schema: Any) -> Any:
    """Returns the JSON Schema with its marks replaced; other properties of a marked object come after."""
    if isinstance(schema, list):
        return [with_metrics(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    replaced = {key: with_metrics(part) for key, part in schema.items() if key != MARK}
    part = _PARTS[schema[MARK]] if MARK in schema else {}
    for key, value in part.items():
        if key == "required":
            replaced[key] = [*value, *replaced.get(key, ())]
        elif key == "properties":
            replaced[key] = {**value, **replaced.get(key, {})}
        else:
            replaced[key] = value
    return replaced


def metric_columns(part: str) -> list[Column]:
    """Returns, per side of a clip, a column per metric of its `take`, or per visual metric on the `clip`'s frames."""
    columns = []
    for side, take, lacking in SIDES:
        for metric in METRICS if part == "take" else _VISUAL:
            of_film = metric if metric.plain_of is None else METRIC_OF[metric.plain_of]
            about = f"{of_film.name} of the clip's {take}"
            if part == "clip":
                name, meaning = metric.clip_field, f"{about} {ON_FRAMES}; empty if unknown or cut off, and for"
            else:
                on = "" if metric.plain_of is None else f" {UNMASKED.replace('of', 'on', 1)}"
                name, meaning = metric.field, f"{about}{on}; empty if unknown and for"
            optional = part == "clip" or metric.group != "main"
            columns.append(Column(f"{side}{name}", "number", metric.unit or None, f"{meaning} a {lacking}", optional))
    return columns
