"""Computes the tables without model fits from sums; equal to `eyelevel_stats.study` up to rounding."""

from eyelevel_core.model.metrics import complete
from eyelevel_kinds import KINDS
from eyelevel_kinds.rate import ENDS
from eyelevel_stats.identical import answers_of
from eyelevel_stats.parts.sums import Choices, Repeated, Sums
from eyelevel_stats.preference import preference
from eyelevel_stats.repeats import row_of
from eyelevel_stats.rows.study import (
    ComparisonRow,
    IdenticalAnswers,
    IdenticalRow,
    LayoutRow,
    MosRow,
    PointRow,
    RepeatRow,
    ValueRow,
)
from eyelevel_stats.study import Results, comparison_rows, correlations


def results_of_sums(sums: Sums, *, scale: tuple[float, float] = ENDS) -> Results:
    """Returns all tables except hypotheses and effects, whose models need the votes."""
    points = _points(sums, scale)
    votes_of_clip = {clip: own.votes for (_, _, _, clip), own in sums.points.items()}
    return Results(
        hypotheses=(),
        effects=(),
        mos=_mos(sums, scale),
        comparisons=_comparisons(sums),
        correlations=correlations(points, votes_of_clip),
        points=points,
        values=_values(sums),
        identical=_identical(sums),
        repeats=tuple(_repeat(kind, own) for (kind,), own in sorted(sums.repeats.items())),
        layouts=_layouts(sums),
        identical_all=_answers(sums.identical[()]) if () in sums.identical else None,
    )


def _mos(sums: Sums, scale: tuple[float, float]) -> tuple[MosRow, ...]:
    rows = []
    for (site, network, stack, context), moments in sorted(sums.mos.items()):
        own = moments.opinion(scale)
        rows.append(MosRow(site, network, stack, context, own.n, own.mos, own.ci_low, own.ci_high, own.sd))
    return tuple(rows)


def _points(sums: Sums, scale: tuple[float, float]) -> tuple[PointRow, ...]:
    opinions = ((key, own.opinion(scale)) for key, own in sorted(sums.points.items()))
    return tuple(
        PointRow(
            *(clip, site, network, stack, own.n, own.mos),
            metrics=complete(sums.metrics.get(clip, {})),
            ci_low=own.ci_low,
            ci_high=own.ci_high,
        )
        for (site, network, stack, clip), own in opinions
    )


def _comparisons(sums: Sums) -> tuple[ComparisonRow, ...]:
    return comparison_rows(
        {
            (site, network, a, b, context): preference(
                a=own.first, b=own.second, none=own.none, participants=own.participants
            )
            for (site, network, a, b, context), own in sums.comparisons.items()
        }
    )


def _values(sums: Sums) -> tuple[ValueRow, ...]:
    rows = []
    for (kind, site, network, stack, context), moments in sorted(sums.values.items()):
        own = moments.opinion(KINDS[kind].scale)
        rows.append(ValueRow(kind, site, network, stack, context, own.n, own.mos, own.ci_low, own.ci_high, own.sd))
    return tuple(rows)


def _identical(sums: Sums) -> tuple[IdenticalRow, ...]:
    answered = ((key[0], key[1], _answers(own)) for key, own in sorted(sums.identical.items()) if key)
    return tuple(IdenticalRow(network, stack, **vars(own)) for network, stack, own in answered if own is not None)


def _answers(choices: Choices) -> IdenticalAnswers | None:
    return answers_of(left=choices.first, right=choices.second, none=choices.none, participants=choices.participants)


def _repeat(kind: str, repeated: Repeated) -> RepeatRow:
    mean = repeated.difference / repeated.differences if repeated.differences else None
    return row_of(kind, n=repeated.n, participants=repeated.participants, equal=repeated.equal, mean_difference=mean)


def _layouts(sums: Sums) -> tuple[LayoutRow, ...]:
    rows = []
    for (kind, layout), own in sorted(sums.layouts.items()):
        mean = None if own.moments is None else own.moments.opinion()
        rows.append(
            LayoutRow(
                kind=kind,
                layout=layout,
                n=own.participants,
                votes=own.votes,
                mean=None if mean is None else mean.mos,
                sd=None if mean is None else mean.sd,
            )
        )
    return tuple(rows)
