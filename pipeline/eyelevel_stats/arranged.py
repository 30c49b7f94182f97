"""Ratings as arrays, for means of many groups at once."""

import numpy as np

from eyelevel_stats.observations import Rating, Ratings
from eyelevel_stats.opinion import Opinion, codes_of, opinions_of_codes


class Arranged:
    """Ratings sorted by their fields, so that the same votes give the same floats, in whatever order they come."""

    def __init__(self, ratings: Ratings) -> None:
        *labels, scores = ratings.columns
        score = np.asarray(scores, dtype=np.float64)
        self._values: dict[str, list[str]] = {}
        codes = {}
        for field, column in zip(Rating._fields, labels, strict=False):
            distinct, code = codes_of(column)
            self._values[field] = sorted(distinct)
            place = {value: number for number, value in enumerate(self._values[field])}
            codes[field] = np.array([place[value] for value in distinct], dtype=np.int64)[code]
        order = np.lexsort((score, *reversed(codes.values())))
        self._codes = {field: code[order] for field, code in codes.items()}
        self._score = score[order]

    def opinions(self, last: str, *, scale: tuple[float, float]) -> dict[tuple[str, str, str, str], Opinion]:
        """Computes the opinion about each site, network, stack and value of the field `last` that has votes, sorted."""
        fields = ("site", "network", "stack", last)
        group = np.zeros(len(self._score), dtype=np.int64)
        for field in fields:
            # numbered from 0 each time, so that no product is too large
            if len(self._values[field]) > 1:
                group = np.unique(group * len(self._values[field]) + self._codes[field], return_inverse=True)[1]
        _, first = np.unique(group, return_index=True)
        site, network, stack, values = (
            [self._values[field][code] for code in self._codes[field][first]] for field in fields
        )
        of_groups = opinions_of_codes(
            group,
            self._codes["participant"],
            self._score,
            groups=len(first),
            people=len(self._values["participant"]),
            scale=scale,
        )
        keys = zip(site, network, stack, values, strict=True)
        return {key: opinion for key, opinion in zip(keys, of_groups, strict=True) if opinion is not None}
