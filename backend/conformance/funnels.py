"""A study's funnel as it is now."""

from collections.abc import Iterator
from itertools import repeat

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, Func, JSONField, OuterRef, Subquery, Value

from conformance.models import Verdict
from eyelevel_stats.conformance import GroupFunnel, Row, funnel
from ratings.models import Exclusion, Session, SessionState
from studies.models import Study


def funnel_of(study: Study) -> list[GroupFunnel]:
    """One per group of the study, in its order."""
    groups = [group["key"] for group in study.design["groups"]]
    return funnel(_rows(study.sha256), groups=groups)


def _rows(study_sha256: str) -> Iterator[Row]:
    """One per session, but counted by the database, which sends each sort of session once: the page asks often."""
    newest = Verdict.objects.filter(session=OuterRef("pk")).order_by("-id")
    rules = Exclusion.objects.filter(session=OuterRef("pk")).order_by("rule").values("rule")
    known = Session.objects.filter(fielding__study=study_sha256).but_previews()
    known = known.annotate(
        accepted=Subquery(newest.values("accepted")[:1]),
        rules=Subquery(newest.values(told=_each("rule"))[:1]),
        broken=Subquery(newest.values(told=_each("broken"))[:1]),
        left_out_by=ArraySubquery(rules),
    )
    sorts = known.values_list("fielding__group", "state", "accepted", "rules", "broken", "left_out_by")
    for group, state, accepted, names, broken, left_out_by, count in sorts.annotate(Count("pk")).order_by():
        row = Row(
            group=group,
            completed=state == SessionState.COMPLETED,
            accepted=accepted is True,
            broken=dict(zip(names, broken, strict=True)) if names else None,
            left_out_by=frozenset(left_out_by),
        )
        yield from repeat(row, count)


def _each(field: str) -> Func:
    """This field of every finding, without its sentences."""
    return Func(
        F("findings"), Value(f"$[*].{field}"), function="jsonb_path_query_array", output_field=JSONField(), template=
        "%(function)s(%(expressions)s::jsonpath)"
    )
