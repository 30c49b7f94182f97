"""The tables of closed form, from sums: equal to those of `eyelevel_stats.study` but for rounding."""

from eyelevel_core.model.metrics import complete
from eyelevel_kinds import KINDS
from eyelevel_kinds.rate import ENDS
from eyelevel_stats.intervals import wilson
from eyelevel_stats.parts.sums import Choices, Repeated, Sums
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
from eyelevel_stats.study import Results, correlations


def results_of_sums(sums: Sums, *, scale: tuple[float, float] = ENDS) -> Results:
    """All tables but those of hypotheses, which are fitted to the votes themselves."""
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
    found = ((key, own.opinion(scale)) for key, own in sorted(sums.points.items()))
    return tuple(
        PointRow(
            *(clip, site, network, stack, own.n, own.mos),
            metrics=complete(sums.metrics.get(clip, {})),
            ci_low=own.ci_low,
            ci_high=own.ci_high,
        )
        for (site, network, stack, clip), own in found
    )


def _comparisons(sums: Sums) -> tuple[ComparisonRow, ...]:
    rows = []
    for (site, network, a, b, context), own in sorted(sums.comparisons.items()):
        share = own.first / own.n
        interval = wilson(share, own.participants)
        assert interval is not None  # noqa: S101 - somebody answered
        rows.append(
            ComparisonRow(
                site,
                network,
                a,
                b,
                context,
                n=own.n,
                prefer_a=own.first,
                prefer_b=own.second,
                no_difference=own.none,
                share_a=share,
                ci_low=interval.low,
                ci_high=interval.high,
            )
        )
    return tuple(rows)


def _values(sums: Sums) -> tuple[ValueRow, ...]:
    rows = []
    for (kind, site, network, stack, context), moments in sorted(sums.values.items()):
        own = moments.opinion(KINDS[kind].scale)
        rows.append(ValueRow(kind, site, network, stack, context, own.n, own.mos, own.ci_low, own.ci_high, own.sd))
    return tuple(rows)


def _identical(sums: Sums) -> tuple[IdenticalRow, ...]:
    named = [(key[0], key[1], own) for key, own in sorted(sums.identical.items()) if key]
    return tuple(IdenticalRow(network, stack, **vars(_answers(own))) for network, stack, own in named)


def _answers(own: Choices) -> IdenticalAnswers:
    share = (own.first + own.second) / own.n
    interval = wilson(share, own.participants)
    assert interval is not None  # noqa: S101 - somebody answered
    return IdenticalAnswers(
        n=own.n,
        participants=own.participants,
        chose_left=own.first,
        chose_right=own.second,
        no_difference=own.none,
        share_different=share,
        ci_low=interval.low,
        ci_high=interval.high,
    )


def _repeat(kind: str, own: Repeated) -> RepeatRow:
    interval = wilson(own.equal / own.n, own.participants)
    assert interval is not None  # noqa: S101 - somebody answered
    return RepeatRow(
        kind=kind,
        n=own.n,
        participants=own.participants,
        equal=own.equal,
        share_equal=own.equal / own.n,
        ci_low=interval.low,
        ci_high=interval.high,
        mean_difference=own.difference / own.differences if own.differences else None,
    )


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
