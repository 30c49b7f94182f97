"""Data for the live page of a study: computed when it is opened, or for a large study, by the worker."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from django.utils import timezone

from fieldwork import queries
from fieldwork.alerts import Alert, Code, alerts
from fieldwork.course import Link, Visit, course
from fieldwork.models import RaisedAlert
from fieldwork.schemas import AlertOut, FieldOut, ProblemOut
from studies.models import Study
from studies.stored_counts import stored

NAME = "fieldwork"


def field_of(study: Study) -> dict[str, object]:
    """The state of a study in the field, as the body of `FieldOut`."""
    row = stored(NAME, [study.pk]).get(study.pk)
    return count(study) if row is None else row.value


def count(study: Study) -> dict[str, object]:
    """Compute the current state as JSON; reads every session and vote of the study."""
    now = timezone.now()
    links, visits = queries.links_of(study), list(queries.visits_of(study))
    so_far = course(links, visits, votes=queries.votes_by_day(study), now=now)
    raised = {(row.code, row.subject): row.raised_at for row in RaisedAlert.objects.filter(study=study, ended_at=None)}
    body = FieldOut(
        at=now,
        **asdict(so_far),
        problems=[
            ProblemOut(code=code, group=group, today=today, total=total)
            for code, group, today, total in queries.problems_shown(study, now=now)
        ],
        alerts=[
            AlertOut(**asdict(alert), since=raised.get((alert.code, alert.subject)))
            for alert in _alerts(study, links, visits, now)
        ],
    )
    return body.model_dump(mode="json")


def alerts_of(study: Study) -> list[Alert]:
    """Current alerts, or for a large study, those that the worker last computed."""
    row = stored(NAME, [study.pk]).get(study.pk)
    if row is None:
        return _alerts(study, queries.links_of(study), list(queries.visits_of(study)), timezone.now())
    return [
        Alert(Code(alert["code"]), alert["subject"], alert["group"], alert["count"], alert["of"])
        for alert in row.value["alerts"]
    ]


def _alerts(study: Study, links: Sequence[Link], visits: Sequence[Visit], now: datetime) -> list[Alert]:
    clips, missing = queries.clip_failures(study), queries.missing_ids(study, now=now)
    return alerts(links, visits, clips=clips, missing=missing, now=now)
