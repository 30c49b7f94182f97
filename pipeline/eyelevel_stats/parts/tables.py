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
    votes_of_clip = {clip: summed.votes for (_, _, _, clip), summed in sums.points.items()}
    return Results(
        hypotheses=(),
        effects=(),
        mos=_mos(sums, scale),
        comparisons=_comparisons(sums),
        correlations=correlations(points, votes_of_clip),
        points=points,
        values=_values(sums),
        identical=_identical(sums),
        repeats=tuple(_repeat(kind, summed) for (kind,), summed in sorted(sums.repeats.items())),
        layouts=_layouts(sums),
        identical_all=_answers(sums.identical[()]) if () in sums.identical else None,
    )


def _mos(sums: Sums, scale: tuple[float, float]) -> tuple[MosRow, ...]:
    rows = []
    for (site, network, stack, context), moments in sorted(sums.mos.items()):
        opinion = moments.opinion(scale)
        rows.append(
            MosRow(site, network, stack, context, opinion.n, opinion.mos, opinion.ci_low, opinion.ci_high, opinion.sd)
        )
    return tuple(rows)


def _points(sums: Sums, scale: tuple[float, float]) -> tuple[PointRow, ...]:
    opinions = ((key, point.opinion(scale)) for key, point in sorted(sums.points.items()))
    return tuple(
        PointRow(
            *(clip, site, network, stack, point.n, point.mos),
            metrics=complete(sums.metrics.get(clip, {})),
            ci_low=point.ci_low,
            ci_high=point.ci_high,
        )
        for (site, network, stack, clip), point in opinions
    )


def _comparisons(sums: Sums) -> tuple[ComparisonRow, ...]:
    return comparison_rows(
        {
            (site, network, a, b, context): preference(
                a=choices.first, b=choices.second, none=choices.none, participants=choices.participants
            )
            for (site, network, a, b, context), choices in sums.comparisons.items()
        }
    )


def _values(sums: Sums) -> tuple[ValueRow, ...]:
    rows = []
    for (kind, site, network, stack, context), moments in sorted(sums.values.items()):
        opinion = moments.opinion(KINDS[kind].scale)
        rows.append(
            ValueRow(
                kind, site, network, stack, context, opinion.n, opinion.mos, opinion.ci_low, opinion.ci_high, opinion.sd
            )
        )
    return tuple(rows)


def _identical(sums: Sums) -> tuple[IdenticalRow, ...]:
    answered = ((key[0], key[1], _answers(answers)) for key, answers in sorted(sums.identical.items()) if key)
    return tuple(
        IdenticalRow(network, stack, **vars(answers)) for network, stack, answers in answered if answers is not None
    )


def _answers(choices: Choices) -> IdenticalAnswers | None:
    return answers_of(left=choices.first, right=choices.second, none=choices.none, participants=choices.participants)


def _repeat(kind: str, repeated: Repeated) -> RepeatRow:
    mean = repeated.difference / repeated.differences if repeated.differences else None
    return row_of(kind, n=repeated.n, participants=repeated.participants, equal=repeated.equal, mean_difference=mean)


def _layouts(sums: Sums) -> tuple[LayoutRow, ...]:
    rows = []
    for (kind, layout), asked in sorted(sums.layouts.items()):
        mean = None if asked.moments is None else asked.moments.opinion()
        rows.append(
            LayoutRow(
                kind=kind,
                layout=layout,
                n=asked.participants,
                votes=asked.votes,
                mean=None if mean is None else mean.mos,
                sd=None if mean is None else mean.sd,
            )
        )
    return tuple(rows)
