"""The looks that a plan names: how much alpha each spends, and at which level it judges."""

from dataclasses import replace
from itertools import accumulate

from scipy import special

from eyelevel_core.study.design import Looks, Plan
from eyelevel_stats.rows.hypotheses import Look
from eyelevel_stats.sequential.boundaries import boundaries
from eyelevel_stats.sequential.spending import spent


def looks_of(plan: Looks, *, used: int, alpha: float) -> tuple[Look, ...]:
    """The looks that `used` sessions have reached, and last the one at the end, over all of them.

    A look over n sessions has n / planned sessions of the information, as if each session told the same. The look at
    the end spends what is left, however many sessions there are.
    """
    if not used:
        return ()
    reached = [sessions for sessions in plan.at if sessions <= used]
    # rounded, a look far before the end spends 0, and one just before it could spend more than there is
    each = (min(spent(sessions / plan.planned, alpha=alpha, spending=plan.spending), alpha) for sessions in reached)
    totals = list(accumulate(each, max))
    found = [
        _look(number, sessions, total, z)
        for number, (sessions, total, z) in enumerate(zip(reached, totals, boundaries(reached, totals), strict=True), 1)
    ]
    # an end at the very sessions of a look takes its place
    before = [look for look in found if look.sessions < used]
    last = boundaries([*(look.sessions for look in before), used], [*(look.spent for look in before), alpha])[-1]
    return (*found, replace(_look(len(before) + 1, used, alpha, last), is_final=True))


def level_at_end(plan: Plan) -> float:
    """The two-sided level at which the planned number of sessions judges, after all looks of the plan."""
    if plan.looks is None:
        return plan.alpha
    return looks_of(plan.looks, used=plan.looks.planned, alpha=plan.alpha)[-1].level


def _look(number: int, sessions: int, total: float, z: float) -> Look:
    level = 2 * float(special.ndtr(-z))
    return Look(number=number, sessions=sessions, is_final=False, spent=total, boundary=z, level=level)
