"""The looks that a plan names: the alpha that each spends, and the level at which it judges."""

from dataclasses import replace
from itertools import accumulate

from scipy import special

from eyelevel_core.study.design import Looks, Plan
from eyelevel_stats.rows.hypotheses import Look
from eyelevel_stats.sequential.boundaries import boundaries
from eyelevel_stats.sequential.spending import spent


def looks_of(plan: Looks, *, used: int, alpha: float) -> tuple[Look, ...]:
    """Returns the looks that `used` sessions have reached, and then the one at the end, over all of them.

    A look over n sessions has the share n / planned of the information, as if each session contributed equally. The
    look at the end spends the rest, for any number of sessions.
    """
    if not used:
        return ()
    reached = [sessions for sessions in plan.at if sessions <= used]
    # rounded, a look far before the end spends 0, and one just before it could spend more than there is
    each = (min(spent(sessions / plan.planned, alpha=alpha, spending=plan.spending), alpha) for sessions in reached)
    totals = list(accumulate(each, max))
    planned = [
        _look(number, sessions, total, z)
        for number, (sessions, total, z) in enumerate(zip(reached, totals, boundaries(reached, totals), strict=True), 1)
    ]
    # an end at the very sessions of a look takes its place
    before = [look for look in planned if look.sessions < used]
    last = boundaries([*(look.sessions for look in before), used], [*(look.spent for look in before), alpha])[-1]
    return (*planned, replace(_look(len(before) + 1, used, alpha, last), is_final=True))


def level_at_end(plan: Plan) -> float:
    """Returns the two-sided level at which the planned number of sessions judges, after all looks of the plan."""
    if plan.looks is None:
        return plan.alpha
    return looks_of(plan.looks, used=plan.looks.planned, alpha=plan.alpha)[-1].level


def _look(number: int, sessions: int, total: float, z: float) -> Look:
    level = 2 * float(special.ndtr(-z))
    return Look(number=number, sessions=sessions, is_final=False, spent=total, boundary=z, level=level)
