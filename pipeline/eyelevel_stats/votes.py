"""Converts the columns of an export or a snapshot to the votes that the statistics use.

Only votes of the role `main` answer a study's question; files that are older than roles contain no others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import compress
from typing import Any

from eyelevel_core.model.metrics import FIELDS, MetricValues
from eyelevel_core.study.design import Plan
from eyelevel_kinds import KINDS
from eyelevel_kinds.rate import ENDS
from eyelevel_stats.arranged import Arranged
from eyelevel_stats.columns import Columns, column, of_sessions
from eyelevel_stats.hypotheses.answer import Answers
from eyelevel_stats.identical import IdenticalVote
from eyelevel_stats.layouts import Laid
from eyelevel_stats.observations import Comparison, Ratings
from eyelevel_stats.pairs.observations import PairVote
from eyelevel_stats.repeats import Repeat
from eyelevel_stats.rows.hypotheses import LookRow
from eyelevel_stats.sequential.looks import looks_of
from eyelevel_stats.study import Results, plan_answers, points_of, study_results
from eyelevel_stats.values import Placed

RATED = ("session_id", "site", "network", "stack", "context", "clip_sha256", "score")
PAIRED = (
    *("session_id", "site", "network", "left_stack", "right_stack", "choice", "left_si_ms", "right_si_ms"),
    *("sureness", "replays"),
)
# columns that identify votes
OF_EACH = ("trial_kind", "role", "received_at")


def results_of(
    columns: Columns, plan: Plan | None = None, *, planned: int | None = None, scale: tuple[float, float] = ENDS
) -> Results:
    """Computes every table; `columns` are those of the contract export-columns, with scores on the `scale`.

    The plan's hypotheses are answered; without a plan there are none. `planned` is the number of sessions that the
    study plans, from which detectable differences follow. If the plan names looks, hypotheses are answered for the
    sessions of each look that is reached, and for all votes at the level that remains for the end.

    Raise ValueError where two votes give the same clip different metrics, or votes of a kind are of two versions.
    """
    check_versions(columns)
    results = study_results(
        ratings_of(columns),
        comparisons_of(columns),
        metrics_of(columns),
        scale=scale,
        identical=identical_of(columns),
        repeats=repeats_of(columns),
        placed=placed_of(columns),
        laid=laid_of(columns),
    )
    return results if plan is None else with_answers(results, columns, plan, planned=planned)


def with_answers(results: Results, columns: Columns, plan: Plan, *, planned: int | None) -> Results:
    """Adds the answers to the plan's hypotheses and looks to the results; `columns` are those of `answering(plan)`.

    `results` has the tables from the same votes, in closed form.
    """
    if not plan.hypotheses:
        return replace(results, looks=looks_reached(columns, plan, planned=planned))
    looks = looks_reached(columns, plan, planned=planned)
    answered = plan_answers(
        plan,
        list(ratings_of(columns)),
        comparisons_of(columns),
        results.points,
        alpha=looks[-1].level if looks else plan.alpha,
        planned=planned,
        pair_votes=pair_votes(columns),
    )
    return replace(results, looks=looks, hypotheses=answered.hypotheses, effects=answered.effects)


def answering(plan: Plan) -> tuple[str, ...]:
    """Returns the columns that `with_answers` reads; none for a plan without hypotheses."""
    if not plan.hypotheses and plan.looks is None:
        return ()
    return (*RATED, *(name for name in PAIRED if name not in RATED), *OF_EACH, *(FIELDS if plan.looks else ()))


def looks_reached(columns: Columns, plan: Plan | None, *, planned: int | None = None) -> tuple[LookRow, ...]:
    """Returns the plan's reached looks with their answers, and the one over all votes; none if the plan names none.

    Sessions count in the order of their last votes, so that the result of a look does not change with later sessions.
    """
    if plan is None or plan.looks is None:
        return ()
    last: dict[str, Any] = {}
    for session, received_at in zip(columns["session_id"], columns["received_at"], strict=True):
        last[session] = max(received_at, last.get(session, received_at))
    order = sorted(last, key=lambda session: (last[session], session))
    rows = []
    for look in looks_of(plan.looks, used=len(order), alpha=plan.alpha):
        answered = Answers((), ())
        if not look.is_final:
            reached = of_sessions(columns, set(order[: look.sessions]))
            ratings = ratings_of(reached)
            points, _ = points_of(Arranged(ratings), metrics_of(reached))
            answered = plan_answers(
                plan,
                list(ratings),
                comparisons_of(reached),
                points,
                alpha=look.level,
                planned=planned,
                pair_votes=pair_votes(reached),
            )
        rows.append(LookRow(**asdict(look), hypotheses=answered.hypotheses, effects=answered.effects))
    return tuple(rows)


def check_versions(columns: Columns) -> None:
    """Raises ValueError where votes of one kind are of several versions, whose answers mean different things."""
    versions: dict[str, set[int]] = {}
    for kind, version in zip(columns["trial_kind"], column(columns, "trial_kind_version"), strict=True):
        if version is not None:
            versions.setdefault(kind, set()).add(version)
    for kind, kind_versions in sorted(versions.items()):
        if len(kind_versions) > 1:
            listed = " and ".join(str(version) for version in sorted(kind_versions))
            raise ValueError(
                f"trial_kind_version is {listed} in votes of {kind}; versions of a kind ask different "
                "questions and are not analysed together. Keep the rows of one version."
            )


def ratings_of(columns: Columns) -> Ratings:
    """Returns the main votes of `rate` trials."""
    return Ratings(columns_of_role(columns, "main", "rate", RATED))


def comparisons_of(columns: Columns) -> list[Comparison]:
    """Returns the main votes of `compare` trials."""
    fields = ("session_id", "site", "network", "left_stack", "right_stack", "context", "choice")
    return [Comparison(*row) for row in rows_of_role(columns, "main", "compare", fields)]


def pair_votes(columns: Columns) -> list[PairVote]:
    """Returns the main votes of `compare` trials with the metrics of both sides."""
    return [PairVote(*row) for row in rows_of_role(columns, "main", "compare", PAIRED)]


def metrics_of(columns: Columns) -> dict[str, MetricValues]:
    """Returns the metrics of every rated clip; raises ValueError if two votes give a clip different metrics."""
    known = [name for name in FIELDS if name in columns]
    values_of: dict[str, list[float | None]] = {}
    for clip, *values in rows_of_role(columns, "main", "rate", ("clip_sha256", *known)) if known else ():
        if values_of.setdefault(clip, values) != values:
            one, other = (dict(zip(known, metric_values, strict=True)) for metric_values in (values_of[clip], values))
            raise ValueError(f"The clip {clip} has different metrics in different votes: {one} and {other}.")
    return {clip: dict(zip(known, values, strict=True)) for clip, values in values_of.items()}


def identical_of(columns: Columns) -> list[IdenticalVote]:
    """Returns the votes about pairs that show one stack twice."""
    fields = ("session_id", "network", "left_stack", "choice")
    return [IdenticalVote(*row) for row in rows_of_role(columns, "identical", "compare", fields)]


def placed_of(columns: Columns) -> list[Placed]:
    """Returns the main votes of kinds with a numeric answer about one clip, except `rate`, which has the MOS."""
    return [
        Placed(session, name, *rest)
        for name, kind in KINDS.items()
        if name != "rate" and kind.clip_kind == "single" and kind.columns[0].type != "string"
        for session, *rest in rows_of_role(
            columns, "main", name, ("session_id", "site", "network", "stack", "context", kind.columns[0].name)
        )
    ]


def repeats_of(columns: Columns) -> list[Repeat]:
    """Returns the answers to repeated questions, each with the first answer; without a first answer, omitted."""
    repeats: list[Repeat] = []
    for name, kind in KINDS.items():
        answer = kind.columns[0].name
        again = [*rows_of_role(columns, "repeat", name, ("session_id", "repeats_position", answer))]
        places = ("session_id", "position", answer)
        main = rows_of_role(columns, "main", name, places) if again else ()
        first = {(session, position): value for session, position, value in main}
        repeats += [
            Repeat(session, name, first[session, position], value)
            for session, position, value in again
            if (session, position) in first
        ]
    return repeats


def laid_of(columns: Columns) -> list[Laid]:
    """Returns the main votes of every kind whose layout is known."""
    if "layout" not in columns:
        return []
    return [
        Laid(session, name, layout, answer)
        for name, kind in KINDS.items()
        for session, layout, answer in rows_of_role(
            columns, "main", name, ("session_id", "layout", kind.columns[0].name)
        )
        if layout is not None
    ]


def rows_of_role(columns: Columns, role: str, kind: str, fields: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Yields these fields of the votes of a role and a kind; a field that the columns lack is None."""
    return zip(*columns_of_role(columns, role, kind, fields), strict=True)


def columns_of_role(columns: Columns, role: str, kind: str, fields: Sequence[str]) -> list[Sequence[Any]]:
    """Returns the same as `rows_of_role`, by column."""
    kinds = columns["trial_kind"]
    if kind not in kinds or (role != "main" and "role" not in columns):
        return [()] * len(fields)
    pairs = zip(column(columns, "role"), kinds, strict=True)
    wanted = [own_kind == kind and (own_role or "main") == role for own_role, own_kind in pairs]
    return [[*compress(column(columns, name), wanted)] for name in fields]
