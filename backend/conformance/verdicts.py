"""Verdicts: judges a session by its study's rules, stores the verdict, and excludes the session if required."""

import logging
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conformance.evidence import gather
from conformance.models import Verdict
from conformance.signals import judged
from eyelevel_stats.conformance import judge, rules_of
from ratings.models import Exclusion, Session, SessionState
from ratings.slots import reopen_slots

log = logging.getLogger(__name__)


def judge_session(session_id: UUID) -> Verdict | None:
    """Judge a completed session; returns None for an incomplete session and for previews.

    Judging again adds no verdict unless plays have arrived since. An excluded session stays excluded, because other
    participants have been asked in its place; later evidence may still change whether it is paid. With rules of an
    unknown version nothing is judged, and the previous verdict remains.
    """
    with transaction.atomic():
        # the lock prevents two verdicts at the same time
        locked = Session.objects.select_for_update(of=("self",), no_key=True).filter(pk=session_id)
        session = locked.select_related("fielding__study").first()
        if session is None or session.state != SessionState.COMPLETED or session.is_preview:
            return None
        if session.to_judge_since is not None:
            # a play that is being stored waits for this row, and then requests a further verdict
            Session.objects.filter(pk=session_id).update(to_judge_since=None)
        now = timezone.now()
        last = Verdict.objects.filter(session=session).order_by("-id").first()
        try:
            rules = rules_of(session.fielding.study.design)
        except ValueError as error:
            log.warning("Session %s is not judged: %s", session_id, error)
            return last
        evidence = gather(session)
        verdict = judge(evidence, rules)
        before = set(Exclusion.objects.filter(session=session).values_list("rule", flat=True))
        content: dict[str, Any] = {
            "version": verdict.version,
            "accepted": verdict.accepted,
            "used": verdict.used and not before,
            "findings": [asdict(finding) | {"trials": list(finding.trials)} for finding in verdict.findings],
            "plays": sum(len(trial.plays) for trial in evidence.trials),
        }
        if last is not None and _equals(last, content):
            return last
        for rule in verdict.left_out_by:
            if rule not in before:
                Exclusion.objects.create(session=session, rule=rule)
        if verdict.left_out_by and not before:
            reopen_slots(session)
        given = Verdict.objects.create(session=session, judged_at=now, **content)
        study_sha256 = session.fielding.study_id
        # robust: the verdict is stored, whatever a receiver raises
        transaction.on_commit(lambda: judged.send_robust(sender=Verdict, study_sha256=study_sha256))
    return given


def _equals(verdict: Verdict, content: dict[str, Any]) -> bool:
    return all(getattr(verdict, name) == value for name, value in content.items())
