"""Celery tasks of the analysis; each calls one function."""

from celery import shared_task
from django.utils import timezone

from analysis.computing import in_depth, in_depth_attempts, turns
from analysis.computing.staleness import studies_behind
from analysis.snapshots.erasure import drop_strays

SOFT_LIMIT_S = 14 * 60


@shared_task(name="analysis.tasks.votes_arrived")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def votes_arrived(study_sha256: str) -> None:
    """Request an analysis after a vote, and run it now or after the pause since the last run."""
    turns.ask(study_sha256)
    _analyse(study_sha256)


@shared_task(name="analysis.tasks.analyse")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def analyse(study_sha256: str) -> None:
    """Run a requested analysis, if there is one."""
    _analyse(study_sha256)


@shared_task(name="analysis.tasks.catch_up")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def catch_up() -> None:
    """Request analyses whose message was lost or whose worker was killed; started by beat."""
    for study_sha256 in studies_behind():
        turns.ask_unless_wanted(study_sha256)
        analyse.delay(study_sha256)


@shared_task(name="analysis.tasks.resume_in_depth")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def resume_in_depth() -> None:
    """Queue tables in depth again whose message or worker was lost, or whose next attempt is due; started by beat."""
    in_depth.resume(timezone.now())


@shared_task(name="analysis.tasks.drop_stray_snapshots")  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def drop_stray_snapshots() -> None:
    """Delete files that a crash left, and superseded snapshots that a backup kept; started by beat."""
    # the web processes import this module to call it, and need no Parquet
    from analysis.snapshots.store import forget_all_superseded  # noqa: PLC0415

    drop_strays()
    forget_all_superseded()


# before the limit of all tasks, which would kill the worker's process and store no failure
@shared_task(name="analysis.tasks.compute_in_depth", soft_time_limit=SOFT_LIMIT_S)  # type: ignore[untyped-decorator, unused-ignore]  # Celery publishes no types
def compute_in_depth(result_id: int) -> None:
    """Compute the tables in depth of a result of a closed study; this takes minutes, so it has a separate queue."""
    in_depth_attempts.run_if_due(result_id, timezone.now)


def _analyse(study_sha256: str) -> None:
    # the web processes import this module to call it, and need neither Parquet nor statistics
    from analysis.computing.runs import run_if_due  # noqa: PLC0415

    if pause := run_if_due(study_sha256, timezone.now):
        # for votes that arrive during the run or the pause after it
        analyse.apply_async((study_sha256,), countdown=pause.total_seconds())
